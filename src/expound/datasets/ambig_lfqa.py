"""Systems compared two by two with ASQA's form, as averages over questions, without the answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import fields, text
from expound.datasets.preferences import number_of, read_judged
from expound.types import Question, Rating

_CRITERIA = {
    "overall": "Overall",
    "accuracy": "Accuracy",
    "comprehensiveness": "Comprehensiveness",
    "fluency": "Fluency",
}


@dataclass(frozen=True)
class AmbigLfqa:
    """Lines, or a list, of `{"comparison", "scores": {system: {"Accuracy", "Fluency", "Overall", …}}}`.

    The file has no texts: such ratings can be compared with each other, and no metric can be scored on them.
    """

    path: Path

    def __iter__(self) -> Iterator[Rating]:
        return read_judged(self.path, "ambig-lfqa", _ratings)


def _ratings(row: Mapping[str, Any]) -> Iterator[Rating]:
    comparison = text(row["comparison"])
    for system, scores in fields(row["scores"]).items():
        for criterion, name in _CRITERIA.items():
            yield Rating(
                id=f"{comparison}-{system}-{criterion}",
                # A comparison stands for a question: the averages are over all of them, and none is named.
                question=Question(comparison, ""),
                answer="",
                value=scores[name],
                grade=number_of(scores[name]),
                system=system,
                criterion=criterion,
            )
