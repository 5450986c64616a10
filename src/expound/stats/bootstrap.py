"""How far a number over questions can be trusted: bootstrap intervals and the paired permutation test.

Everything is made of weights: a resample says how often each question is taken, and a pool turns counts per question
and such weights into the number. A mean is the simplest pool.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from expound.errors import UserError

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers

    Pool: TypeAlias = Callable[[Numbers, Numbers], Numbers]

# Numbers in memory at once: some megabytes, whatever the number of questions.
_DRAWS_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """a minus b on the same questions, its 95 % interval, and the chance of as much if they were alike."""

    difference: float
    low: float
    high: float
    p_value: float


def mean(counts: Numbers, weights: Numbers) -> Numbers:
    """The pool of most metrics: the weighted mean of the first count."""
    total: Numbers = weights @ counts[:, 0] / weights.sum(axis=1)
    return total


def interval(values: Sequence[float], *, seed: int, samples: int = 1000, level: float = 0.95) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean (Efron 1979); not a number when there are no values."""
    import numpy as np

    return intervals([(np.asarray(values, dtype=np.float64)[:, None], mean)], seed=seed, samples=samples, level=level)[
        0
    ]


def intervals(
    pooled: Sequence[tuple[Numbers, Pool]], *, seed: int, samples: int = 1000, level: float = 0.95
) -> list[tuple[float, float]]:
    """Percentile bootstrap intervals of several numbers over the same questions, from the same resamples."""
    import numpy as np

    # An empty set of questions has no resamples.
    if not pooled or not len(pooled[0][0]):
        return [(math.nan, math.nan)] * len(pooled)
    size = len(pooled[0][0])
    blocks = [
        [pool(counts, weights) for counts, pool in pooled] for weights in resamples(size, seed=seed, samples=samples)
    ]
    edges = [(1 - level) / 2, (1 + level) / 2]
    found = (np.quantile(np.concatenate(values), edges) for values in zip(*blocks, strict=True))
    return [(float(low), float(high)) for low, high in found]


def paired_difference(
    a: Numbers | Sequence[float], b: Numbers | Sequence[float], *, seed: int, samples: int = 10_000, pool: Pool = mean
) -> PairedDifference:
    """Compare two systems on the same questions: bootstrap interval and two-sided permutation test.

    The test swaps the systems' counts of each question with probability 1/2, which for a mean flips the sign of the
    question's difference.
    """
    import numpy as np

    ours, theirs = (np.asarray(side, dtype=np.float64) for side in (a, b))
    if len(ours) != len(theirs) or not len(ours):
        raise UserError(f"a paired comparison needs the same questions on both sides, got {len(a)} and {len(b)} values")
    as_is, swapped = np.column_stack([ours, theirs]), np.column_stack([theirs, ours])
    difference = _difference_of(pool)
    observed = float(difference(as_is, np.ones((1, len(as_is))))[0])
    low, high = intervals([(as_is, difference)], seed=seed, samples=samples)[0]
    p_value = _swap_p_value(as_is, swapped, difference, seed=seed, samples=samples)
    return PairedDifference(observed, low, high, p_value)


def _difference_of(pool: Pool) -> Pool:
    """The pool of both systems' counts side by side: the first's number minus the second's."""

    def difference(counts: Numbers, weights: Numbers) -> Numbers:
        half = counts.shape[1] // 2
        return pool(counts[:, :half], weights) - pool(counts[:, half:], weights)

    return difference


def _swap_p_value(as_is: Numbers, swapped: Numbers, pool: Pool, *, seed: int, samples: int) -> float:
    """Share of the swaps that leave as large a difference: of all, where these are few, else of random ones."""
    import numpy as np

    size = len(as_is)
    stacked = np.vstack([as_is, swapped])
    # Sums of the same numbers in another order differ in the last digits: such ties count.
    observed = abs(float(pool(as_is, np.ones((1, size)))[0])) * (1 - 1e-9)

    def as_far(kept: Numbers) -> int:
        return int(np.count_nonzero(np.abs(pool(stacked, np.hstack([kept, 1 - kept]))) >= observed))

    # As many as there are draws: then every swap is looked at once, and the p-value is exact.
    if 2**size <= samples:
        every = np.arange(2**size)[:, None] >> np.arange(size) & 1
        return float(as_far(every.astype(np.float64)) / 2**size)
    random = np.random.default_rng(seed)
    far = sum(as_far((random.random((rows, size)) < 0.5).astype(np.float64)) for rows in _blocks(samples, size))
    # The observed assignment counts as one draw, so that no p-value is 0.
    return (far + 1) / (samples + 1)


def resamples(size: int, *, seed: int, samples: int) -> Iterator[Numbers]:
    """Blocks of bootstrap resamples: a row each, saying how often every question was drawn."""
    import numpy as np

    random = np.random.default_rng(seed)
    for rows in _blocks(samples, size):
        # Every row gets numbers of its own, so that one count serves all rows.
        drawn = random.integers(0, size, (rows, size)) + np.arange(rows)[:, None] * size
        yield np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size).astype(np.float64)


def _blocks(samples: int, size: int) -> Iterator[int]:
    """How many rows to draw at a time, so that memory does not grow with their number."""
    most = max(1, _DRAWS_AT_ONCE // size)
    while samples > 0:
        yield min(most, samples)
        samples -= most
