"""Looks at a study before its end: what a p-value must be below, so that all looks together keep the level.

The level is spent as the study goes on, almost nothing early and most of it at the end (Lan and DeMets 1983, with the
spending function of the O'Brien-Fleming kind): 2 - 2 F(z / sqrt(t)) of it are spent at a share t of the planned data.
A look may use what was spent since the look before it. That adds the looks up as if they were independent of one
another, which is on the safe side, and needs no plan of how many looks there will be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

# What is spent over all looks together: the level of every test here.
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Look:
    """A look at a study: the how manyth, at which share of the planned data, and the level that it may use."""

    number: int
    fraction: float
    level: float
    overall: float = LEVEL

    def correct(self, p_value: float) -> float:
        """The p-value as it compares with the level of all looks together."""
        # Stretched, so that the reader compares it with 0.05 as always and needs no second number in mind.
        return min(1.0, p_value * self.overall / self.level) if self.level > 0 else 1.0


def spent(fraction: float, level: float = LEVEL) -> float:
    """How much of the level may be used up to a share of the data.

    >>> [round(spent(share), 5) for share in (0.25, 0.5, 0.75, 1)]
    [9e-05, 0.00557, 0.02362, 0.05]
    """
    if fraction <= 0:
        return 0.0
    normal = NormalDist()
    return 2 - 2 * normal.cdf(normal.inv_cdf(1 - level / 2) / sqrt(min(fraction, 1.0)))


def latest_look(fractions: Sequence[float], level: float = LEVEL) -> Look:
    """The last of several looks, at these shares of the data; a second look at the same data is the same look."""
    # Capped: more judgments than were planned leave no more to spend.
    shares = sorted({min(share, 1.0) for share in fractions})
    before = shares[-2] if len(shares) > 1 else 0.0
    return Look(len(shares), shares[-1], spent(shares[-1], level) - spent(before, level), level)
