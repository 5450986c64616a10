"""TF-IDF similarity of sentences with a query, by the formula of scikit-learn's default vectoriser, many at once.

A word is two or more letters, digits or underscores, lower-cased. A sentence's weight for a word is its count times
log((1 + sentences) / (1 + sentences with the word)) + 1; similarity is the cosine of weights.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from expound.text.sentences import split_sentences

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from expound.protocols import Numbers

    Integers: TypeAlias = npt.NDArray[np.int64]
    WordNumbers: TypeAlias = npt.NDArray[np.uint64]

# Sums in another order differ in the last digits; rounded, equal sentences stay equal and keep their order.
DIGITS = 9
# Most of what is not ASCII in English prose; none of it makes words.
_MARKS = "–—‘’“”…"
# For texts whose bytes alone do not tell letters from signs.
_WORD = re.compile(r"\w\w+")
_LETTER_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_") | frozenset(range(128, 256))
_TO_WORD_BYTES = bytes(byte if byte in _LETTER_BYTES else 0 for byte in bytes(range(256)).lower())
_MULTIPLIER = 0x9E3779B97F4A7C15  # odd, so no bit is lost
_WIDTH = 8


class Document(NamedTuple):
    """Sentences, the numbers of their words one after the other, and how many words each sentence has."""

    sentences: Sequence[str]
    words: WordNumbers
    sizes: Integers


class Documents:
    """Documents read once: the latest used are kept, up to a number of characters."""

    def __init__(self, *, most_characters: int = 1 << 25) -> None:
        self.most_characters = most_characters
        self.clear()

    def clear(self) -> None:
        """Forget all documents."""
        self.characters = 0
        self._kept: OrderedDict[str, Document] = OrderedDict()

    def table(self, texts: Sequence[str]) -> tuple[list[Document], Tfidf]:
        """The documents and the weights of all their sentences."""
        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        self._kept.update(zip(new, read([split_sentences(text) for text in new]), strict=True))
        self.characters += sum(map(len, new))
        for text in texts:
            self._kept.move_to_end(text)
        documents = [self._kept[text] for text in texts]
        while self.characters > self.most_characters:
            self.characters -= len(self._kept.popitem(last=False)[0])
        return documents, Tfidf(documents)


DOCUMENTS = Documents()


def read(documents: Sequence[Sequence[str]]) -> list[Document]:
    """The sentences of documents with their words as numbers, all at once: a call a document would take longer."""
    import numpy as np

    words, sizes = _numbered([sentence for document in documents for sentence in document])
    rows = np.cumsum([0, *map(len, documents)])
    places = np.concatenate([[0], np.cumsum(sizes)])[rows]
    ends = zip(rows[1:].tolist(), places[1:].tolist(), strict=True)
    found = []
    row = place = 0
    for document, (last_row, last_place) in zip(documents, ends, strict=True):
        found.append(Document(document, words[place:last_place], sizes[row:last_row]))
        row, place = last_row, last_place
    return found


class Tfidf:
    """The weights of all sentences of some documents, whose frequencies of words are those of these sentences.

    `rows`, `words` and `weights` have an entry for every sentence and distinct word in it, sentence by sentence; a word
    is the place of its number among the `known`.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        import numpy as np

        self.size = sum(len(document.sentences) for document in documents)
        self.known, words = np.unique(
            _joined([document.words for document in documents], np.uint64), return_inverse=True
        )
        self.width = len(self.known)
        sizes = _joined([document.sizes for document in documents], np.int64)
        entries = np.repeat(np.arange(self.size), sizes) * self.width + words
        entries, counts = np.unique(entries, return_counts=True)
        self.rows, self.words = np.divmod(entries, max(1, self.width))
        self.frequencies = np.bincount(self.words, minlength=self.width)
        self.weights: Numbers = counts * self._idf(self.words)
        self.norms: Numbers = np.sqrt(np.bincount(self.rows, self.weights**2, minlength=self.size))

    def vector(self, text: str) -> Numbers:
        """The weights of a text's words, by their places among the known; words that no sentence has are left out."""
        import numpy as np

        numbers, counts = np.unique(_numbered([text])[0], return_counts=True)
        words = np.searchsorted(self.known, numbers)
        is_known = np.append(self.known, np.uint64(0))[words] == numbers  # no word has the number 0
        vector = np.zeros(self.width)
        vector[words[is_known]] = counts[is_known] * self._idf(words[is_known])
        return vector

    def row_vector(self, row: int) -> Numbers:
        """The weights of a sentence's words, by their places among the known."""
        import numpy as np

        entries = slice(*np.searchsorted(self.rows, [row, row + 1]))
        vector = np.zeros(self.width)
        vector[self.words[entries]] = self.weights[entries]
        return vector

    def products(self, vector: Numbers) -> Numbers:
        """The dot product of every sentence with a vector."""
        import numpy as np

        return np.bincount(self.rows, self.weights * vector[self.words], minlength=self.size).astype(np.float64)

    def similarities(self, text: str) -> Numbers:
        """Every sentence's cosine with the text, 0 to 1."""
        import numpy as np

        vector = self.vector(text)
        # Not vector @ vector: for a vector this long numpy wakes threads that wait longer than they work.
        scale = self.norms * np.sqrt(np.sum(vector**2))
        cosines: Numbers = np.divide(self.products(vector), scale, out=np.zeros(self.size), where=scale > 0)
        return np.round(cosines, DIGITS)

    def _idf(self, words: Integers) -> Numbers:
        import numpy as np

        weights: Numbers = np.log((1 + self.size) / (1 + self.frequencies[words])) + 1
        return weights


