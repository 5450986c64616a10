"""WikiEval's long answers of seven models: accuracy and informativeness by people, beside three model judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.fields import identifier, text
from expound.datasets.preferences import number_of, read_judged
from expound.types import Passage, Question, Rating

_CRITERIA = {"overall": "Human", "accuracy": "Human Accuracy", "informativeness": "Human Informativeness"}
# Kept beside the ratings, so that `Released` can hold a model judge that cannot be run here against people.
_RELEASED = ("GPT-4o", "Claude-3.5", "Gemini-2.0", "Rouge L", "BERT Score")


@dataclass(frozen=True)
class WikiEval:
    """Lines, or a list, of `{"id", "model", "question", "answer", "gt_answer", "Human", "Human Accuracy", …}`.

    `overall` is the sum of the two others, as released. `meta["scores"]` has what model judges and metrics gave.
    """

    path: Path

    def __iter__(self) -> Iterator[Rating]:
        return read_judged(self.path, "wikieval", _ratings)


def _ratings(row: Mapping[str, Any]) -> Iterator[Rating]:
    id, system = identifier(row["id"]), text(row["model"])
    context = (Passage(f"{id}-context", text(row["context"])),) if row.get("context") else ()
    question = Question(id, text(row["question"]), (text(row["gt_answer"]),), evidence=context)
    scores = {name: number_of(row[name]) for name in _RELEASED if row.get(name) is not None}
    for criterion, name in _CRITERIA.items():
        yield Rating(
            id=f"{id}-{system}-{criterion}",
            question=question,
            answer=text(row["answer"]),
            value=row[name],
            grade=number_of(row[name]),
            system=system,
            criterion=criterion,
            meta={"scores": scores},
        )
