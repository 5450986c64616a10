"""Does the evidence hold an answer at all? If not, saying so is the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from expound.plugins import spec_text
from expound.text.words import content_stems, coverage
from expound.types import Evidence, ScoredSentence

_YEAR = re.compile(r"\b[12]\d{3}\b")
# A capital within a sentence: the first word of a question has one anyway.
_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w’'-]+")


@dataclass(frozen=True, repr=False)
class Support:
    """When articles hold an answer: signs and their weights (recipes/LOG.md, "Abstaining")."""

    threshold: float = 0.62
    """The fit from which on an answer is given; the cosine alone was best at 0.64, and misjudged more."""
    sentences: int = 5
    """How many of the best sentences are heard."""
    coverage: float = 0.2
    """Of the share of the question's words that the best sentence says, over the usual share."""
    usual_coverage: float = 0.75
    confidence: float = 0.15
    """Of the ranker's confidence, over one half."""
    missing_name: float = 0.06
    """Lost when the question names what no passage mentions: another country, another character."""
    missing_year: float = 0.2
    """Lost when its year stands nowhere: the same event of another year is no answer."""

    __repr__ = spec_text


SUPPORT = Support()


def is_supported(
    question: str,
    ranked: Sequence[ScoredSentence],
    evidence: Sequence[Evidence],
    weights: Support = SUPPORT,
) -> bool:
    """Whether the best sentences speak of what the question asks for."""
    return support(question, ranked, evidence, weights) >= weights.threshold


def support(
    question: str,
    ranked: Sequence[ScoredSentence],
    evidence: Sequence[Evidence],
    weights: Support = SUPPORT,
) -> float:
    """How well the best sentence fits, less what the evidence leaves unmentioned."""
    best = ranked[: weights.sentences]
    if not best:
        return 0.0
    # A sentence is read under its title and heading: it need not repeat what they say.
    about = {item.number: f"{item.passage.title} {item.passage.source.heading}" for item in evidence}
    # Words, nearness and confidence may come from different
    # sentences: together they show what the evidence speaks of.
    covered = max(coverage(question, f"{about[sentence.number]} {sentence.text}") for sentence in best)
    fit = max(sentence.similarity for sentence in best) + weights.coverage * (covered - weights.usual_coverage)
    fit += weights.confidence * (max(sentence.confidence for sentence in best) - 0.5)
    said = _stems_of(evidence)
    # Once, however many are missing: a list of names that is half known may still be answered.
    fit -= weights.missing_name if _has_missing_name(question, said) else 0.0
    return fit - (weights.missing_year if any(year not in said for year in _YEAR.findall(question)) else 0.0)


def _stems_of(evidence: Sequence[Evidence]) -> set[str]:
    return {stem for item in evidence for stem in content_stems(f"{item.passage.title} {item.passage.text}")}


def _has_missing_name(question: str, said: set[str]) -> bool:
    """Whether the question names something that no passage mentions: another country, another character."""
    return any(stem not in said for name in _NAME.findall(question) for stem in content_stems(name))
