"""Anyone's own questions: one JSON object a line (layout `qa`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expound.errors import BadInput, BadRecord
from expound.records import question_from, read_lines
from expound.types import Question


@dataclass(frozen=True)
class Qa:
    """Lines of `{"id"?, "question", "references"?, "interpretations"?, "evidence"?, "meta"?}`, gzip or not."""

    profile = "asqa"
    path: Path

    def __iter__(self) -> Iterator[Question]:
        # With the line of the first: "line 812 is already on line 40" can be mended, "two of one id" has to be searched
        # for.
        first_lines: dict[str, int] = {}
        for number, record in read_lines(self.path):
            question = self._question(number, record)
            if question.id in first_lines:
                raise self._bad(number, f"the id {question.id!r} is already on line {first_lines[question.id]}")
            first_lines[question.id] = number
            yield question
        if not first_lines:
            raise BadInput(f"{self.path} has no questions")

    def _question(self, number: int, record: Mapping[str, Any]) -> Question:
        try:
            _check(record)
            return question_from(record)
        except KeyError as error:
            raise self._bad(number, f"{error} is missing") from error
        except (TypeError, ValueError) as error:
            raise self._bad(number, str(error)) from error

    def _bad(self, number: int, problem: str) -> BadRecord:
        return BadRecord(f"{self.path}, line {number}: {problem}")


_MEANT = ("answer", "answers", "reference", "gold", "output", "long_answer", "gold_answer", "ground_truth")
"""Fields in which other files have the answer; in this layout they would be read over in silence."""


def _check(record: Mapping[str, Any]) -> None:
    """Refuse what would otherwise be read as something else: null as the word None, a text as a list of letters."""
    _need(record, "question", str)
    if not record["question"].strip():
        raise ValueError("'question' is empty")
    for key, kind in (("id", str), ("references", list), ("interpretations", list), ("evidence", list), ("meta", dict)):
        if key in record:
            _need(record, key, kind)
    _need_texts(record, "references")
    _refuse_other_names(record)
    for item in record.get("interpretations", ()):
        _need(item, "question", str)
        _need(item, "answers", list)
        _need_texts(item, "answers")
    for item in record.get("evidence", ()):
        _need(item, "id", str)
        _need(item, "text", str)


def _refuse_other_names(record: Mapping[str, Any]) -> None:
    # Whoever has references may keep an `answer` beside them: it is theirs and is not read.
    if "references" in record or "interpretations" in record:
        return
    if found := next((name for name in _MEANT if name in record), ""):
        raise ValueError(
            f"found {found!r}, did you mean 'references'? It is a list of texts; other fields go to 'meta'"
        )


def _need(record: object, key: str, kind: type) -> None:
    if not isinstance(record, dict):
        raise ValueError(f"expected an object with {key!r}, found {record!r:.40}")
    if not isinstance(record[key], kind):
        raise ValueError(f"{key!r} must be {_NAMES[kind]}, found {record[key]!r:.40}")


def _need_texts(record: Mapping[str, Any], key: str) -> None:
    wrong = [value for value in record.get(key, ()) if not isinstance(value, str)]
    if wrong:
        raise ValueError(f"{key!r} must hold texts, found {wrong[0]!r:.40}")


_NAMES: Mapping[type, str] = {str: "text", list: "a list", dict: "an object"}
