"""Before a study: how many items it takes to see a difference, if there is one."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING

from expound.errors import UserError
from expound.stats.binomial import probability

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers

# A round figure: whoever plans a study cannot pay for more. The exact powers up to here are kept in memory.
MOST_ITEMS = 20_000
# With so many a power of .8 has a standard error of .001.
_STUDIES = 100_000


def items_for_preference(share: float, *, ties: float = 0.0, power: float = 0.8, level: float = 0.05) -> int:
    """The fewest items with which the sign test sees such a preference with the given power.

    `share` is that of the better answer among judgments without a tie, `ties` the share of ties; one judgment an item.
    Power rises in a saw-tooth: it is reached from this number of items on, not only at it.
    """
    _check(share != 0.5 and 0 < share < 1, f"a share of {share} cannot be told from 0.5; give one between 0 and 1")
    _check_shares(ties, power, level)
    spread = _normal(level) / 2 + NormalDist().inv_cdf(power) * math.sqrt(share * (1 - share))
    # By the normal approximation, to know where to begin to look.
    guess = (spread / (share - 0.5)) ** 2 / (1 - ties)
    _check(guess < MOST_ITEMS, f"a share of {share} takes about {guess:,.0f} items; the most is {MOST_ITEMS:,}")
    # Counts are whole, which costs about 1 / |share - 0.5| items; from four times as many no tooth reaches down.
    items = math.ceil(guess + 4 / abs(share - 0.5) / (1 - ties)) + 30
    while items > 1 and preference_power(items - 1, share, ties=ties, level=level) >= power:
        items -= 1
    return items


def preference_power(items: int, share: float, *, ties: float = 0.0, level: float = 0.05) -> float:
    """How probable it is that the two-tailed sign test over so many items has a p-value of at most `level`. Exact."""
    if not ties:
        return _reckon_decided_power(items, share, level)
    return sum(
        probability(decided, items, 1 - ties) * _reckon_decided_power(decided, share, level)
        for decided in _likely(items, 1 - ties)
    )


def items_for_mean(difference: float, deviation: float, *, ties: float = 0.0, power: float = 0.8, level: float = 0.05,
                   seed: int = 0) -> int:  # fmt: skip
    """The fewest items with which a paired test sees such a mean difference with the given power, by simulation.

    `deviation` is the standard deviation of the differences of items that are not tied, `ties` the share of items with
    a difference of exactly 0.
    """
    _check(difference != 0 and deviation > 0, "a difference other than 0 and a deviation above 0 are needed")
    _check_shares(ties, power, level)
    guess = ((_normal(level) + NormalDist().inv_cdf(power)) * _spread(difference, deviation, ties) / difference) ** 2
    _check(guess < MOST_ITEMS, f"such a difference takes about {guess:,.0f} items; the most is {MOST_ITEMS:,}")

    def enough(items: int) -> bool:
        return mean_power(items, difference, deviation, ties=ties, level=level, seed=seed) >= power

    # Power by simulation is nearly monotone, so that halving finds the place.
    return _first(enough, 3, math.ceil(1.5 * guess) + 30)


def mean_power(items: int, difference: float, deviation: float, *, ties: float = 0.0, level: float = 0.05,
               seed: int = 0) -> float:  # fmt: skip
    """How often a two-tailed paired t-test over so many items sees the difference, in 100,000 simulated studies.

    The critical value is taken from the same studies without the difference.
    """
    import numpy as np

    random = np.random.default_rng(seed)
    # Of the untied items only their number, mean and spread matter, so these are drawn and not the items.
    untied = np.maximum(random.binomial(items, 1 - ties, _STUDIES), 1).astype(np.float64)
    means = random.normal(0, deviation, _STUDIES) / np.sqrt(untied)
    squares = deviation**2 * 2 * random.standard_gamma((untied - 1) / 2)
    # From the studies themselves: no table of t is needed, and ties are in it.
    critical = np.quantile(_statistic(items, untied, means, squares), 1 - level)
    return float((_statistic(items, untied, means + difference / (1 - ties), squares) > critical).mean())


@lru_cache(maxsize=MOST_ITEMS)
def _reckon_decided_power(items: int, share: float, level: float) -> float:
    """The power of the sign test without ties: the chance of a count so far out that the test rejects."""
    import numpy as np

    tail = np.cumsum(_probabilities(items, 0.5))
    # As many counts at either end are far enough out; the margin is for sums that equal the level but for rounding.
    far = int(np.count_nonzero(2 * tail[: items // 2] <= level * (1 + 1e-9)))
    found = _probabilities(items, share)
    return float(found[:far].sum() + found[len(found) - far :].sum())


def _probabilities(n: int, chance: float) -> Numbers:
    """How probable each count from 0 to n is."""
    import numpy as np

    counts = np.arange(n + 1)
    # Factorials by sums of logarithms, once for all counts.
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    ways = logs[n] - logs - logs[::-1]
    found: Numbers = np.exp(ways + counts * math.log(chance) + counts[::-1] * math.log(1 - chance))
    return found


def _likely(n: int, chance: float) -> range:
    """The counts that are probable enough to matter."""
    # Eight standard deviations: what is further out has less than 1e-14 of the probability.
    reach = 8 * math.sqrt(n * chance * (1 - chance)) + 8
    return range(max(0, math.floor(n * chance - reach)), min(n, math.ceil(n * chance + reach)) + 1)


def _spread(difference: float, deviation: float, ties: float) -> float:
    """The standard deviation of all differences, ties included."""
    return math.sqrt((1 - ties) * deviation**2 + difference**2 * ties / (1 - ties))


def _statistic(items: int, untied: Numbers, means: Numbers, squares: Numbers) -> Numbers:
    """|t| of each study, from the mean of its untied differences and their squares about it."""
    import numpy as np

    mean = means * untied / items
    spread = (squares + untied * means**2 - items * mean**2) / (items - 1)
    t: Numbers = np.abs(mean) * math.sqrt(items) / np.sqrt(np.maximum(spread, 1e-300))
    return t


def _first(enough: Callable[[int], bool], low: int, high: int) -> int:
    """The first number that is enough, by halving."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low


def _normal(level: float) -> float:
    return NormalDist().inv_cdf(1 - level / 2)


def _check_shares(ties: float, power: float, level: float) -> None:
    _check(0 <= ties < 1, f"the share of ties is 0 or more and below 1, not {ties}")
    _check(0 < power < 1 and 0 < level < 1, f"power and level lie between 0 and 1, not {power} and {level}")


def _check(holds: bool, message: str) -> None:
    if not holds:
        raise UserError(message)
