"""ALCE's human evaluation (Gao et al. 2023): how useful answers of four systems each are, from 1 to 5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import identifier, text
from expound.datasets.preferences import number_of, read_judged
from expound.types import Question, Rating


@dataclass(frozen=True)
class AlceUtility:
    """Lines, or a list, of `{"id", "question", "output", "utility_score", "dataset", "system"}`.

    One unnamed rater an answer. `meta["scores"]` has the share of the released automatic checks that the answer passed.
    """

    path: Path

    def __iter__(self) -> Iterator[Rating]:
        return read_judged(self.path, "alce-utility", _ratings)


def _ratings(row: Mapping[str, Any]) -> Iterator[Rating]:
    dataset, system, id = text(row["dataset"]), text(row["system"]), identifier(row["id"])
    utility = number_of(row["utility_score"])
    yield Rating(
        id=f"{dataset}-{id}-{system}",
        question=Question(f"{dataset}-{id}", text(row["question"])),
        answer=text(row["output"]),
        value=row["utility_score"],
        grade=utility,
        # With the dataset that it begins with: one model on two of them is two systems, as the file has it.
        system=system.replace(".json", ""),
        criterion="utility",
        domain=dataset,
        meta={"scores": _automatic(row.get("automatic_correctness_scores"))},
    )


def _automatic(passed: object) -> dict[str, float]:
    return {"correctness": sum(map(bool, passed)) / len(passed)} if isinstance(passed, list) and passed else {}
