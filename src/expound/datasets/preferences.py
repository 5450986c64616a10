"""What the readers of human judgments share: rows to preferences or ratings, a bad row named, no id twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from expound.datasets.fields import WRONG, fields, reason
from expound.datasets.item_ids import rated_item, sides_of
from expound.errors import BadInput, BadRecord
from expound.records import is_lines, read_json, read_lines
from expound.types import Preference, Rating

Judged = TypeVar("Judged", Preference, Rating)


def read_judged(
    path: Path, layout: str, judged_from: Callable[[Mapping[str, Any]], Iterable[Judged]]
) -> Iterator[Judged]:
    """The judgments of JSON Lines or of a JSON list, in the order of the file."""
    return refuse_double(_refuse_same_ids(_read(path, layout, judged_from), path), path)


def refuse_double(judged: Iterable[Judged], path: Path) -> Iterator[Judged]:
    """The judgments; one person who judges one thing twice would have two votes, and is refused."""
    heard: set[tuple[object, ...]] = set()
    for judgment in judged:
        said = _who_on_what(judgment)
        # Where a file names nobody, two judgments are those of two people.
        if judgment.rater and said in heard:
            told = f"{judgment.rater!r} judged the same twice by {judgment.criterion!r}"
            raise BadInput(f"{path}: {told}, of {judgment.question.text!r:.60}; keep one of the two")
        heard.add(said)
        yield judgment


def choice_of(value: object, choices: Mapping[Any, str]) -> str:
    """`a`, `b` or `tie` for what a file writes; any other value is refused."""
    # True equals 1 in Python, and would be read as "the first answer".
    if isinstance(value, bool) or value not in choices:
        raise ValueError(f"unknown choice {value!r:.40}; expected one of: {', '.join(map(str, choices))}")
    return choices[value]


def grade_of(value: object, grades: Mapping[Any, float]) -> float:
    """The place on the scale of what a file writes; any other value is refused."""
    if value not in grades:
        raise ValueError(f"unknown value {value!r:.40}; expected one of: {', '.join(map(str, grades))}")
    return grades[value]


def number_of(value: object) -> float:
    """A number of a scale, which a text or yes is not."""
    # Neither yes nor "not a number": both would enter a mean without a sound.
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"expected a number, found {value!r:.40}")
    return float(value)


def name_writer(dataset: str, answer: str) -> str:
    """Who wrote a long answer of Xu et al. 2022 and of Potluri et al. 2023: the people of a dataset, or a model.

    An answer's id is the name of a model there only where the dataset is one of models; elsewhere every answer has its
    own, WebGPT's being people's demonstrations.
    """
    return answer if dataset.endswith("_MODEL") else f"human-{dataset}"


def _who_on_what(judgment: Preference | Rating) -> tuple[object, ...]:
    if isinstance(judgment, Rating):
        return judgment.rater, judgment.criterion, rated_item(judgment)
    return judgment.rater, judgment.criterion, judgment.question.id, *sides_of(judgment)


def _refuse_same_ids(judged: Iterable[Judged], path: Path) -> Iterator[Judged]:
    seen: set[str] = set()
    for one in judged:
        if one.id in seen:
            raise BadInput(f"{path}: two judgments have the id {one.id!r}; keep one of them")
        seen.add(one.id)
        yield one
    # An empty file is mostly the wrong one, and its agreement would be a division by nothing.
    if not seen:
        raise BadInput(f"{path} has no judgments")


def _read(path: Path, layout: str, judged_from: Callable[[Mapping[str, Any]], Iterable[Judged]]) -> Iterator[Judged]:
    place = "line" if is_lines(path) else "record"
    for number, row in _rows(path, layout):
        try:
            # Read whole before any of it is handed out: a row that breaks in its middle must not leave half of its
            # judgments.
            found = list(judged_from(fields(row)))
        except WRONG as error:
            raise BadRecord(f"{path}, {place} {number}: not in the layout {layout} ({reason(error)})") from error
        yield from found


def _rows(path: Path, layout: str) -> Iterable[tuple[int, object]]:
    if is_lines(path):
        return read_lines(path)
    content = read_json(path)
    if not isinstance(content, list):
        raise BadInput(f"{path} is not in the layout {layout}: expected a list of judgments, or one a line")
    return enumerate(content, start=1)
