"""What the readers of pairwise judgments share: rows to preferences, a bad row named, no id twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from expound.datasets.fields import WRONG, fields, reason
from expound.errors import BadInput, BadRecord
from expound.records import is_lines, read_json, read_lines
from expound.types import Preference

PreferencesFrom: TypeAlias = Callable[[Mapping[str, Any]], Iterable[Preference]]


def read_preferences(path: Path, layout: str, preferences_from: PreferencesFrom) -> Iterator[Preference]:
    """The judgments of JSON Lines or of a JSON list, in the order of the file."""
    seen: set[str] = set()
    for preference in _read(path, layout, preferences_from):
        if preference.id in seen:
            raise BadInput(f"{path}: two judgments have the id {preference.id!r}; keep one of them")
        seen.add(preference.id)
        yield preference
    if not seen:
        raise BadInput(f"{path} has no judgments")


def choice_of(value: object, choices: Mapping[Any, str]) -> str:
    """`a`, `b` or `tie` for what a file writes; any other value is refused."""
    if isinstance(value, bool) or value not in choices:
        raise ValueError(f"unknown choice {value!r:.40}; expected one of: {', '.join(map(str, choices))}")
    return choices[value]


def _read(path: Path, layout: str, preferences_from: PreferencesFrom) -> Iterator[Preference]:
    for number, row in _rows(path, layout):
        try:
            found = list(preferences_from(fields(row)))
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
