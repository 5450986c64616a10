"""Words as numbers, all words of many sentences at once: what a search for equal words needs, and no word is kept.

Python looks at no single word. The sentences become one run of bytes in which everything that is no letter is 0, so
that words are what stands between zeros; their bytes, read eight at a time, are mixed into a number of 64 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Integers: TypeAlias = npt.NDArray[np.int64]
    WordNumbers: TypeAlias = npt.NDArray[np.uint64]

# All bytes above ASCII are parts of letters: what is none was made a space before.
_LETTER_BYTES = frozenset(b"\nabcdefghijklmnopqrstuvwxyz0123456789_") | frozenset(range(128, 256))
_TO_WORD_BYTES = bytes(byte if byte in _LETTER_BYTES else 0 for byte in bytes(range(256)).lower())
_ASCII = bytes(range(128))
# The golden ratio in 64 bits, as in Fibonacci hashing: odd, so no bit is lost, and every bit moves the high ones.
_MULTIPLIER = 0x9E3779B97F4A7C15
# Bytes of a number.
_WIDTH = 8
START = ord("\n") * _MULTIPLIER % (1 << 64)
"""What stands before the words of each sentence: the number of a newline."""


def number_words(sentences: Sequence[str]) -> WordNumbers:
    """The numbers of all words, with a `START` before those of each sentence; no sentence has a newline."""
    import numpy as np

    strange = iter(_plain([sentence for sentence in sentences if not sentence.isascii()]))
    lines = [sentence if sentence.isascii() else next(strange) for sentence in sentences]
    # A newline is a word of its own: it becomes the START before each sentence. The zeros at the end let the last
    # word be read eight bytes at a time.
    text = " \n ".join(["", *lines, ""]).encode().translate(_TO_WORD_BYTES) + bytes(_WIDTH)
    codes = np.frombuffer(text, np.uint8)
    # Words begin and end where letters meet zeros; they come in pairs, because the text begins and ends with zeros.
    edges = np.flatnonzero(np.diff(codes > 0)) + 1
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    # One letter is no word, however many bytes it has.
    is_word = lengths > _letter_sizes()[codes[starts]]
    return _numbers(text, starts[is_word], lengths[is_word])[:-1]


def _plain(sentences: Sequence[str]) -> list[str]:
    """The sentences, with all above ASCII made lower-cased letters and digits."""
    text = "\n".join(sentences)
    if "Σ" in text:  # the only letter whose lower case depends on its neighbours
        text = text.lower()
    # A lone half of a surrogate pair, which JSON can hold, is no letter either.
    above = text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")
    for character in set(above):
        if (plain := _plain_letters(character)) != character:
            text = text.replace(character, plain)
    return text.split("\n")


@cache
def _plain_letters(character: str) -> str:
    return "".join(letter if letter.isalnum() else " " for letter in character.lower())


@cache
def _letter_sizes() -> Integers:
    """How many bytes a letter has, by its first byte; a newline counts as a word."""
    import numpy as np

    sizes = np.repeat([1, 2, 3, 4], [0xC0, 0x20, 0x10, 0x10])
    sizes[ord("\n")] = 0
    return sizes


def _numbers(text: bytes, starts: Integers, lengths: Integers) -> WordNumbers:
    """A number for each word, of its bytes, eight at a time.

    The bits are mixed, so that any of them tell words apart: with the first 48, two words get the same number once in
    2**48 pairs.
    """
    import numpy as np

    masks, multiplier = _masks(), np.uint64(_MULTIPLIER)
    windows = np.ndarray(len(text) - _WIDTH + 1, "<u8", text, strides=(1,))
    numbers: WordNumbers = (windows[starts] & masks[np.minimum(lengths, _WIDTH)]) * multiplier
    rest, done = np.flatnonzero(lengths > _WIDTH), _WIDTH
    while rest.size:
        part = windows[starts[rest] + done] & masks[np.minimum(lengths[rest] - done, _WIDTH)]
        numbers[rest] = (numbers[rest] ^ part) * multiplier
        done += _WIDTH
        rest = rest[lengths[rest] > done]
    return numbers


@cache
def _masks() -> WordNumbers:
    """What keeps the first so many bytes of a number, by how many."""
    import numpy as np

    return np.array([(1 << 8 * length) - 1 for length in range(_WIDTH + 1)], np.uint64)
