"""Anyone's own questions: one JSON object a line (layout `qa`)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.datasets.files import opened
from expound.errors import BadInput, BadRecord
from expound.types import Interpretation, Passage, Question


@dataclass(frozen=True)
class Qa:
    """Lines of `{"id"?, "question", "references"?, "interpretations"?, "evidence"?, "meta"?}`, gzip or not."""

    path: Path

    def __iter__(self) -> Iterator[Question]:
        first_lines: dict[str, int] = {}
        with opened(self.path) as file:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                question = self._question(number, line)
                if question.id in first_lines:
                    raise self._bad(number, f"the id {question.id!r} is already on line {first_lines[question.id]}")
                first_lines[question.id] = number
                yield question
        if not first_lines:
            raise BadInput(f"{self.path} has no questions")

    def _question(self, number: int, line: str) -> Question:
        try:
            return _read_question(json.loads(line))
        except json.JSONDecodeError as error:
            raise self._bad(number, f"not JSON ({error})") from error
        except (ValueError, RecursionError) as error:
            raise self._bad(number, str(error)) from error

    def _bad(self, number: int, problem: str) -> BadRecord:
        return BadRecord(f"{self.path}, line {number}: {problem}")


def question_id(question: str) -> str:
    """The id of a question that was given none."""
    return hashlib.sha256(question.encode()).hexdigest()[:12]


def _read_question(row: object) -> Question:
    text = _text(row, "question")
    return Question(
        id=_text(row, "id", default=question_id(text)),
        text=text,
        references=_texts(row, "references"),
        interpretations=tuple(
            Interpretation(_text(item, "question"), _texts(item, "answers")) for item in _list(row, "interpretations")
        ),
        evidence=tuple(_read_passage(item) for item in _list(row, "evidence")),
        meta=_meta(row),
    )


def _read_passage(row: object) -> Passage:
    return Passage(id=_text(row, "id"), text=_text(row, "text"), title=_text(row, "title", default=""), meta=_meta(row))


def _text(row: object, key: str, *, default: str | None = None) -> str:
    value = _get(row, key)
    if value is None and default is not None:
        return default
    if not isinstance(value, str) or (not value.strip() and default is None):
        raise ValueError(f"{key!r} must be text, found {_shown(value)}")
    return value


def _texts(row: object, key: str) -> tuple[str, ...]:
    values = _list(row, key)
    wrong = [value for value in values if not isinstance(value, str)]
    if wrong:
        raise ValueError(f"{key!r} must hold texts, found {_shown(wrong[0])}")
    return tuple(values)


def _list(row: object, key: str) -> list[Any]:
    value = _get(row, key)
    if value is not None and not isinstance(value, list):
        raise ValueError(f"{key!r} must be a list, found {_shown(value)}")
    return value or []


def _meta(row: object) -> dict[str, Any]:
    value = _get(row, "meta")
    if value is not None and not isinstance(value, dict):
        raise ValueError(f"'meta' must be an object, found {_shown(value)}")
    return value or {}


def _get(row: object, key: str) -> Any:
    if not isinstance(row, dict):
        raise ValueError(f"expected an object, found {_shown(row)}")
    return row.get(key)


def _shown(value: object) -> str:
    return "nothing" if value is None else json.dumps(value)[:40]
