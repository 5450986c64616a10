"""Numbers with intervals: means, paired differences, shares, ratios and rank correlations over questions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from expound.stats.bootstrap import intervals, mean
from expound.stats.correlation import spearman
from expound.stats.proportions import wilson

if TYPE_CHECKING:
    from expound.protocols import Numbers
    from expound.stats.bootstrap import Pool

# As many as a score's interval has.
SAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number over `n` questions and its 95 % interval, which is not a number for fewer than two questions."""

    value: float
    low: float
    high: float
    n: int
    is_share: bool = False


def mean_of(values: Sequence[float], *, seed: int) -> Estimate:
    """The mean of a value per question; questions without one (not a number) are left out."""
    kept = [value for value in values if not math.isnan(value)]
    return _pool_estimates([kept], mean, seed)


def difference_of(ours: Sequence[float], theirs: Sequence[float], *, seed: int) -> Estimate:
    """The mean of ours minus theirs, over the questions that have both."""
    return mean_of([a - b for a, b in zip(ours, theirs, strict=True)], seed=seed)


def ratio_of(above: Sequence[float], below: Sequence[float], *, seed: int) -> Estimate:
    """The sum of one over the sum of the other, over the questions that have both."""
    pairs = [pair for pair in zip(above, below, strict=True) if not any(map(math.isnan, pair))]
    # Nothing below the line: there is no ratio to speak of.
    if not math.fsum(pair[1] for pair in pairs):
        return Estimate(value=math.nan, low=math.nan, high=math.nan, n=len(pairs))
    return _pool_estimates([list(side) for side in zip(*pairs, strict=True)], _ratio, seed)


def share_of(hits: Sequence[bool]) -> Estimate:
    """The share in percent, with Wilson's interval (1927): honest also where nothing or everything is hit."""
    n = len(hits)
    if not n:
        return Estimate(value=math.nan, low=math.nan, high=math.nan, n=0, is_share=True)
    # One question has a share and no interval.
    low, high = wilson(sum(hits), n) if n > 1 else (math.nan, math.nan)
    return Estimate(value=100 * sum(hits) / n, low=100 * low, high=100 * high, n=n, is_share=True)


def correlation_of(x: Sequence[float], y: Sequence[float], *, seed: int, samples: int = SAMPLES) -> Estimate:
    """Spearman's rank correlation with its bootstrap interval; not a number where one side never changes."""
    import numpy as np

    pairs = np.array([pair for pair in zip(x, y, strict=True) if not any(map(math.isnan, pair))]).reshape(-1, 2)
    n = len(pairs)
    value = spearman(pairs[:, 0], pairs[:, 1]) if n > 1 else math.nan
    # Two points always lie on a line.
    if n < 3 or math.isnan(value):
        return Estimate(value=value, low=math.nan, high=math.nan, n=n)
    random = np.random.default_rng(seed)
    drawn = (pairs[random.integers(0, n, n)] for _ in range(samples))
    found = np.array([spearman(sample[:, 0], sample[:, 1]) for sample in drawn])
    if np.isnan(found).all():
        return Estimate(value=value, low=math.nan, high=math.nan, n=n)
    # Resamples in which one side never changes have no correlation; the others still have quantiles.
    low, high = np.nanquantile(found, [0.025, 0.975])
    return Estimate(value=value, low=float(low), high=float(high), n=n)


def _pool_estimates(columns: Sequence[Sequence[float]], pool: Pool, seed: int) -> Estimate:
    import numpy as np

    counts = np.array(columns, dtype=np.float64).T
    n = len(counts)
    if not n:
        return Estimate(value=math.nan, low=math.nan, high=math.nan, n=0)
    value = float(pool(counts, np.ones((1, n)))[0])
    low, high = intervals([(counts, pool)], seed=seed, samples=SAMPLES)[0] if n > 1 else (math.nan, math.nan)
    return Estimate(value=value, low=low, high=high, n=n)


def _ratio(counts: Numbers, weights: Numbers) -> Numbers:
    import numpy as np

    above, below = weights @ counts[:, 0], weights @ counts[:, 1]
    # A resample without anything below has no ratio, and then neither has the interval an end.
    ratio: Numbers = np.divide(above, below, out=np.full(len(below), np.nan), where=below != 0)
    return ratio
