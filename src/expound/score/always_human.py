"""Always human: the baseline that prefers what a person wrote."""

from __future__ import annotations

from dataclasses import dataclass

from expound.types import Prediction, Question

_HUMAN = "human"


@dataclass(frozen=True)
class AlwaysHuman:
    """1 for an answer whose system is called human, or begins so, else 0 (Xu et al. 2023's baseline)."""

    looks_at = ("system",)
    name = "always_human"

    def count(self, question: Question, prediction: Prediction) -> float:
        """Whether a person wrote it, as far as the record says."""
        return float(prediction.system.startswith(_HUMAN))
