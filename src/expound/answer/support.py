"""Does the evidence hold an answer at all? If not, saying so is the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from expound.text.words import content_stems, coverage
from expound.types import Evidence, ScoredSentence

THRESHOLD = 0.62
_LOOKED_AT = 5
_COVERAGE_WEIGHT = 0.2
_USUAL_COVERAGE = 0.75
_MISSING_NAME_COST = 0.06
_MISSING_YEAR_COST = 0.2
_CONFIDENCE_WEIGHT = 0.15
_YEAR = re.compile(r"\b[12]\d{3}\b")
_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w’'-]+")


def is_supported(question: str, ranked: Sequence[ScoredSentence], evidence: Sequence[Evidence]) -> bool:
    """Whether the best sentences speak of what the question asks for."""
    return support(question, ranked, evidence) >= THRESHOLD


def support(question: str, ranked: Sequence[ScoredSentence], evidence: Sequence[Evidence]) -> float:
    """How well the best sentence fits, less what the evidence leaves unmentioned."""
    best = ranked[:_LOOKED_AT]
    if not best:
        return 0.0
    about = {item.number: f"{item.passage.title} {item.passage.source.heading}" for item in evidence}
    covered = max(coverage(question, f"{about[sentence.number]} {sentence.text}") for sentence in best)
    fit = max(sentence.similarity for sentence in best) + _COVERAGE_WEIGHT * (covered - _USUAL_COVERAGE)
    fit += _CONFIDENCE_WEIGHT * (max(sentence.confidence for sentence in best) - 0.5)
    said = _stems_of(evidence)
    fit -= _MISSING_NAME_COST if _has_missing_name(question, said) else 0.0
    return fit - (_MISSING_YEAR_COST if any(year not in said for year in _YEAR.findall(question)) else 0.0)


def _stems_of(evidence: Sequence[Evidence]) -> set[str]:
    return {stem for item in evidence for stem in content_stems(f"{item.passage.title} {item.passage.text}")}


def _has_missing_name(question: str, said: set[str]) -> bool:
    """Whether the question names something that no passage mentions: another country, another character."""
    return any(stem not in said for name in _NAME.findall(question) for stem in content_stems(name))
