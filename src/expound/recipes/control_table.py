"""Tables of the audit's controls on published data: files in, rows out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from expound.errors import UserError
from expound.experiment import Report

Rows: TypeAlias = tuple[list[str], list[list[object]]]
"""Headings, and the rows beneath."""


@dataclass(frozen=True)
class ControlTable:
    """A table: which files it is made of, how, and why its numbers differ from the published ones."""

    name: str
    title: str
    files: tuple[str, ...]
    measure: Callable[[Sequence[Path], Report | None], Rows]
    why: str = ""


def measured(table: ControlTable, files: Sequence[Path], report: Report | None = None) -> Rows:
    """The table's rows; too few or too many files are refused with what is needed."""
    if len(files) != len(table.files):
        raise UserError(f"the recipe {table.name} needs {len(table.files)} files: {', '.join(table.files)}")
    return table.measure(files, report)
