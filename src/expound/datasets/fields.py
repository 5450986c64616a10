"""What the readers of benchmark files share: a record of the wrong shape is named, never read as something else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from expound.errors import BadInput, BadRecord
from expound.records import is_lines, read_json, read_lines
from expound.types import Question

QuestionFrom: TypeAlias = Callable[[Mapping[str, Any]], Question]

Left = TypeVar("Left")
Right = TypeVar("Right")

WRONG = (KeyError, TypeError, ValueError, AttributeError)
"""What reading a record of another layout raises."""


def text(value: object) -> str:
    """The value, which must be a text."""
    if not isinstance(value, str):
        raise TypeError(f"expected text, found {_show_value(value)}")
    return value


def texts(value: object) -> tuple[str, ...]:
    """The value as a tuple of texts; it must be a list of them."""
    return tuple(text(item) for item in items(value))


def items(value: object) -> list[Any]:
    """The value, which must be a list: a text would be read letter by letter without a complaint."""
    if not isinstance(value, list):
        raise TypeError(f"expected a list, found {_show_value(value)}")
    return value


def side_by_side(left: Sequence[Left], right: Sequence[Right]) -> Iterator[tuple[Left, Right]]:
    """Two lists that belong together, such as sentences and their labels: one that is shorter would shift the other."""
    if len(left) != len(right):
        raise ValueError(f"expected {len(left)} values, found {len(right)}")
    return zip(left, right, strict=True)


def fields(value: object) -> Mapping[str, Any]:
    """The value, which must be an object."""
    if not isinstance(value, dict):
        raise TypeError(f"expected an object, found {_show_value(value)}")
    return value


def identifier(value: object) -> str:
    """An id as text: whole numbers are taken too, since some files write them so."""
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":  # True is an int to Python
        raise TypeError(f"expected an id, found {_show_value(value)}")
    return str(value)


def reason(error: Exception) -> str:
    """What one of the `WRONG` errors says, in words."""
    # A KeyError prints its key alone, which reads as if the key were what is wrong.
    return f"no {error.args[0]!r}" if isinstance(error, KeyError) else str(error)


def from_lines(path: Path, layout: str, question_from: QuestionFrom) -> Iterator[Question]:
    """The questions of a JSON Lines file."""
    return unique(_read(read_lines(path), f"{path}, line", layout, question_from), path)


def from_list(path: Path, layout: str, question_from: QuestionFrom) -> Iterator[Question]:
    """The questions of a JSON list, or of JSON Lines where the file has these."""
    # By looking into the file, since both are called `.json`.
    if is_lines(path):
        return from_lines(path, layout, question_from)
    rows = read_json(path)
    if not isinstance(rows, list):
        raise BadInput(f"{path} is not in the layout {layout}: expected a list of questions")
    return unique(_read(enumerate(rows, start=1), f"{path}, record", layout, question_from), path)


def _read(
    rows: Iterable[tuple[int, object]], where: str, layout: str, question_from: QuestionFrom
) -> Iterator[Question]:
    for number, row in rows:
        try:
            yield question_from(fields(row))
        except WRONG as error:
            # Number and reason: a file of a million lines cannot be searched by eye.
            raise BadRecord(f"{where} {number}: not in the layout {layout} ({reason(error)})") from error


def unique(questions: Iterable[Question], path: Path) -> Iterator[Question]:
    """The questions, refused when two have the same id or there is none."""
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise BadInput(f"{path}: two questions have the id {question.id!r}; keep one of them")
        seen.add(question.id)
        yield question
    # An empty file is mostly the wrong one.
    if not seen:
        raise BadInput(f"{path} has no questions")


def distinct(values: Sequence[str]) -> tuple[str, ...]:
    """The values without repetitions, in their order."""
    return tuple(dict.fromkeys(values))


def _show_value(value: object) -> str:
    # Enough to see what it is; a value may be a whole document.
    return json.dumps(value, ensure_ascii=False)[:40]
