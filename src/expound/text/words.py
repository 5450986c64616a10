"""Content words, their stems, and how much of a question they cover."""

from __future__ import annotations

import re
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


def content_stems(text: str) -> list[str]:
    """The stems of the content words, in order of first appearance."""
    words = (word.lower().removesuffix("'s").removesuffix("’s") for word in _WORD.findall(text))
    return list(dict.fromkeys(_stem(word) for word in words if word not in STOP_WORDS))


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer():  # type: ignore[no-untyped-def]  # PyStemmer has no type information
    import Stemmer

    return Stemmer.Stemmer("english")
