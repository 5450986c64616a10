"""How far raters agree with each other: shares, kappas, alphas, and each rater by themselves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from expound.agreement.labels import Labels, categories_of, counts_of, majority
from expound.stats import alpha, kappa
from expound.stats.proportions import NOTHING, Figure, pooled_figure, ratio

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers


@dataclass(frozen=True, slots=True)
class RaterPair:
    """Two raters and Cohen's kappa on what both judged."""

    one: str
    other: str
    kappa: Figure


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on the units that two or more raters judged.

    `pairwise` is the share of pairs of raters that agree over all units, `observed` the mean of that share over units.
    `split` units have no majority. `alpha` is by level of measurement, `cohen` by pair of raters.
    """

    units: int
    unanimous: int
    split: int
    pairwise: Figure
    observed: Figure
    fleiss: Figure
    randolph: Figure
    alpha: dict[str, Figure]
    cohen: tuple[RaterPair, ...]


@dataclass(frozen=True, slots=True)
class Reliability:
    """One rater against the others: the share of pairs of judgments that agree, and the mean of Cohen's kappas.

    `alpha_without` is the alpha of all others: if it is higher than that of all, this rater is one to talk to.
    """

    rater: str
    judgments: int
    agreement: Figure
    kappa: float
    alpha_without: float


def agreement(labels: Labels, *, categories: Sequence[Any] = (), seed: int, samples: int = 1000) -> Agreement:
    """Every figure of agreement; `categories` are those offered, where not all of them were used."""
    categories = categories or categories_of(labels)
    counts = counts_of(labels, categories)
    pools = {"nominal": alpha.nominal, **_number_levels(categories)}

    def figure(pool: Any, of: Numbers = counts) -> Figure:
        return pooled_figure(of, pool, seed=seed, samples=samples)

    return Agreement(
        units=len(counts),
        # `initial`, since a study in which nobody has judged yet has no category, and nothing no largest.
        unanimous=int((counts.max(axis=1, initial=0) == counts.sum(axis=1)).sum()),
        split=sum(majority(said) is None for said in labels.values() if said),
        pairwise=figure(ratio, kappa.agreeing_pairs(counts)),
        observed=figure(kappa.observe_agreement),
        fleiss=figure(kappa.fleiss),
        # Beside Fleiss, whose kappa is low where nearly all say the same: agreement is then nearly certain by chance.
        randolph=figure(kappa.randolph),
        alpha={level: figure(pool) for level, pool in pools.items()},
        cohen=tuple(RaterPair(one, other, figure(kappa.cohen, of)) for one, other, of in _pairs(labels, categories)),
    )


def reliabilities(labels: Labels, found: Agreement, *, seed: int, samples: int = 1000) -> list[Reliability]:
    """Each rater against the others, in order of their names."""
    raters = sorted({rater for said in labels.values() for rater in said})
    return [_reliability(rater, labels, found, seed=seed, samples=samples) for rater in raters]


def _reliability(rater: str, labels: Labels, found: Agreement, *, seed: int, samples: int) -> Reliability:
    import numpy as np

    said = [units for units in labels.values() if rater in units]
    # Less one on both sides: nobody is counted as agreeing with themselves.
    same = [(sum(label == units[rater] for label in units.values()) - 1, len(units) - 1) for units in said]
    shared = np.array([pair for pair in same if pair[1]], dtype=np.float64).reshape(-1, 2)
    kappas = [pair.kappa.value for pair in found.cohen if rater in (pair.one, pair.other)]
    # Two who only ever used one label have no kappa, and must not take that of the others along.
    defined = [value for value in kappas if not math.isnan(value)]
    return Reliability(
        rater=rater,
        judgments=len(said),
        agreement=pooled_figure(shared, ratio, seed=seed, samples=samples) if len(shared) else NOTHING,
        kappa=sum(defined) / len(defined) if defined else math.nan,
        alpha_without=_alpha_without(rater, labels),
    )


def _alpha_without(rater: str, labels: Labels) -> float:
    import numpy as np

    others = {unit: {name: said[name] for name in said if name != rater} for unit, said in labels.items()}
    counts = counts_of(others, categories_of(others))
    return float(alpha.nominal(counts, np.ones((1, len(counts))))[0]) if len(counts) else math.nan


def _number_levels(categories: Sequence[Any]) -> dict[str, Any]:
    """The levels of measurement that need numbers."""
    # Yes and no are numbers to Python, and have no distance between them.
    if not categories or any(isinstance(label, str | bool) for label in categories):
        return {}
    return {"ordinal": alpha.ordinal, "interval": alpha.interval_of(categories)}


def _pairs(labels: Labels, categories: Sequence[Any]) -> list[tuple[str, str, Numbers]]:
    """Every two raters with units in common, and the table of these for Cohen's kappa."""
    import numpy as np

    both: dict[tuple[str, str], list[tuple[int, int]]] = {}
    place = {label: number for number, label in enumerate(categories)}
    for said in labels.values():
        for one, other in combinations(sorted(said), 2):
            both.setdefault((one, other), []).append((place[said[one]], place[said[other]]))
    ones = np.eye(len(categories))
    return [(*pair, ones[np.array(places)].reshape(len(places), -1)) for pair, places in sorted(both.items())]
