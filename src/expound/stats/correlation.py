"""How well two scores of the same answers go together: people's with a metric's, or two people's.

All lie between -1 and 1, 0 is none, and they are not a number where one side never changes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from expound.errors import UserError

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers


def pearson(x: Sequence[float] | Numbers, y: Sequence[float] | Numbers) -> float:
    """Pearson's r: do they rise together on a straight line?"""
    ours, theirs = _both(x, y)
    ours, theirs = ours - ours.mean(), theirs - theirs.mean()
    spread = math.sqrt(float(ours @ ours) * float(theirs @ theirs))
    return float(ours @ theirs) / spread if spread else math.nan


def spearman(x: Sequence[float] | Numbers, y: Sequence[float] | Numbers) -> float:
    """Spearman's rho: Pearson's r of the ranks, equal values sharing their mean rank."""
    ours, theirs = _both(x, y)
    return pearson(ranks(ours), ranks(theirs))


def kendall_b(x: Sequence[float] | Numbers, y: Sequence[float] | Numbers) -> float:
    """Kendall's tau-b: pairs in the same order minus pairs in the opposite one, over those that are not tied."""
    ours, theirs = _both(x, y)
    spread = math.sqrt(_untied(ours) * _untied(theirs))
    return _concordance(ours, theirs) / spread if spread else math.nan


def kendall_c(x: Sequence[float] | Numbers, y: Sequence[float] | Numbers) -> float:
    """Kendall's (Stuart's) tau-c: the same over what scales with so many different values would allow."""
    ours, theirs = _both(x, y)
    fewest = min(len(set(ours.tolist())), len(set(theirs.tolist())))
    if fewest < 2:
        return math.nan
    return 2 * _concordance(ours, theirs) * fewest / (len(ours) ** 2 * (fewest - 1))


def _both(x: Sequence[float] | Numbers, y: Sequence[float] | Numbers) -> tuple[Numbers, Numbers]:
    import numpy as np

    if len(x) != len(y) or not len(x):
        raise UserError(f"a correlation needs the same answers on both sides, got {len(x)} and {len(y)} values")
    return np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)


def ranks(values: Numbers) -> Numbers:
    """Places from 1, equal values sharing their mean."""
    import numpy as np

    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    # The mean rank of equal values: that of the last of them, less half of the number of the others.
    shared: Numbers = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return shared


def _concordance(x: Numbers, y: Numbers) -> float:
    """Pairs in the same order minus pairs in the opposite one."""
    import numpy as np

    rows = range(len(x))
    # Row by row: a table of all pairs would not fit into memory.
    return float(sum((np.sign(x[i + 1 :] - x[i]) * np.sign(y[i + 1 :] - y[i])).sum() for i in rows))


def _untied(values: Numbers) -> float:
    """How many pairs have different values."""
    import numpy as np

    # From counts of equal values, without going through the pairs once more.
    counts = np.unique(values, return_counts=True)[1]
    return float(len(values) * (len(values) - 1) - (counts * (counts - 1)).sum()) / 2
