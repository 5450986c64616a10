"""Content words, their stems, and how much of a question they cover."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

STOP_WORDS = frozenset(
    """
    a about after all also am an and any are as at be been before being between both but by can could did do does doing
    down during each few for from further had has have having he her here hers him his how i if in into is it its itself
    just me more most much many my no nor not now of off on once one only or other our out over own same she should so
    some such than that the their them then there these they this those through to too under until up us very was we
    were what when where which while who whom whose why will with would you your
    """.split()
)

_WORD = re.compile(r"\w+(?:['’]\w+)?")
WHOLE_WORD = re.compile(r"\w+(?:['’]\w+)*+")
"""A word with all of its apostrophes."""


def content_stems(text: str) -> list[str]:
    """The stems of the content words, in order of first appearance."""
    words = (word.lower().removesuffix("'s").removesuffix("’s") for word in _WORD.findall(text))
    return list(dict.fromkeys(_stem(word) for word in words if word not in STOP_WORDS))


@lru_cache(maxsize=4096)
def lower_words(text: str) -> tuple[str, ...]:
    """The lower-cased words; punctuation is left out."""
    return tuple(WHOLE_WORD.findall(text.lower()))


def coverage(question: str, text: str) -> float:
    """Share of the question's content words that stand in the text."""
    wanted = content_stems(question)
    present = set(content_stems(text))
    return sum(stem in present for stem in wanted) / len(wanted) if wanted else 0.0


def centralities(texts: Sequence[str]) -> list[float]:
    """How much each text has in common with the others: the mean share of content words that two of them have."""
    stems = [frozenset(content_stems(text)) for text in texts]
    return [
        sum(_measure_shared(own, other) for position, other in enumerate(stems) if position != place)
        / max(1, len(stems) - 1)
        for place, own in enumerate(stems)
    ]


def stem_all(words: Sequence[str]) -> list[str]:
    """The stem of each word; for many words at once, few of which come again."""
    stems: list[str] = _stemmer().stemWords(words)
    return stems


def _measure_shared(one: frozenset[str], other: frozenset[str]) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common) if common else 0.0


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer():  # type: ignore[no-untyped-def]  # PyStemmer has no type information
    import Stemmer

    return Stemmer.Stemmer("english")
