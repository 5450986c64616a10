"""ROUGE with the numbers of the `rouge` package (versions 1.0.1, 1.0.0 and 0.3.2), which ELI5 and KILT score by.

These are not the numbers of rouge-score: sentences end at every full stop, words are cut at whitespace, ROUGE-L counts
distinct words, and a text against itself is 0.999999995.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from expound.errors import UserError
from expound.score.lcs import united_words
from expound.score.rouge import Overlap

VERSIONS = ("1.0.1", "1.0.0", "0.3.2")
KINDS = ("1", "2", "l")
_NOTHING = Overlap(0.0, 0.0, 0.0)


def package_rouge(hypothesis: str, reference: str, *, kind: str = "l", version: str = "1.0.1") -> Overlap:
    """The overlap of two texts by n-grams (kind `1` or `2`) or by common subsequences of their sentences (kind `l`).

    Where the package raises an error because a side `is_empty`, the overlap is 0.

    >>> round(package_rouge("The cat sat. It slept", "It slept. The cat sat on it", kind="l").f1, 3)
    0.833
    """
    check_options(kind, version)
    if is_empty(hypothesis) or is_empty(reference):
        return _NOTHING
    return _overlap(_read(hypothesis), _read(reference), kind, version)


def is_empty(text: str) -> bool:
    """Whether the package refuses the text: it has nothing but full stops. A blank is not nothing."""
    # The package splits at full stops and drops what is empty; a blank is not.
    return not text.strip(".")


def check_options(kind: str, version: str) -> None:
    """Refuse a kind or version that there is none of."""
    if kind not in KINDS:
        raise UserError(f"no ROUGE kind named {kind!r} in the rouge package; there are: {', '.join(KINDS)}")
    if version not in VERSIONS:
        raise UserError(f"no version {version!r} of the rouge package; there are: {', '.join(VERSIONS)}")


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """A text as the package sees it. Hashed by identity, so caches find it at once."""

    sentences: list[list[str]]
    words: list[str]
    distinct: int


# As large as a data set, so comparing systems reads each reference once.
@lru_cache(maxsize=4096)
def _read(text: str) -> _Text:
    # A blank between two full stops is a sentence of one empty word: it counts as a word like any other.
    sentences = [piece.split() or [""] for piece in text.split(".") if piece]
    words = [word for sentence in sentences for word in sentence]
    return _Text(sentences, words, len(set(words)))


# Small: it serves the kinds and references of the question at hand.
@lru_cache(maxsize=64)
def _overlap(hypothesis: _Text, reference: _Text, kind: str, version: str) -> Overlap:
    if kind == "l":
        # Of several longest subsequences the package keeps the one found by dropping the hypothesis' word first, so
        # the hypothesis stands where `united_words` expects the reference.
        hits = united_words(hypothesis.sentences, reference.sentences)
        return _shares(hits, hypothesis.distinct, reference.distinct, weighted=version == "0.3.2")
    ours, theirs = _ngrams(hypothesis, int(kind)), _ngrams(reference, int(kind))
    # 1.0.0 counts repeated n-grams, the versions before and after do not.
    if version == "1.0.0":
        return _shares((Counter(ours) & Counter(theirs)).total(), len(ours), len(theirs))
    return _shares(len(set(ours).intersection(theirs)), len(set(ours)), len(set(theirs)))


def _ngrams(text: _Text, n: int) -> Sequence[Hashable]:
    """All n-grams; they cross sentences."""
    return list(zip(text.words, text.words[1:], strict=False)) if n == 2 else text.words


def _shares(hits: int, hypothesis_size: int, reference_size: int, *, weighted: bool = False) -> Overlap:
    if not hits:
        return _NOTHING
    precision, recall = hits / hypothesis_size, hits / reference_size
    if not weighted:
        # The package's own guard against a division by zero, which makes a perfect score 0.999999995.
        return Overlap(precision, recall, 2 * precision * recall / (precision + recall + 1e-8))
    # Version 0.3.2 weighs recall by the ratio of the two.
    beta = (precision / (recall + 1e-12)) ** 2
    return Overlap(precision, recall, (1 + beta) * recall * precision / (recall + beta * precision + 1e-12))
