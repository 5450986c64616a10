"""ASQA's Table 5 (Stelmakh et al. 2022): do metrics rank systems as people do? From its Tables 3 and 4, and ALCE's."""

from __future__ import annotations

from expound.errors import UserError
from expound.meta.evaluation import LENGTH, Meta, meta
from expound.meta.meta_rows import ALL
from expound.meta.meta_rows import SYSTEMS as OF_SYSTEMS
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import in_percent
from expound.recipes.printing import Column, measured_column, most_counted, name_column, published_column, table_of
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


_CHECKS = "checks of correctness"
_ELSEWHERE = {LENGTH: LENGTH, _CHECKS: "Released(score='correctness')"}
"""What can be had of the answers in ALCE's file, by column."""
_NO_FILE = "needs ALCE's judgments of utility: name their file behind the recipe"
_UTILITY = "not in the paper: people's marks for ALCE's answers, the checks are those of its file"


def read_utility(given: Ingredients) -> Meta | None:
    """ALCE's file held against what it has itself, where it was named."""
    return meta([f"alce-utility:{given.files[0]}"], [_ELSEWHERE[_CHECKS]]) if given.files else None


def correlate(utility: Meta | None, row: Row) -> Values:
    """Pearson's r in percent of a judgment with each metric, over systems."""
    if not isinstance(row.how, str):
        return {name: _of_printed(row.how, values) for name, values in _AUTOMATED.items()}
    if utility is None:
        raise UserError(_NO_FILE)
    measured = {one.metric: one for one in utility.of("alce-utility", OF_SYSTEMS, row.how)}
    return {
        name: in_percent(Figure(one.value, one.low, one.high, one.n))
        for name, spec in _ELSEWHERE.items()
        if (one := measured.get(spec))
    }


def _of_printed(people: tuple[float, ...], metric: tuple[float, ...]) -> Figure:
    import numpy as np

    # Systems are drawn, six of them: that is all the evidence the paper's correlations rest on.
    return in_percent(correlation_of_few(np.array(metric), np.array(people)))


def _both_columns(name: str) -> tuple[Column, Column]:
    return published_column(f"{name} published", name, digits=1), measured_column(f"{name} measured", name)


RECIPE = Recipe(
    name="asqa-table5",
    title="ASQA, Table 5: correlation of metrics with people over systems, from the paper's Tables 3 and 4, and ALCE's",
    more_files=("ALCE's judgments of utility (layout alce-utility)",),
    rows=(
        *(Row(name, dict(zip(_AUTOMATED, _PUBLISHED[name], strict=True)), values) for name, values in PEOPLE.items()),
        Row("utility, ALCE's systems", how=ALL, why=_UTILITY),
        Row("utility, ALCE's systems on ASQA", how="domain asqa", why=_UTILITY),
        Row("our systems", why="nobody voted on their answers: expound study new --form asqa-pairwise asks people"),
    ),
    prepare=read_utility,
    run_row=correlate,
    tables=table_of(
        name_column("row"),
        *(column for name in _AUTOMATED for column in _both_columns(name)),
        *map(measured_column, _ELSEWHERE),
        Column("n", most_counted),
        Column("note", lambda finding: finding.row.why),
    ),
    why="The paper's rows are computed from what it prints of six systems, so they differ by rounding; the votes of "
    "its Table 4 were not released. n counts systems.",
)
