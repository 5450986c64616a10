"""TF-IDF similarity of sentences with a query, by the formula of scikit-learn's default vectoriser, many at once.

A word is two or more letters, digits or underscores, lower-cased. A sentence's weight for a word is its count times
log((1 + sentences) / (1 + sentences with the word)) + 1; similarity is the cosine of weights.

There is no dictionary and no loop over words: each word of each sentence becomes one number, which has the word in its
high bits and the row of its sentence in the low ones. Sorted, equal numbers next to each other are a word's count in a
sentence, and equal high bits next to each other are the sentences that have the word.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from expound.text.sentences import split_sentences
from expound.text.word_numbers import START, number_words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from expound.protocols import Numbers
    from expound.text.word_numbers import WordNumbers

    Integers: TypeAlias = npt.NDArray[np.int64]

# Sums in another order differ in the last digits; rounded, equal sentences stay equal and keep their order.
DIGITS = 9


class NumberedDocument(NamedTuple):
    """Sentences, and the numbers of their words one after the other, with a `START` before those of each sentence."""

    sentences: Sequence[str]
    words: WordNumbers


class Documents:
    """Documents read once: the latest used are kept, up to a number of characters."""

    def __init__(self, *, most_characters: int = 1 << 25) -> None:
        self.most_characters = most_characters
        self.clear()

    def clear(self) -> None:
        """Forget all documents."""
        self.characters = 0
        self._kept: OrderedDict[str, NumberedDocument] = OrderedDict()

    def table(self, texts: Sequence[str]) -> tuple[list[NumberedDocument], Tfidf]:
        """The documents and the weights of all their sentences."""
        # A text that is asked for twice is read once.
        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        self._kept.update(zip(new, read([split_sentences(text) for text in new]), strict=True))
        self.characters += sum(map(len, new))
        for text in texts:
            # The longest unused stand first, where they are dropped.
            self._kept.move_to_end(text)
        documents = [self._kept[text] for text in texts]
        # After they were taken out: what is larger than all the room is answered, and then forgotten.
        while self.characters > self.most_characters:
            self.characters -= len(self._kept.popitem(last=False)[0])
        return documents, Tfidf(documents)


DOCUMENTS = Documents()


def read(documents: Sequence[Sequence[str]]) -> list[NumberedDocument]:
    """The sentences of documents with their words as numbers, all at once: a call a document would take longer."""
    import numpy as np

    words = number_words([sentence for document in documents for sentence in document])
    # The end of the last document is a start too, so that pairs of starts cut all of them.
    starts = np.append(np.flatnonzero(words == START), len(words))
    places = starts[np.cumsum([0, *map(len, documents)])].tolist()
    return [
        NumberedDocument(document, words[start:end])
        for document, (start, end) in zip(documents, pairwise(places), strict=True)
    ]


class Tfidf:
    """The weights of all sentences of some documents, whose frequencies of words are those of these sentences.

    It is a sparse matrix with a row for each sentence and a column for each word, in the order of the `known` numbers.
    `rows`, `columns` and `weights` have an entry for every word and sentence that has it, column by column.
    """

    def __init__(self, documents: Sequence[NumberedDocument]) -> None:
        import numpy as np

        words = np.concatenate([np.empty(0, np.uint64), *(document.words for document in documents)])
        is_start = words == START
        # The rows are counted by the marks at their starts, from 0.
        rows = np.cumsum(is_start, dtype=np.uint64) - np.uint64(1)
        self.size = int(np.count_nonzero(is_start))
        # As few low bits as the rows need: of a word's 64-bit hash the others still tell words apart.
        self._row_bits = np.uint64((1 << self.size.bit_length()) - 1)
        # A word's number with its row as the last bits: sorted, they are word by word, and row by row for each.
        keys: WordNumbers = (words & ~self._row_bits | rows)[~is_start]
        # Equal keys: how often a word stands in a row.
        entries, counts = _runs(np.sort(keys))
        self.rows: Integers = (entries & self._row_bits).astype(np.int64)
        # Equal words: in how many rows it stands.
        self.known, frequencies = _runs(entries & ~self._row_bits)
        self.width = len(self.known)
        self.columns: Integers = np.repeat(np.arange(self.width), frequencies)
        self.idf: Numbers = np.log((1 + self.size) / (1 + frequencies)) + 1
        self.weights: Numbers = counts * self.idf[self.columns]
        self.norms: Numbers = np.sqrt(np.bincount(self.rows, self.weights**2, minlength=self.size))

    def vector(self, text: str) -> Numbers:
        """The weights of a text's words by column; words that no sentence has are left out."""
        import numpy as np

        # The same bits as in the table are cleared, else no word would be found again.
        asked: WordNumbers = number_words([_one_line(text)])[1:] & ~self._row_bits
        numbers, counts = np.unique(asked, return_counts=True)
        columns = np.searchsorted(self.known, numbers)
        # `searchsorted` gives a place for every number; only where left and right differ is it there.
        is_known = np.searchsorted(self.known, numbers, side="right") > columns
        vector = np.zeros(self.width)
        vector[columns[is_known]] = counts[is_known] * self.idf[columns[is_known]]
        return vector

    def row_vector(self, row: int) -> Numbers:
        """The weights of a sentence's words by column."""
        import numpy as np

        entries = np.flatnonzero(self.rows == row)
        vector = np.zeros(self.width)
        vector[self.columns[entries]] = self.weights[entries]
        return vector

    def products(self, vector: Numbers) -> Numbers:
        """The dot product of every sentence with a vector."""
        import numpy as np

        return np.bincount(self.rows, self.weights * vector[self.columns], minlength=self.size).astype(np.float64)

    def similarities(self, text: str) -> Numbers:
        """Every sentence's cosine with the text, 0 to 1."""
        import numpy as np

        vector = self.vector(text)
        # Not vector @ vector: for a vector this long numpy wakes threads that wait longer than they work.
        scale = self.norms * np.sqrt(np.sum(vector**2))
        # A sentence or a query without known words has no length: its similarity is 0, not a division.
        cosines: Numbers = np.divide(self.products(vector), scale, out=np.zeros(self.size), where=scale > 0)
        return np.round(cosines, DIGITS)


def table_of(sentences: Sequence[str]) -> Tfidf:
    """The weights of some sentences, each a row."""
    return Tfidf(read([[_one_line(sentence) for sentence in sentences]]))


def best_first(similarities: Numbers) -> list[int]:
    """The rows that have anything in common with the query, most similar first; ties keep their order."""
    import numpy as np

    order = np.argsort(-similarities, kind="stable")
    rows: list[int] = order[similarities[order] > 0].tolist()
    return rows


def _one_line(text: str) -> str:
    # A newline would begin another sentence, and with it another row.
    return text.replace("\n", " ")


def _runs(ascending: WordNumbers) -> tuple[WordNumbers, Integers]:
    """The distinct numbers, and how often each is there."""
    import numpy as np

    # For no numbers at all the first one must not count as a start.
    starts = np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1])[: len(ascending)])
    return ascending[starts], np.diff(starts, append=len(ascending))
