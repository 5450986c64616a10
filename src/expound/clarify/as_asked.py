"""No readings: the question as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expound.types import Evidence, Interpretation


@dataclass(frozen=True)
class AsAsked:
    """Takes every question as it was asked: for baselines that make nothing of readings."""

    def clarify(self, question: str, evidence: Sequence[Evidence]) -> list[Interpretation]:
        """Never any."""
        return []
