"""TF-IDF similarity of sentences with a query, by the formula of scikit-learn's default vectoriser, many at once.

A word is two or more letters, digits or underscores, lower-cased. A sentence's weight for a word is its count times
log((1 + sentences) / (1 + sentences with the word)) + 1; similarity is the cosine of weights.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from expound.text.sentences import split_sentences

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from expound.protocols import Numbers

    Integers: TypeAlias = npt.NDArray[np.int64]

# Sums in another order differ in the last digits; rounded, equal sentences stay equal and keep their order.
DIGITS = 9
_BREAK, _DROPPED = 0, 1
_SEPARATOR = "\0"
_WORD = re.compile(rf"\w\w+|{_SEPARATOR}")
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_" + _SEPARATOR.encode())
_MARKS = "–—‘’“”…"
_TO_SPACES = bytes(byte if byte in _WORD_BYTES else ord(" ") for byte in range(256))


class Document(NamedTuple):
    """Sentences, and the numbers of their words with a break between sentences."""

    sentences: tuple[str, ...]
    words: Integers


class Vocabulary(dict[str, int]):
    """Every word's number, given at its first sight."""

    def __init__(self) -> None:
        super().__init__({_SEPARATOR: _BREAK})

    def __missing__(self, token: str) -> int:
        self[token] = number = len(self) + 1 if len(token) > 1 else _DROPPED
        return number

    def read(self, sentences: Iterable[str]) -> Document:
        """The sentences as numbers."""
        import numpy as np

        kept = tuple(sentences)
        tokens = _tokens(f" {_SEPARATOR} ".join([sentence.replace(_SEPARATOR, " ") for sentence in kept]))
        return Document(kept, np.fromiter(map(self.__getitem__, tokens), np.int64, len(tokens)))


class Documents:
    """Documents read once: the latest used are kept, up to a number of characters, and with them one vocabulary."""

    def __init__(self, *, most_characters: int = 1 << 25, most_words: int = 1 << 20) -> None:
        self.most_characters, self.most_words = most_characters, most_words
        self.clear()

    def clear(self) -> None:
        """Forget all documents and words."""
        self.vocabulary = Vocabulary()
        self.characters = 0
        self._kept: OrderedDict[str, Document] = OrderedDict()

    def table(self, texts: Sequence[str]) -> tuple[list[Document], Tfidf]:
        """The documents and the weights of all their sentences."""
        if len(self.vocabulary) > self.most_words:
            self.clear()
        documents = [self._document(text) for text in texts]
        while self.characters > self.most_characters:
            self.characters -= len(self._kept.popitem(last=False)[0])
        return documents, Tfidf(documents, self.vocabulary)

    def _document(self, text: str) -> Document:
        found = self._kept.pop(text, None)
        if found is None:
            found = self.vocabulary.read(split_sentences(text))
            self.characters += len(text)
        self._kept[text] = found
        return found


DOCUMENTS = Documents()


class Tfidf:
    """The weights of all sentences of some documents, whose frequencies of words are those of these sentences.

    `rows`, `words` and `weights` have an entry for every sentence and distinct word in it, sentence by sentence.
    """

    def __init__(self, documents: Sequence[Document], vocabulary: Vocabulary) -> None:
        import numpy as np

        self.vocabulary, self.width = vocabulary, len(vocabulary) + 1
        self.size = sum(len(document.sentences) for document in documents)
        entries, counts = self._entries(documents)
        self.rows, self.words = np.divmod(entries, self.width)
        self.frequencies = np.bincount(self.words, minlength=self.width)
        self.weights: Numbers = counts * self._idf(self.words)
        self.norms: Numbers = np.sqrt(np.bincount(self.rows, self.weights**2, minlength=self.size))

    def vector(self, text: str) -> Numbers:
        """The weights of a text's words by their numbers; words that no sentence has are left out."""
        import numpy as np

        words, counts = np.unique(self.vocabulary.read([text]).words, return_counts=True)
        known = (words > _DROPPED) & (words < self.width)
        known[known] = self.frequencies[words[known]] > 0
        vector = np.zeros(self.width)
        vector[words[known]] = counts[known] * self._idf(words[known])
        return vector

    def row_vector(self, row: int) -> Numbers:
        """The weights of a sentence's words by their numbers."""
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
        scale = self.norms * np.sqrt(vector @ vector)
        cosines: Numbers = np.divide(self.products(vector), scale, out=np.zeros(self.size), where=scale > 0)
        return np.round(cosines, DIGITS)

    def _entries(self, documents: Sequence[Document]) -> tuple[Integers, Integers]:
        """Sentence and word as one number, every pair once and in order, and how often it occurs."""
        import numpy as np

        parts = [part for document in documents if document.sentences for part in (document.words, [_BREAK])]
        words = np.concatenate([np.empty(0, np.int64), *parts])
        pairs = np.cumsum(words == _BREAK) * self.width + words
        return np.unique(pairs[words > _DROPPED], return_counts=True)

    def _idf(self, words: Integers) -> Numbers:
        import numpy as np

        weights: Numbers = np.log((1 + self.size) / (1 + self.frequencies[words])) + 1
        return weights


def table_of(sentences: Sequence[str]) -> Tfidf:
    """The weights of some sentences, each a row, with a vocabulary of their own."""
    vocabulary = Vocabulary()
    return Tfidf([vocabulary.read(sentences)], vocabulary)


def best_first(similarities: Numbers) -> list[int]:
    """The rows that have anything in common with the query, most similar first; ties keep their order."""
    import numpy as np

    order = np.argsort(-similarities, kind="stable")
    rows: list[int] = order[similarities[order] > 0].tolist()
    return rows


def _tokens(text: str) -> list[str]:
    """The words and the separators of a text, and maybe single characters, which the vocabulary drops."""
    lowered = text.lower()
    if not lowered.isascii():
        for mark in _MARKS:
            lowered = lowered.replace(mark, " ")
    if not lowered.isascii():
        return _WORD.findall(lowered)
    # Of plain ASCII, bytes make words several times as fast as an expression.
    return lowered.encode("ascii").translate(_TO_SPACES).decode("ascii").split()
