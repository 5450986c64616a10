"""Figures of a study, each with its interval: shares by Wilson's, anything else by the bootstrap over items."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from expound.stats.bootstrap import resamples

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers
    from expound.stats.bootstrap import Pool


@dataclass(frozen=True, slots=True)
class Figure:
    """A value, its 95 % interval, and of how many; what cannot be computed is not a number."""

    value: float
    low: float
    high: float
    n: int


NOTHING = Figure(math.nan, math.nan, math.nan, 0)


def pooled_figure(counts: Numbers, pool: Pool, *, seed: int, samples: int = 1000) -> Figure:
    """The pool of all items and its percentile bootstrap interval over items.

    A resample in which the figure is not defined (kappa where everybody happens to say the same) is left out.
    """
    import numpy as np

    # Nobody judged: a bootstrap has nothing to draw from.
    if not len(counts):
        return NOTHING
    value = float(pool(counts, np.ones((1, len(counts))))[0])
    drawn = np.concatenate([pool(counts, w) for w in resamples(len(counts), seed=seed, samples=samples)])
    defined = drawn[~np.isnan(drawn)]
    if math.isnan(value) or not len(defined):
        return Figure(value, math.nan, math.nan, len(counts))
    low, high = np.quantile(defined, [0.025, 0.975])
    return Figure(value, float(low), float(high), len(counts))


def ratio(counts: Numbers, weights: Numbers) -> Numbers:
    """The pool of shares: the first count of all items over the second."""
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        share: Numbers = (weights @ counts[:, 0]) / (weights @ counts[:, 1])
    return share


def wilson(hits: float, n: float, *, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a share (Wilson 1927); it stays within 0 and 1 and is honest for few.

    >>> [round(edge, 4) for edge in wilson(7, 8)]
    [0.5291, 0.9776]
    """
    if not n:
        return math.nan, math.nan
    z = NormalDist().inv_cdf((1 + level) / 2)
    centre = (hits + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(hits * (n - hits) / n + z * z / 4)
    # At the ends the edge is exact, where rounding would leave a trace.
    return (centre - half if hits else 0.0), (centre + half if hits < n else 1.0)


def share(hits: float, n: int) -> Figure:
    """Hits of n as a share with Wilson's interval."""
    return Figure(hits / n, *wilson(hits, n), n) if n else NOTHING
