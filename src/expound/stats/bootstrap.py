"""How far a mean over questions can be trusted: bootstrap intervals and the paired permutation test."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from expound.errors import UserError

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    import numpy as np
    import numpy.typing as npt

_DRAWS_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The mean of a - b over the same questions, its 95 % interval, and the chance of as much if a and b were alike."""

    difference: float
    low: float
    high: float
    p_value: float


def interval(values: Sequence[float], *, seed: int, samples: int = 1000, level: float = 0.95) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean (Efron 1979); not a number when there are no values."""
    import numpy as np

    if not len(values):
        return math.nan, math.nan
    means = _resampled_means(np.asarray(values, dtype=np.float64), seed=seed, samples=samples)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def paired_difference(a: Sequence[float], b: Sequence[float], *, seed: int, samples: int = 10_000) -> PairedDifference:
    """Compare two systems on the same questions: bootstrap interval and two-sided sign-flip permutation test."""
    import numpy as np

    if len(a) != len(b) or not len(a):
        raise UserError(f"a paired comparison needs the same questions on both sides, got {len(a)} and {len(b)} values")
    differences = np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64)
    low, high = interval(differences.tolist(), seed=seed, samples=samples)
    p_value = _sign_flip_p_value(differences, seed=seed, samples=samples)
    return PairedDifference(float(differences.mean()), low, high, p_value)


def _resampled_means(values: npt.NDArray[np.float64], *, seed: int, samples: int) -> npt.NDArray[np.float64]:
    import numpy as np

    random = np.random.default_rng(seed)
    size = len(values)
    return _in_blocks(samples, size, lambda rows: values[random.integers(0, size, (rows, size))].mean(axis=1))


def _sign_flip_p_value(differences: npt.NDArray[np.float64], *, seed: int, samples: int) -> float:
    """Share of random signs whose mean is at least as far from 0; the observed signs count as one draw."""
    import numpy as np

    random = np.random.default_rng(seed)
    size = len(differences)
    means = _in_blocks(
        samples, size, lambda rows: np.where(random.random((rows, size)) < 0.5, differences, -differences).mean(axis=1)
    )
    # Sums of the same numbers in another order differ in the last digits: such ties count.
    observed = abs(differences.mean()) * (1 - 1e-9)
    return float((np.count_nonzero(np.abs(means) >= observed) + 1) / (samples + 1))


def _in_blocks(samples: int, size: int, draw: Callable[[int], npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
    """Draw the samples a block of rows at a time, so that memory does not grow with their number."""
    import numpy as np

    rows = max(1, _DRAWS_AT_ONCE // size)
    return np.concatenate([draw(count) for count in _blocks(samples, rows)])


def _blocks(total: int, most: int) -> Iterator[int]:
    while total > 0:
        yield min(most, total)
        total -= most
