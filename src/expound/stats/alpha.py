"""Krippendorff's alpha: agreement of any number of raters on nominal, ordinal or interval values, some missing.

alpha = 1 - observed disagreement / expected disagreement (Krippendorff 2011, "Computing Krippendorff's
Alpha-Reliability"): 1 is perfect, 0 is chance, below 0 is less than chance, and it is not a number where all values are
the same. Two values disagree by 1 (nominal), by the square of their difference (interval), or by the square of the
number of values between them (ordinal). A row of counts per item says how many raters gave each value; columns go in
the order of the values, and each item has two values or more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers
    from expound.stats.bootstrap import Pool


def nominal(counts: Numbers, weights: Numbers) -> Numbers:
    """Alpha of categories without an order."""
    return nominal_of(nominal_sums(counts), weights)


def nominal_sums(counts: Numbers) -> Numbers:
    """What alpha needs of each unit, and what may be added up over units that are drawn together."""
    import numpy as np

    given = counts.sum(axis=1)
    # Ordered pairs of one item that differ, over what one value of it counts.
    within = (given**2 - (counts**2).sum(axis=1)) / (given - 1)
    return np.column_stack([within, counts])


def nominal_of(sums: Numbers, weights: Numbers) -> Numbers:
    """Alpha from such sums."""
    drawn = weights @ sums
    totals = drawn[:, 1:]
    # The same among all values, whoever gave them.
    among = totals.sum(axis=1) ** 2 - (totals**2).sum(axis=1)
    return _alpha(drawn[:, 0], among, totals.sum(axis=1))


def interval_of(values: Sequence[float]) -> Pool:
    """Alpha of numbers whose differences mean something; `values` are what the columns of counts stand for."""
    import numpy as np

    scale = np.asarray(values, dtype=np.float64)

    def interval(counts: Numbers, weights: Numbers) -> Numbers:
        return _interval_alpha(counts, weights, np.broadcast_to(scale, (len(weights), len(scale))))

    return interval


def ordinal(counts: Numbers, weights: Numbers) -> Numbers:
    """Alpha of ranks: only the order of the columns counts."""
    import numpy as np

    totals = weights @ counts
    # The values between two, with half of their own, are the difference of their middle ranks.
    return _interval_alpha(counts, weights, np.cumsum(totals, axis=1) - totals / 2)


def _interval_alpha(counts: Numbers, weights: Numbers, scale: Numbers) -> Numbers:
    """Alpha by squared differences on a scale, a row of it for each row of weights."""
    # The middle of the scale moves to 0: sums of large squares would lose digits.
    scale = scale - scale.mean(axis=1, keepdims=True)
    given = counts.sum(axis=1)
    within = (scale**2 @ counts.T * given - (scale @ counts.T) ** 2) * (2 / (given - 1))
    totals = weights @ counts
    n = totals.sum(axis=1)
    among = 2 * (n * (totals * scale**2).sum(axis=1) - (totals * scale).sum(axis=1) ** 2)
    return _alpha((weights * within).sum(axis=1), among, n)


def _alpha(within: Numbers, among: Numbers, n: Numbers) -> Numbers:
    import numpy as np

    # All values the same but for rounding.
    same = among <= 1e-12 * n**2
    alpha: Numbers = np.where(same, np.nan, 1 - (n - 1) * within / np.where(same, 1, among))
    return alpha
