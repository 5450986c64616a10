"""Do documents hold the answer at all? Learnt from questions whose page was there, and whose page was not."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from expound.text.titled import titled_passage
from expound.text.words import content_stems
from expound.types import Evidence

_LOOKED_AT = 3
_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w’'-]+")


@dataclass(frozen=True)
class Signs:
    """What tells an answer from a near miss, each between about 0 and 1."""

    best: float
    """Score of the best passage: its cosine with the question, and a little for shared words."""
    lead: float
    """How far the best passage is ahead of the fifth: an answer stands out, a topic does not."""
    covered: float
    """Share of the question's content words in the best three passages with their headings."""
    covered_by_one: float
    """The largest such share of a single one of them."""
    missing_names: float
    """Share of the names in the question that no passage mentions."""


@dataclass(frozen=True)
class Weights:
    """A logistic fit (recipes/LOG.md, "When documents do not answer")."""

    best: float = 6.0
    lead: float = 2.0
    covered: float = 2.0
    covered_by_one: float = 2.0
    missing_names: float = -1.0
    intercept: float = -5.0


def answerability(question: str, evidence: Sequence[Evidence], weights: Weights | None = None) -> float:
    """The probability that the evidence answers the question."""
    if not evidence:
        return 0.0
    weights = weights or Weights()
    signs = signs_of(question, evidence)
    logit = weights.intercept + sum(getattr(weights, name) * getattr(signs, name) for name in Signs.__annotations__)
    return 1 / (1 + math.exp(-logit))


def signs_of(question: str, evidence: Sequence[Evidence]) -> Signs:
    """The signs of a question and its evidence, best first."""
    best = evidence[:_LOOKED_AT]
    stems = [set(content_stems(titled_passage(item.passage))) for item in best]
    wanted = content_stems(question)
    said = {stem for item in evidence for stem in content_stems(titled_passage(item.passage))}
    fifth = evidence[min(4, len(evidence) - 1)].score
    return Signs(
        best=evidence[0].score,
        lead=evidence[0].score - fifth,
        covered=_share(wanted, set().union(*stems)),
        covered_by_one=max(_share(wanted, one) for one in stems),
        missing_names=_missing_names(question, said),
    )


def _share(wanted: Sequence[str], said: set[str]) -> float:
    return sum(stem in said for stem in wanted) / len(wanted) if wanted else 0.0


def _missing_names(question: str, said: set[str]) -> float:
    stems = [stem for name in _NAME.findall(question) for stem in content_stems(name)]
    return sum(stem not in said for stem in stems) / len(stems) if stems else 0.0
