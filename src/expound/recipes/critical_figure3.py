"""Figure 3 of Xu et al. 2023: on how many pairs do two metrics prefer the same answer?"""

from __future__ import annotations

import math
from itertools import combinations

from expound import resources
from expound.meta.evaluation import LENGTH, Meta, meta
from expound.meta.scored import metric_resources
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import in_percent
from expound.recipes.shape import Ingredients, Recipe
from expound.resource_table import PUNKT
from expound.stats.proportions import share

_METRICS = {
    "ROUGE-L": "Rouge(kind='l')",
    "Self-BLEU": "SelfBleu(order=5, splitter='punkt')",
    "distinct words": "DistinctN(n=1)",
    "BERTScore by MiniLM": "MiniLmBertScore()",
    "Length": LENGTH,
}


def compare_metrics(given: Ingredients) -> Meta:
    """All metrics that can be had on both files; ROUGE and BERTScore only where there are references."""
    people = [f"xu2023:{given.files[0]}", f"qa-feedback:{given.files[1]}"]
    metrics = [spec for spec in _METRICS.values() if spec != LENGTH and not _list_missing(spec)]
    return meta(people, metrics, report=given.report)


def run_two(found: Meta, row: Row) -> Values:
    """The share of pairs that two metrics rank alike, in percent."""
    for missing in (name for metric in row.how for name in _list_missing(_METRICS[metric])):
        resources.path(missing)  # says which file is not there, and how to get it
    one, other = (found.alike.names.index(_METRICS[name]) for name in row.how)
    value, n = float(found.alike.shares[one, other]), int(found.alike.counts[one, other])
    if math.isnan(value):
        return {}
    return {"alike": in_percent(share(value * n, n))}


def _list_missing(spec: str) -> list[str]:
    # Length is in every meta-evaluation, and is called by its name there.
    return [] if spec == LENGTH else [name for name in metric_resources([spec]) if not resources.is_installed(name)]


RECIPE = Recipe(
    name="critical-figure3",
    title="Xu et al. 2023, Figure 3: pairs that two metrics rank alike, in percent",
    files=("the experts' judgments (layout xu2023)", "QA-Feedback's preferences"),
    resources=(PUNKT,),
    rows=(
        Row(
            "ROUGE and BERTScore",
            {"alike": 63.0},
            why="BERTScore needs RoBERTa's weights, which are not among the resources",
        ),
        *(
            Row(f"{one} and {other}", how=(one, other), why="the figure prints no number in the text")
            for one, other in combinations(_METRICS, 2)
        ),
    ),
    prepare=compare_metrics,
    run_row=run_two,
    why="Published for the pairs of WebGPT, Hurdles and the experts; of these only the experts' can be had, and "
    "QA-Feedback stands in. Where one metric has no preference, a pair counts half. Intervals take pairs for "
    "independent. As a picture: expound meta --html.",
)
