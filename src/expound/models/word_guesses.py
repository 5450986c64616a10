"""What a writer makes of each word of an answer: words are the same for all tokenizers, tokens are not."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from dataclasses import dataclass

from expound.models.torch_writer import TorchWriter

_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class WordGuesses:
    """The words of an answer, the logarithm of each one's probability, and whether it was the first guess.

    A word is guessed if each of its tokens is the likeliest one after the right tokens before it.
    """

    words: tuple[str, ...]
    log_probabilities: tuple[float, ...]
    is_guessed: tuple[bool, ...]


def guess_words(writer: TorchWriter, source: str, answer: str) -> WordGuesses:
    """The words of an answer by what is given and the right words before each."""
    places = [match.span() for match in _WORD.finditer(answer)]
    ends = [end for _, end in places]
    parts: list[list[float]] = [[] for _ in places]
    right = [True] * len(places)
    for guess in writer.guess(source, answer):
        # By its last character: many tokens begin with the space before their word. White space alone is of the next.
        word = min(bisect_right(ends, guess.end - 1), len(places) - 1)
        parts[word].append(guess.log_probability)
        right[word] = right[word] and guess.token == guess.likeliest
    words = tuple(answer[start:end] for start, end in places)
    return WordGuesses(words, tuple(math.fsum(part) for part in parts), tuple(right))
