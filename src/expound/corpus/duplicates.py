"""Sketches that find passages saying the same words, exactly or nearly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from zlib import crc32

import numpy as np
import numpy.typing as npt

SHINGLE_WORDS = 4
SKETCH_SIZE = 3
NEAR = 0.85

_WORD = re.compile(r"\w+")


def words_of(text: str) -> list[str]:
    """The words that count when two texts are compared: lower case, no punctuation."""
    return _WORD.findall(text.lower())


def fingerprint(words: Sequence[str]) -> int:
    """A signed 64-bit hash of the words; equal for texts that differ only in case, spacing and punctuation."""
    return int.from_bytes(blake2b(" ".join(words).encode(), digest_size=8).digest(), "big", signed=True)


def shingles(words: Sequence[str]) -> npt.NDArray[np.uint32]:
    """The distinct hashes of all runs of four words, in rising order."""
    hashes = np.fromiter((crc32(word.encode()) for word in words), dtype=np.uint32, count=len(words))
    if len(hashes) < SHINGLE_WORDS:
        return np.unique(hashes)
    mixed = hashes[: len(hashes) - SHINGLE_WORDS + 1].copy()
    for offset in range(1, SHINGLE_WORDS):
        mixed *= np.uint32(0x9E3779B1)
        mixed ^= hashes[offset : len(hashes) - SHINGLE_WORDS + 1 + offset]
    mixed *= np.uint32(0x85EBCA6B)
    mixed ^= mixed >> np.uint32(15)
    return np.unique(mixed)


def numbers_of(words: Sequence[str]) -> list[str]:
    """The words with a digit, in order: two texts that differ in a year are not the same."""
    return [word for word in words if any(character.isdigit() for character in word)]


def sketch(of: npt.NDArray[np.uint32]) -> list[int]:
    """The smallest shingles: two near duplicates share most of them, two strangers none."""
    return [int(value) for value in of[:SKETCH_SIZE]]


def are_near(one: npt.NDArray[np.uint32], other: npt.NDArray[np.uint32]) -> bool:
    """Whether the shorter text's shingles are nearly all in the longer one, and both are about as long."""
    if not len(one) or not len(other):
        return False
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / (len(one) + len(other) - shared) >= NEAR
