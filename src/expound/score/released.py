"""A score that a file of judgments has itself: of a model judge, or of a metric that cannot be run here."""

from __future__ import annotations

import math
from dataclasses import dataclass

from expound.types import Prediction, Question


@dataclass(frozen=True)
class Released:
    """The score under a name in `meta["scores"]` of what is judged; not a number where there is none."""

    score: str

    lacking = "no such score"
    is_looked_up = True

    @property
    def name(self) -> str:
        """Told with the score's own name."""
        return f"released_{self.score}"

    def count(self, question: Question, prediction: Prediction) -> float:
        """The number as it was released."""
        return float(prediction.meta.get("scores", {}).get(self.score, math.nan))
