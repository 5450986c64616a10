"""ASQA (Stelmakh et al. 2022): ambiguous questions with two long answers and the readings they should cover."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.files import opened
from expound.errors import BadInput
from expound.types import Interpretation, Question


@dataclass(frozen=True)
class Asqa:
    """The official file, `{split: {id: question}}`, gzip or not."""

    path: Path
    split: str = "dev"

    def __iter__(self) -> Iterator[Question]:
        for id, row in self._rows().items():
            try:
                yield _question(id, row)
            except (KeyError, TypeError, AttributeError) as error:
                raise BadInput(f"{self.path}: question {id} is not in ASQA's layout ({_reason(error)})") from error

    def _rows(self) -> Mapping[str, Any]:
        splits = self._read()
        if not isinstance(splits, dict) or not all(isinstance(rows, dict) for rows in splits.values()):
            raise BadInput(f"{self.path} is not an ASQA file: expected {{split: {{id: question}}}}")
        if self.split not in splits:
            raise BadInput(f"{self.path} has no split {self.split!r}; it has: {', '.join(splits) or 'none'}")
        rows: Mapping[str, Any] = splits[self.split]
        return rows

    def _read(self) -> Any:
        try:
            with opened(self.path) as file:
                return json.load(file)
        except (json.JSONDecodeError, RecursionError) as error:
            raise BadInput(f"{self.path} is not JSON ({error})") from error


def _question(id: str, row: Mapping[str, Any]) -> Question:
    return Question(
        id=id,
        text=_text(row["ambiguous_question"]),
        references=tuple(_text(annotation["long_answer"]) for annotation in row["annotations"]),
        interpretations=tuple(
            Interpretation(_text(pair["question"]), tuple(_text(answer) for answer in pair["short_answers"]))
            for pair in row["qa_pairs"]
        ),
        meta={"wikipages": row["wikipages"]} if "wikipages" in row else {},
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, found {json.dumps(value)[:40]}")
    return value


def _reason(error: Exception) -> str:
    return f"no {error.args[0]!r}" if isinstance(error, KeyError) else str(error)
