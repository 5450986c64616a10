"""Length: how much a system writes, which every overlap metric has to be read against."""

from __future__ import annotations

from dataclasses import dataclass

from expound.types import Prediction, Question


@dataclass(frozen=True)
class Length:
    """Whitespace-separated words of the answer, as ASQA counts them. 0 upwards."""

    looks_at = ("length",)
    name = "length"

    def count(self, question: Question, prediction: Prediction) -> float:
        """The answer's words."""
        return float(len(prediction.answer.text.split()))
