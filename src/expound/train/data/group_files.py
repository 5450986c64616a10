"""Groups as JSON Lines: a question with texts that answer it and texts that do not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeGuard

from expound.errors import BadInput, BadRecord
from expound.files import write_whole
from expound.records import read_lines


@dataclass(frozen=True)
class Group:
    """A question with right and wrong texts, as the model reads them; without right ones nothing here answers it."""

    question: str
    positives: tuple[str, ...]
    negatives: tuple[str, ...]
    origin: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """All of its texts, the right ones first."""
        return (*self.positives, *self.negatives)


def read_groups(paths: Sequence[Path]) -> list[Group]:
    """The groups of files of `question`, `positives`, `negatives` and, if known, `origin`."""
    return [group for path in paths for group in _groups_of(path)]


def write_groups(path: Path, groups: Iterable[Group]) -> None:
    """Write a file of groups."""
    with write_whole(path) as file:
        for group in groups:
            file.write(json.dumps(asdict(group), ensure_ascii=False) + "\n")


def _groups_of(path: Path) -> list[Group]:
    groups = [_group_from(record, path, number) for number, record in read_lines(path)]
    if not groups:
        raise BadInput(f"{path} has no groups")
    return groups


def _group_from(record: Mapping[str, Any], path: Path, number: int) -> Group:
    question, right, wrong = record.get("question"), record.get("positives"), record.get("negatives", [])
    if not isinstance(question, str) or not _are_texts(right) or not _are_texts(wrong):
        fields = "`question`, and `positives` and `negatives` as lists of texts"
        raise BadRecord(f"{path}, line {number}: a group has {fields}")
    # Wrong ones alone are welcome: they teach that nothing here answers.
    if not (right or wrong):
        raise BadRecord(f"{path}, line {number}: a group needs at least one text, right or wrong")
    return Group(question, tuple(right), tuple(wrong), str(record.get("origin", "")))


def _are_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)
