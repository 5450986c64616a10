"""What the readers of human judgments share: rows to preferences or ratings, a bad row named, no id twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from expound.datasets.fields import WRONG, fields, reason
from expound.errors import BadInput, BadRecord
from expound.records import is_lines, read_json, read_lines
from expound.types import Preference, Rating

Judged = TypeVar("Judged", Preference, Rating)


def read_judged(
    path: Path, layout: str, judged_from: Callable[[Mapping[str, Any]], Iterable[Judged]]
) -> Iterator[Judged]:
    """The judgments of JSON Lines or of a JSON list, in the order of the file."""
    seen: set[str] = set()
    for judged in _read(path, layout, judged_from):
        if judged.id in seen:
            raise BadInput(f"{path}: two judgments have the id {judged.id!r}; keep one of them")
        seen.add(judged.id)
        yield judged
    # An empty file is mostly the wrong one, and its agreement would be a division by nothing.
    if not seen:
        raise BadInput(f"{path} has no judgments")


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


def _read(path: Path, layout: str, judged_from: Callable[[Mapping[str, Any]], Iterable[Judged]]) -> Iterator[Judged]:
    for number, row in _rows(path, layout):
        try:
            # Read whole before any of it is handed out: a row that breaks in its middle must not leave half of its
            # judgments.
            found = list(judged_from(fields(row)))
        except WRONG as error:
            raise BadRecord(f"{path}, record {number}: not in the layout {layout} ({reason(error)})") from error
        yield from found


def _rows(path: Path, layout: str) -> Iterable[tuple[int, object]]:
    if is_lines(path):
        return read_lines(path)
    content = read_json(path)
    if not isinstance(content, list):
        raise BadInput(f"{path} is not in the layout {layout}: expected a list of judgments, or one a line")
    return enumerate(content, start=1)
