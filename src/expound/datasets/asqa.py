"""ASQA (Stelmakh et al. 2022): ambiguous questions with two long answers and the readings they should cover."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.errors import BadInput
from expound.records import open_text
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
            with open_text(self.path) as file:
                return json.load(file)
        except FileNotFoundError as error:
            raise BadInput(f"no such file: {self.path}") from error
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{self.path} is not JSON in UTF-8 ({error})") from error
        except (OSError, EOFError, zlib.error) as error:
            raise BadInput(f"{self.path} cannot be read: {error}; fetch it again if it was cut short") from error


def _question(id: str, row: Mapping[str, Any]) -> Question:
    return Question(
        id=id,
        text=_text(row["ambiguous_question"]),
        references=tuple(_text(annotation["long_answer"]) for annotation in _list(row["annotations"])),
        interpretations=tuple(
            Interpretation(_text(pair["question"]), tuple(_text(answer) for answer in _list(pair["short_answers"])))
            for pair in _list(row["qa_pairs"])
        ),
        meta={"wikipages": row["wikipages"]} if "wikipages" in row else {},
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, found {json.dumps(value)[:40]}")
    return value


def _list(value: object) -> list[Any]:
    # A text would be read letter by letter without a complaint.
    if not isinstance(value, list):
        raise TypeError(f"expected a list, found {json.dumps(value)[:40]}")
    return value


def _reason(error: Exception) -> str:
    return f"no {error.args[0]!r}" if isinstance(error, KeyError) else str(error)
