"""What a control hands over: verdicts, and the tables, plots and examples behind them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from expound.audit.numbers import Estimate
from expound.audit.verdict import Verdict

Run: TypeAlias = tuple[str, bool]
"""A stretch of text and whether it is to be marked."""


@dataclass(frozen=True, slots=True)
class ShownTable:
    """Rows under headings."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Plot:
    """Series of points over two axes: dots, or lines."""

    title: str
    x: str
    y: str
    series: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]
    is_line: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class ShownExample:
    """Something to read: parts with a label, whose runs may be marked."""

    title: str
    parts: tuple[tuple[str, tuple[Run, ...]], ...]


@dataclass(frozen=True)
class Section:
    """A control's findings."""

    name: str
    title: str
    verdicts: tuple[Verdict, ...] = ()
    tables: tuple[ShownTable, ...] = ()
    plots: tuple[Plot, ...] = ()
    examples: tuple[ShownExample, ...] = ()
    notes: tuple[str, ...] = field(default=())


def cell(estimate: Estimate, digits: int = 1) -> str:
    """A number and its interval as the cell of a table."""
    if estimate.value != estimate.value:  # not a number
        return "–"
    value = f"{estimate.value:.{digits}f}"
    return value if estimate.low != estimate.low else f"{value} ({estimate.low:.{digits}f}–{estimate.high:.{digits}f})"
