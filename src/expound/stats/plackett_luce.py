"""Plackett-Luce: one strength per system from rankings of several (Luce 1959, Plackett 1975).

A ranking is a row of choices: the best of all, then the best of those that are left, and so on; each time a system with
strength s (a logarithm) is chosen with a probability in proportion to exp(s). Rankings of two are Bradley-Terry.
Strengths are those of maximum likelihood, with mean 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from expound.stats.bootstrap import resamples
from expound.stats.bradley_terry import Strengths, are_connected, has_no_maximum
from expound.stats.proportions import Figure

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers

Ranking = Sequence[int]
"""Places of systems in the list of systems, the best first."""

_STEPS = 100  # as for pairs: Newton's method needs a handful
# A strength that runs away is held back, so that a step too far can be mended by the next.
_LONGEST_STEP = 1.0


def ranking_strengths(
    rankings: Sequence[Sequence[Ranking]], systems: Sequence[str], *, seed: int, samples: int = 1000
) -> Strengths:
    """Strengths with bootstrap intervals over items; `rankings` has those of each item."""
    import numpy as np

    left, best, item = _stages(rankings, len(systems))
    one = np.ones((1, len(rankings)))
    wins = _wins(one[:, item], left, best)
    compared = (wins + wins.swapaxes(1, 2) > 0)[0]
    value = fit_rankings(one[:, item], left, best)[0]
    drawn = np.concatenate(
        [fit_rankings(weights[:, item], left, best) for weights in resamples(len(rankings), seed=seed, samples=samples)]
    )
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    seen = [sum(any(place in one for one in each) for each in rankings) for place in range(len(systems))]
    figures = {
        name: Figure(float(value[place]), float(low[place]), float(high[place]), seen[place])
        for place, name in enumerate(systems)
    }
    groups = tuple(tuple(systems[place] for place in group) for group in are_connected(compared))
    return Strengths(figures, groups, bool(has_no_maximum(wins, compared)[0]))


def fit_rankings(weights: Numbers, left: Numbers, best: Numbers) -> Numbers:
    """Strengths for each row of weights of stages: `left` has the systems to choose from, `best` the one taken.

    Where no maximum exists, because some system always came first, half a win each way is added to every pair that met.
    """
    import numpy as np

    wins, every = _wins(weights, left, best), _wins(np.ones((1, len(left))), left, best)[0]
    compared = every + every.T > 0
    pairs = [(i, j) for i in range(len(compared)) for j in range(len(compared)) if compared[i, j]]
    more_left = np.zeros((len(pairs), left.shape[1]))
    more_best = np.zeros_like(more_left)
    for row, (first, second) in enumerate(pairs):
        more_left[row, [first, second]] = 1
        more_best[row, first] = 1
    added = np.where(has_no_maximum(wins, compared)[:, None], 0.5, 0.0) * np.ones((1, len(pairs)))
    return _newton(np.hstack([weights, added]), np.vstack([left, more_left]), np.vstack([best, more_best]))


def _stages(rankings: Sequence[Sequence[Ranking]], size: int) -> tuple[Numbers, Numbers, Sequence[int]]:
    """Every choice of every ranking: from which systems, which one, and of which item."""
    import numpy as np

    stages = [
        (number, ranking[start:])
        for number, each in enumerate(rankings)
        for ranking in each
        # The last one is no choice: only one system is left.
        for start in range(len(ranking) - 1)
    ]
    left, best = np.zeros((len(stages), size)), np.zeros((len(stages), size))
    for row, (_, remaining) in enumerate(stages):
        left[row, list(remaining)] = 1
        best[row, remaining[0]] = 1
    return left, best, [number for number, _ in stages]


def _wins(weights: Numbers, left: Numbers, best: Numbers) -> Numbers:
    """How often each system was chosen while another one was there, for each row of weights."""
    import numpy as np

    found: Numbers = np.einsum("bs,si,sj->bij", weights, best, left)
    size = left.shape[1]
    return found * (1 - np.eye(size))


def _newton(weights: Numbers, left: Numbers, best: Numbers) -> Numbers:
    """Newton's method on the log-likelihood, which is concave, with steps that are kept short."""
    import numpy as np

    size = left.shape[1]
    won = weights @ best
    found = np.zeros((len(weights), size))
    for _ in range(_STEPS):
        strength = np.exp(found)
        # All resamples in one product, in place of a thousand fits one after the other.
        share = weights / (strength @ left.T)
        slope = won - strength * (share @ left)
        bend = -np.einsum("bs,si,sj->bij", weights / (strength @ left.T) ** 2, left, left)
        bend *= strength[:, :, None] * strength[:, None, :]
        # The sum of strengths is free; the ones pin it to 0.
        bend += np.eye(size) * (strength * (share @ left))[:, :, None] + np.ones((size, size))
        step = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        found += step * np.minimum(1, _LONGEST_STEP / np.maximum(longest, 1e-300))
        if longest.max() < 1e-12:
            break
    centred: Numbers = found - found.mean(axis=1, keepdims=True)
    return centred