def table_of(sentences: Sequence[str]) -> Tfidf:
    """The weights of some sentences, each a row."""
    return Tfidf(read([sentences]))


def best_first(similarities: Numbers) -> list[int]:
    """The rows that have anything in common with the query, most similar first; ties keep their order."""
    import numpy as np

    order = np.argsort(-similarities, kind="stable")
    rows: list[int] = order[similarities[order] > 0].tolist()
    return rows


def _numbered(sentences: Sequence[str]) -> tuple[WordNumbers, Integers]:
    """The numbers of all words, and how many words each sentence has."""
    import numpy as np

    parts = [sentence.encode() if sentence.isascii() else _encoded(sentence) for sentence in sentences]
    text = b"\0".join([b"", *parts, bytes(_WIDTH)]).translate(_TO_WORD_BYTES)
    edges = np.flatnonzero(np.diff(np.frombuffer(text, np.uint8) > 0)) + 1
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    is_word = lengths > 1
    starts, lengths = starts[is_word], lengths[is_word]
    ends = np.cumsum([len(part) + 1 for part in parts])
    return _numbers(text, starts, lengths), np.diff(np.searchsorted(starts, ends), prepend=0)


def _encoded(sentence: str) -> bytes:
    """A sentence as bytes, of which letters, digits and all above ASCII make words."""
    for mark in _MARKS:
        sentence = sentence.replace(mark, " ")
    return (sentence if sentence.isascii() else " ".join(_WORD.findall(sentence.lower()))).encode()


def _numbers(text: bytes, starts: Integers, lengths: Integers) -> WordNumbers:
    """A number for each word: its bytes if they are eight or less, else those of its parts folded into one.

    Two longer words could get the same number, once in 2**64 pairs.
    """
    import numpy as np

    masks = np.array([(1 << 8 * length) - 1 for length in range(_WIDTH + 1)], np.uint64)
    windows = np.ndarray(len(text) - _WIDTH + 1, "<u8", text, strides=(1,))
    numbers: WordNumbers = windows[starts] & masks[np.minimum(lengths, _WIDTH)]
    rest, done = np.flatnonzero(lengths > _WIDTH), _WIDTH
    while rest.size:
        part = windows[starts[rest] + done] & masks[np.minimum(lengths[rest] - done, _WIDTH)]
        numbers[rest] = numbers[rest] * np.uint64(_MULTIPLIER) + part
        done += _WIDTH
        rest = rest[lengths[rest] > done]
    return numbers


def _joined(arrays: Sequence[npt.NDArray[Any]], kind: type[Any]) -> npt.NDArray[Any]:
    import numpy as np

    return np.concatenate([np.empty(0, kind), *arrays])
