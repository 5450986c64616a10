"""ASQA's Table 4 (Stelmakh et al. 2022): people's votes on six sets of answers, as far as the printed numbers tell."""

from __future__ import annotations

from collections.abc import Mapping

from expound.recipes.asqa_table5 import PEOPLE, SYSTEMS
from expound.recipes.findings import Finding, Row, Values
from expound.recipes.intervals import in_percent
from expound.recipes.printing import (
    Column,
    finding_record,
    measured_column,
    most_counted,
    name_column,
    published_column,
    table_of,
)
from expound.recipes.shape import Ingredients, Recipe
from expound.stats.proportions import Figure, share

_COMPARISONS = 45
"""Of each system: for each of 45 questions the six answers are split into three pairs."""
_VOTED = ("COMP", "FLUE", "HO")


def printed_votes(given: Ingredients) -> Mapping[str, Mapping[str, float]]:
    """What the paper prints, by system."""
    return {system: {name: values[place] for name, values in PEOPLE.items()} for place, system in enumerate(SYSTEMS)}


def count_points(printed: Mapping[str, Mapping[str, float]], row: Row) -> Values:
    """The points that a printed percentage stands for, and their interval; ACC is of readings nobody counted for us."""
    return {name: _figure(printed[row.how][name]) for name in _VOTED}


def _figure(percent: float) -> Figure:
    # A tie is half a point: percentages are of whole halves.
    return in_percent(share(round(2 * _COMPARISONS * percent / 100) / 2, _COMPARISONS))


def _columns(name: str) -> tuple[Column, Column]:
    # Nothing is measured here: the second column is arithmetic on the first.
    published = published_column(f"{name} published, %", name, digits=1)
    return published, measured_column(f"{name} as points of {_COMPARISONS}, %", name)


def _record(finding: Finding) -> Mapping[str, object]:
    record = finding_record(finding)
    return {f"points of {_COMPARISONS}, in percent" if name == "measured" else name: it for name, it in record.items()}


def _row(place: int, system: str) -> Row:
    return Row(system, {name: values[place] for name, values in PEOPLE.items()}, system, "votes not released")


RECIPE = Recipe(
    name="asqa-table4",
    title="ASQA, Table 4: people's votes, from the printed percentages",
    rows=tuple(_row(place, system) for place, system in enumerate(SYSTEMS)),
    prepare=printed_votes,
    run_row=count_points,
    tables=table_of(
        name_column("row"),
        published_column("ACC published, %", "ACC", digits=1),
        *(column for name in _VOTED for column in _columns(name)),
        Column("n", most_counted),
        Column("note", lambda finding: finding.row.why),
    ),
    record=lambda findings: list(map(_record, findings)),
    why="Neither the votes nor the answers of the six systems were released, so nothing can be measured anew: the "
    "points are counted back from the percentages, with Wilson's interval over 45 comparisons, one vote each. ACC has "
    "none: of how many readings it is, is not printed. The same columns for answers of your own: expound study new "
    "--form asqa-pairwise with people, expound judge --judge \"Rubric(by='asqa')\" with a text model.",
)
