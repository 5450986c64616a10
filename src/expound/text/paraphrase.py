"""Do two questions ask the same? A logistic regression fitted on sentence pairs (MRPC).

Of the features below, those of words help on MRPC, whose pairs were chosen for their common words, and hurt on
questions: the weights that come with the package are of the cosine alone, or of the Jaccard overlap where there are no
vectors.
`expound recipe hurdles-paraphrase` fits and measures all of them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from expound.text.answer_types import expected_type
from expound.text.words import content_stems

if TYPE_CHECKING:
    from expound.protocols import Numbers

FILE = Path(__file__).with_name("paraphrase.json")
FEATURES = ("jaccard", "containment", "length_ratio", "numbers_differ", "negation_differs", "cosine")
_NUMBER = re.compile(r"\d(?:[\d,.]*\d)?")
_NEGATION = re.compile(r"\b(?:not|no|never|without|nothing|none|cannot)\b|n['’]t\b", re.IGNORECASE)
# Only keeps the curvature from becoming singular where a feature is constant; it moves no weight that can be seen.
_RIDGE = 1e-3


@dataclass(frozen=True)
class ParaphraseScorer:
    """Weights of some features, and the scores from which two questions ask the same, or are on one topic.

    Questions for a short answer follow a few patterns ("Who sang …?"), so that more likeness is needed: `short`.
    """

    weights: Mapping[str, float]
    intercept: float
    threshold: float
    short: float
    topical: float

    def threshold_for(self, questions: Sequence[str]) -> float:
        """From which score on two of such questions ask the same: what most of them are decides."""
        return self.short if ask_for_short_answers(questions) else self.threshold

    def score(self, first: str, second: str, cosine: float = math.nan) -> float:
        """How likely the two say the same, 0 to 1."""
        values = dict(zip(FEATURES, features(first, second, cosine), strict=True))
        total = self.intercept + math.fsum(weight * values[name] for name, weight in self.weights.items())
        # Bounded: beyond sixty the exponential is 0 or overflows.
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))


def features(first: str, second: str, cosine: float = math.nan) -> tuple[float, ...]:
    """What the two texts share, in the order of `FEATURES`; the embedder's cosine is given."""
    a, b = (frozenset(_stems(text)) for text in (first, second))
    common, total = len(a & b), len(a | b)
    lengths = sorted((len(first.split()), len(second.split())))
    return (
        # Nothing in common of nothing: two empty questions do not ask the same.
        common / total if total else 0.0,
        common / min(len(a), len(b)) if a and b else 0.0,
        lengths[0] / lengths[1] if lengths[1] else 1.0,
        float(set(_NUMBER.findall(first)) != set(_NUMBER.findall(second))),
        float(bool(_NEGATION.search(first)) != bool(_NEGATION.search(second))),
        cosine,
    )


def ask_for_short_answers(questions: Sequence[str]) -> bool:
    """Whether most questions ask for a name, a date or a number and not for an explanation.

    >>> ask_for_short_answers(["Who sang it?", "When did it open?", "Why is it blue?"])
    True
    """
    return sum(expected_type(text) != "explanation" for text in questions) > len(questions) / 2


@lru_cache(maxsize=2)
def load_scorer(*, with_cosine: bool) -> ParaphraseScorer:
    """The fitted weights that come with the package: of the embedder's cosine, or of words where there is none."""
    record = json.loads(FILE.read_text(encoding="utf-8"))["with_cosine" if with_cosine else "words"]
    return ParaphraseScorer(**record)


def fit(rows: Numbers, labels: Numbers, *, rounds: int = 50) -> tuple[Numbers, float]:
    """Weights and intercept of a logistic regression by Newton's method, with a little ridge."""
    import numpy as np

    design = np.column_stack([rows, np.ones(len(rows))])
    weights = np.zeros(design.shape[1])
    for _ in range(rounds):
        chance = 1 / (1 + np.exp(-design @ weights))
        slope = design.T @ (labels - chance) - _RIDGE * weights
        curvature = (design * (chance * (1 - chance))[:, None]).T @ design + _RIDGE * np.eye(len(weights))
        step = np.linalg.solve(curvature, slope)
        weights += step
        # Newton's method doubles the right digits with each step: fifty rounds are a bound, not a plan.
        if float(np.abs(step).max()) < 1e-9:
            break
    return weights[:-1], float(weights[-1])


@lru_cache(maxsize=50_000)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(content_stems(text))
