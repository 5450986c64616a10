"""In the place of a metric whose weights nobody has yet: what cannot be had is told, not dropped."""

from __future__ import annotations

import math
from dataclasses import dataclass

from expound.types import Prediction, Question


@dataclass(frozen=True, repr=False)
class Unavailable:
    """A row without a number: the metric's spec, why there is none, and its name."""

    spec: str
    lacking: str
    name: str = "unavailable"

    def __repr__(self) -> str:
        return self.spec

    def count(self, question: Question, prediction: Prediction) -> float:
        """Not a number."""
        return math.nan
