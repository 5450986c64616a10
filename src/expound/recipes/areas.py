"""The area under the curve of scores that should tell two classes apart, with its interval over questions."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from expound.recipes.intervals import SEED
from expound.stats.proportions import NOTHING, Figure, pooled_figure

if TYPE_CHECKING:
    from expound.protocols import Numbers


def area_figure(scores: Sequence[float], is_true: Sequence[bool], units: Sequence[Hashable]) -> Figure:
    """The chance that a true one is scored above another; for the interval, units are drawn with all that is theirs."""
    return pooled_figure(wins(scores, is_true, units), area, seed=SEED) if scores else NOTHING


def area_of(scores: Sequence[float], is_true: Sequence[bool]) -> float:
    """The same without an interval; not a number where one class is missing."""
    import numpy as np

    return float(area(wins(scores, is_true, [0] * len(scores)), np.ones((1, 1)))[0]) if scores else math.nan


def wins(scores: Sequence[float], is_true: Sequence[bool], units: Sequence[Hashable]) -> Numbers:
    """A row a unit: how often its true ones are above the others of each unit, a tie as a half; then both counts."""
    import numpy as np

    places = {unit: place for place, unit in enumerate(dict.fromkeys(units))}
    of = np.array([places[unit] for unit in units])
    truth, values = np.array(is_true, dtype=bool), np.array(scores)
    sides = [np.zeros((len(places), int(side.sum()))) for side in (truth, ~truth)]
    for matrix, side in zip(sides, (truth, ~truth), strict=True):
        # A row a unit with ones at its members: a product then sums over units.
        matrix[of[side], np.arange(int(side.sum()))] = 1
    above = values[truth][:, None] - values[~truth][None, :]
    won = sides[0] @ ((above > 0) + 0.5 * (above == 0)) @ sides[1].T
    return np.hstack([won, sides[0].sum(1, keepdims=True), sides[1].sum(1, keepdims=True)])


def area(counts: Numbers, weights: Numbers) -> Numbers:
    """The pool: units counted as often as they are drawn; not a number where one class is missing."""
    import numpy as np

    won = ((weights @ counts[:, :-2]) * weights).sum(1)
    # A resample may lack one class.
    with np.errstate(invalid="ignore", divide="ignore"):
        share: Numbers = won / ((weights @ counts[:, -2]) * (weights @ counts[:, -1]))
    return share
