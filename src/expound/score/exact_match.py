"""Exact match with NQ-open's short answers (Lee et al. 2019)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from expound.score.short_answers import exact
from expound.types import Prediction, Question


@dataclass(frozen=True)
class ExactMatch:
    """Whether the answer is one of the references, both normalised: 0 or 100; not a number without a reference.

    `first` looks at the first reference only: AmbigQA's Table 8 shows how much the others are worth.
    """

    first: bool = False

    @property
    def name(self) -> str:
        """`em_any` or `em_first`."""
        return "em_first" if self.first else "em_any"

    def count(self, question: Question, prediction: Prediction) -> float:
        """100 if it is."""
        if not question.references:
            return math.nan
        return 100.0 * exact(prediction.answer.text, question.references[:1] if self.first else question.references)
