"""ASQA's Table 5 (Stelmakh et al. 2022): do metrics rank systems as people do? From its own Tables 3 and 4."""

from __future__ import annotations

from collections.abc import Mapping

from expound.recipes.findings import Row, Values
from expound.recipes.intervals import in_percent
from expound.recipes.shape import Ingredients, Recipe
from expound.stats.clusters import correlation_of_few
from expound.stats.proportions import Figure

SYSTEMS = ("JPR@1", "T5 C", "T5 O-1", "T5 O-5", "HP-W/O-C", "HP-W/-C")
# Table 3, the systems of Table 4 in its order.
_AUTOMATED = {
    "ROUGE-L": (30.5, 33.5, 40.3, 43.0, 45.8, 49.4),
    "Disambig-F1": (25.8, 7.4, 21.2, 26.4, 39.0, 77.4),
    "DR": (28.1, 15.7, 29.2, 33.7, 42.3, 61.8),
}
# Table 4.
PEOPLE = {
    "ACC": (36.1, 8.4, 25.7, 28.0, 52.7, 94.3),
    "COMP": (44.4, 35.6, 36.7, 36.7, 60.0, 86.7),
    "FLUE": (42.2, 32.2, 38.9, 37.8, 66.7, 82.2),
    "HO": (37.8, 21.1, 41.1, 36.7, 74.4, 88.9),
}
# Table 5, its columns in the order of `_AUTOMATED`.
_PUBLISHED = {
    "ACC": (72.4, 99.4, 97.7),
    "COMP": (69.0, 96.4, 92.7),
    "FLUE": (76.4, 94.4, 94.4),
    "HO": (81.9, 92.9, 95.2),
}


def printed_tables(given: Ingredients) -> Mapping[str, tuple[float, ...]]:
    """What automated metrics give the six systems."""
    return _AUTOMATED


def correlate(automated: Mapping[str, tuple[float, ...]], row: Row) -> Values:
    """Pearson's r in percent of a judgment with each metric, over six systems."""
    return {name: _percent(row.how, values) for name, values in automated.items()}


def _percent(people: tuple[float, ...], metric: tuple[float, ...]) -> Figure:
    import numpy as np

    # Systems are drawn, six of them: that is all the evidence the paper's correlations rest on.
    return in_percent(correlation_of_few(np.array(metric), np.array(people)))


RECIPE = Recipe(
    name="asqa-table5",
    title="ASQA, Table 5: correlation of metrics with people over systems, from the paper's Tables 3 and 4",
    rows=tuple(
        Row(name, dict(zip(_AUTOMATED, _PUBLISHED[name], strict=True)), values) for name, values in PEOPLE.items()
    ),
    prepare=printed_tables,
    run_row=correlate,
    why="Computed from what the paper prints of six systems, so it differs by rounding. The votes of Table 4 were not "
    "released: our own systems have none to correlate with.",
)
