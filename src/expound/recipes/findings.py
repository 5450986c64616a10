"""Rows of a table with what a paper prints in them, and with what we measure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias, runtime_checkable

from expound.errors import UserError

Values: TypeAlias = Mapping[str, object]
"""What is measured of a row, by name: numbers with their intervals, counts, words."""


@dataclass(frozen=True)
class Row:
    """A row of a table; one that cannot be run here has a reason in place of a how."""

    name: str
    published: Mapping[str, float | str] = field(default_factory=dict)
    how: Any = None
    """What it takes to measure this row: each recipe knows its own."""
    why: str = ""


@dataclass(frozen=True)
class Finding:
    """A row with what came out; nothing where it was not run."""

    row: Row
    values: Values = field(default_factory=dict)


@runtime_checkable
class WithInterval(Protocol):
    """A number over so many, and its 95 % interval: a metric's result, a figure, an estimate."""

    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def n(self) -> int: ...


def run_rows(rows: Iterable[Row], run_row: Callable[[Row], Values]) -> list[Finding]:
    """Measure row by row; a row that is refused keeps the reason, unless all of them are."""
    findings: list[Finding] = []
    refused: list[UserError] = []
    for row in rows:
        try:
            findings.append(Finding(row, run_row(row) if row.how is not None else {}))
        except UserError as error:  # what this row lacks, such as vectors, others may do without
            refused.append(error)
            findings.append(Finding(replace(row, why=f"not run: {error}")))
    # A table of nothing but reasons is a mistake of whoever asked for it, and is told as one.
    if refused and not any(finding.values for finding in findings):
        raise refused[0]
    return findings


def numbers_of(findings: Sequence[Finding], name: str) -> list[tuple[str, WithInterval]]:
    """The rows that have a number of this name with its interval."""
    found = ((finding.row.name, finding.values.get(name)) for finding in findings)
    return [(row, value) for row, value in found if isinstance(value, WithInterval)]
