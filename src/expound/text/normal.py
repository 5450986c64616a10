"""Normalise short answers as SQuAD, KILT, AmbigQA and ASQA do, and look for them in a text."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from functools import lru_cache

_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)
# English articles only, as the official scorers have it.
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


@lru_cache(maxsize=1024)
def normalize_answer(text: str) -> str:
    """The text lower-cased, without ASCII punctuation and English articles, single-spaced (Rajpurkar et al. 2016)."""
    # Punctuation goes first, so "U.S." is "us" and "10,000" is "10000", as in the official scorers.
    bare = text.lower().translate(_WITHOUT_PUNCTUATION)
    return " ".join(_ARTICLE.sub(" ", bare).split())


def contains_answer(text: str, answers: Iterable[str]) -> bool:
    """Whether one of the aliases stands in the text, both normalised.

    Word boundaries play no part (*art* is found in *party*) and an alias that normalises to nothing is found
    everywhere: both follow ASQA's scorer.
    """
    haystack = normalize_answer(text)
    return any(normalize_answer(answer) in haystack for answer in answers)
