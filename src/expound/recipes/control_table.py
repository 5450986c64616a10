"""Tables of the audit's controls on published data: files in, rows out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from expound.errors import UserError
from expound.experiment import Report
from expound.recipes.dataset_plot import check_picture

Rows: TypeAlias = tuple[list[str], list[list[object]]]
"""Headings, and the rows beneath."""
Draw: TypeAlias = Callable[[Rows, Path], None]


@dataclass(frozen=True)
class ControlTable:
    """A table: which files it is made of, how, and why its numbers differ from the published ones."""

    name: str
    title: str
    files: tuple[str, ...]
    measure: Callable[[Sequence[Path], Report | None], Rows]
    why: str = ""
    draw: Draw | None = None
    """Make a picture of the rows, where they have one."""


def measured(table: ControlTable, files: Sequence[Path], report: Report | None = None) -> Rows:
    """The table's rows; too few or too many files are refused with what is needed."""
    if len(files) != len(table.files):
        raise UserError(f"the recipe {table.name} needs {len(table.files)} files: {', '.join(table.files)}")
    return table.measure(files, report)


def check_plot(table: ControlTable, path: Path | None) -> Draw | None:
    """What draws the table's rows into such a file; a table without a picture, or a file that is none, is refused."""
    if path is None:
        return None
    if table.draw is None:
        raise UserError(f"the recipe {table.name} has no picture: leave out --plot")
    check_picture(path)
    return table.draw
