"""Findings as tables and as JSON: published and measured values side by side, each with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from expound.recipes.findings import Finding, WithInterval

Sheet: TypeAlias = tuple[list[str], list[list[object]]]
"""Headings, and the rows beneath."""
Tables: TypeAlias = Callable[[Sequence[Finding]], list[Sheet]]


@dataclass(frozen=True)
class Column:
    """A heading, and what stands below it in the row of a finding."""

    heading: str
    cell: Callable[[Finding], object]


def name_column(heading: str) -> Column:
    """The names of the rows."""
    return Column(heading, lambda finding: finding.row.name)


def published_column(heading: str, name: str, *, digits: int | None = None) -> Column:
    """What the paper has: as it is printed there, or in so many digits, as our own numbers beside it."""

    def cell(finding: Finding) -> object:
        value = finding.row.published.get(name, "")
        return f"{value:.{digits}f}" if digits is not None and isinstance(value, float) else value

    return Column(heading, cell)


def measured_column(heading: str, name: str = "", *, digits: int = 1) -> Column:
    """What we measure under a name, which is the heading's unless told otherwise."""
    return Column(heading, lambda finding: cell_of(finding.values.get(name or heading, ""), digits))


def count_column(name: str) -> Column:
    """Over how many the number of a name is; nothing where a row has none."""

    def cell(finding: Finding) -> object:
        value = finding.values.get(name)
        return value.n if isinstance(value, WithInterval) else ""

    return Column("n", cell)


def most_counted(finding: Finding) -> object:
    """Over how many questions a row is; nothing where it has no number."""
    # The most, since a metric that could not score some question has fewer than its neighbours.
    counts = [value.n for value in finding.values.values() if isinstance(value, WithInterval)]
    return max(counts, default=0) or ""


def sheet_of(columns: Sequence[Column], findings: Sequence[Finding]) -> Sheet:
    """Findings under headings."""
    headings = [column.heading for column in columns]
    return headings, [[column.cell(finding) for column in columns] for finding in findings]


def table_of(*columns: Column) -> Tables:
    """One table with always the same columns."""
    return lambda findings: [sheet_of(columns, findings)]


def all_measured(heading: str, *, digits: int = 1) -> Tables:
    """One table with every value under its own name, behind the names of the rows."""

    def tables(findings: Sequence[Finding]) -> list[Sheet]:
        # A dictionary keeps the order in which rows brought their values: columns stand where their first row has them.
        names = dict.fromkeys(name for finding in findings for name in finding.values)
        columns = [measured_column(name, digits=digits) for name in names]
        return [sheet_of([name_column(heading), *columns], findings)]

    return tables


def side_by_side(findings: Sequence[Finding]) -> list[Sheet]:
    """Row, name by name published and measured, n, and why they differ."""
    names = dict.fromkeys(name for finding in findings for name in (*finding.row.published, *finding.values))
    pairs = [
        column
        for name in names
        for column in (published_column(f"{name} published", name, digits=1), measured_column(f"{name} measured", name))
    ]
    columns = [name_column("row"), *pairs, Column("n", most_counted), Column("note", lambda item: item.row.why)]
    return [sheet_of(columns, findings)]


def cell_of(value: object, digits: int = 1) -> object:
    """A cell: a number with its interval in so many digits, a dash for what has none; all else as it is."""
    if not isinstance(value, WithInterval):
        return value
    if math.isnan(value.value):
        return "–"
    number = f"{value.value:.{digits}f}"
    # An interval needs two questions: a single one has a value and no edges.
    # In words beside a sign: "-95.7–-15.1" is read twice before it is understood.
    between = " to " if value.low < 0 else "–"
    return number if math.isnan(value.low) else f"{number} ({value.low:.{digits}f}{between}{value.high:.{digits}f})"


def finding_record(finding: Finding) -> dict[str, Any]:
    """A finding for programs."""
    row = finding.row
    return {"row": row.name, "published": row.published, "measured": finding.values, "note": row.why}


def json_value(value: object) -> Any:
    """A value as JSON has it: an interval as its edges, and nothing for what is not a number."""
    if isinstance(value, WithInterval):
        return json_value({"value": value.value, "low": value.low, "high": value.high, "n": value.n})
    if isinstance(value, Mapping):
        return {str(name): json_value(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(item) for item in value]
    # JSON has no such number, and programs of other languages refuse the word that Python writes for it.
    return None if isinstance(value, float) and math.isnan(value) else value
