"""ASQA (Stelmakh et al. 2022): ambiguous questions with two long answers and the readings they should cover."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.reading import WRONG, fields, items, reason, text, texts
from expound.errors import BadInput
from expound.records import read_json
from expound.types import Interpretation, Question


@dataclass(frozen=True)
class Asqa:
    """The official file, `{split: {id: question}}`, gzip or not; without a split its only one, or `dev`."""

    path: Path
    split: str = ""

    def __iter__(self) -> Iterator[Question]:
        for id, row in self._rows().items():
            try:
                yield _question(id, fields(row))
            except WRONG as error:
                raise BadInput(f"{self.path}: question {id} is not in ASQA's layout ({reason(error)})") from error

    def _rows(self) -> Mapping[str, Any]:
        splits = read_json(self.path)
        if not isinstance(splits, dict) or not splits or not all(isinstance(rows, dict) for rows in splits.values()):
            raise BadInput(f"{self.path} is not an ASQA file: expected {{split: {{id: question}}}}")
        split = self.split or (next(iter(splits)) if len(splits) == 1 else "dev")
        if split not in splits:
            raise BadInput(f"{self.path} has no split {split!r}; it has: {', '.join(splits)}")
        rows: Mapping[str, Any] = splits[split]
        if not rows:
            raise BadInput(f"{self.path} has no questions in its split {split!r}")
        return rows


def _question(id: str, row: Mapping[str, Any]) -> Question:
    return Question(
        id=id,
        text=text(row["ambiguous_question"]),
        references=tuple(text(annotation["long_answer"]) for annotation in items(row["annotations"])),
        interpretations=tuple(
            Interpretation(text(pair["question"]), texts(pair["short_answers"])) for pair in items(row["qa_pairs"])
        ),
        meta={"wikipages": row["wikipages"]} if "wikipages" in row else {},
    )
