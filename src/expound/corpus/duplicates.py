"""Sketches that find passages saying the same words, exactly or nearly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeAlias
from zlib import crc32

import numpy as np
import numpy.typing as npt

Shingles: TypeAlias = npt.NDArray[np.uint32]

# Fewer words in a row are common to strangers; more, and a changed word every few lines leaves none in common.
SHINGLE_WORDS = 4
# Three numbers a passage keep the table small: simulated pairs at `NEAR` share two of them in 97 % of cases.
SKETCH_SIZE = 3
# A passage with a corrected word is a duplicate, one with another sentence is not. A round figure.
NEAR = 0.85

_WORD = re.compile(r"\w+")
_BLANKS = {code: " " for code in range(128) if not _WORD.match(chr(code))}
# The words of a large vocabulary, some tens of MB; forgetting all now and then is cheaper than knowing which are old.
_MOST_HASHES = 200_000


class _Hashes(dict[str, int]):
    """The hash of every word met lately: most words of a text were in the one before."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _MOST_HASHES:
            self.clear()
        # CRC is no cryptographic hash and need not be: near duplicates are compared text by text in the end.
        value = self[word] = crc32(word.encode())
        return value


_HASHES = _Hashes()


def words_of(text: str) -> list[str]:
    """The words that count when two texts are compared: lower case, no punctuation."""
    text = text.lower()
    # Plain text is split at blanks: the same words three times as fast.
    # Translation knows no letters beyond ASCII.
    return text.translate(_BLANKS).split() if text.isascii() else _WORD.findall(text)


def fingerprint(words: Sequence[str]) -> int:
    """A signed 64-bit hash of the words; equal for texts that differ only in case, spacing and punctuation."""
    # Signed, because SQLite's integers are.
    return int.from_bytes(blake2b(" ".join(words).encode(), digest_size=8).digest(), "big", signed=True)


def shingles(words: Sequence[str]) -> Shingles:
    """The distinct hashes of all runs of four words, in rising order."""
    hashes = np.fromiter(map(_HASHES.__getitem__, words), dtype=np.uint32, count=len(words))
    # A text of three words is compared by its words.
    if len(hashes) < SHINGLE_WORDS:
        return _distinct(hashes)
    mixed = hashes[: len(hashes) - SHINGLE_WORDS + 1].copy()
    for offset in range(1, SHINGLE_WORDS):
        # Multiplying by large odd numbers spreads the bits, so that the smallest hashes are a fair sample.
        mixed *= np.uint32(0x9E3779B1)
        mixed ^= hashes[offset : len(hashes) - SHINGLE_WORDS + 1 + offset]
    mixed *= np.uint32(0x85EBCA6B)
    mixed ^= mixed >> np.uint32(15)
    return _distinct(mixed)


def _distinct(hashes: Shingles) -> Shingles:
    """Sorted without repeats; numpy's own function takes four times as long on so few numbers."""
    hashes.sort()
    is_new = np.empty(len(hashes), dtype=bool)
    is_new[:1] = True
    np.not_equal(hashes[1:], hashes[:-1], out=is_new[1:])
    return hashes[is_new]


def numbers_of(words: Sequence[str]) -> list[str]:
    """The words with a digit, in order: two texts that differ in a year are not the same."""
    return [word for word in words if not word.isalpha() and any(map(str.isdigit, word))]


def sketch(of: Shingles) -> list[int]:
    """The smallest shingles: two near duplicates share most of them, two strangers none."""
    # The smallest of all hashes are the same in two texts that share them: a sample that needs no agreement.
    keys: list[int] = of[:SKETCH_SIZE].tolist()
    return keys


def may_be_near(one: Shingles, words: Sequence[str]) -> bool:
    """Whether a text of these words can be near at all: it has at most one shingle a word."""
    return len(words) >= NEAR * len(one)


def are_near(one: Shingles, other: Shingles) -> bool:
    """Whether the shorter text's shingles are nearly all in the longer one, and both are about as long."""
    if not len(one) or not len(other):
        return False
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / (len(one) + len(other) - shared) >= NEAR
