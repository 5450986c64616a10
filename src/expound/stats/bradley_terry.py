"""Bradley-Terry: one strength per system from who was preferred to whom (Bradley and Terry 1952).

A system with strength s (a logarithm) is preferred to one with strength t in 1 / (1 + exp(t - s)) of comparisons; a tie
counts as half a win for both. Strengths are those of maximum likelihood, with mean 0 among systems that are connected
by comparisons; between unconnected groups nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from expound.stats.bootstrap import resamples
from expound.stats.proportions import Figure

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    import numpy as np
    import numpy.typing as npt

    from expound.protocols import Numbers

_STEPS = 100  # Newton's method needs a handful; the bound is for rounding that never gets still
# In logits. From far away Newton's method overshoots; a step of one keeps it on the side where the curve bends.
_LONGEST_STEP = 1.0


@dataclass(frozen=True, slots=True)
class Strengths:
    """A figure per system, the groups of systems that are connected, and whether a tie was added to each pair.

    That is done where no maximum exists, because some systems never lost anything to the others.
    """

    figures: dict[str, Figure]
    groups: tuple[tuple[str, ...], ...]
    smoothed: bool


def strengths(wins: Numbers, systems: Sequence[str], *, seed: int, samples: int = 1000) -> Strengths:
    """Strengths with bootstrap intervals over items; `wins[item, i, j]` is how often i was preferred to j."""
    import numpy as np

    total = wins.sum(axis=0)[None]
    # Over all items: a resample may lack a pair, but stays in the same group.
    compared = (total + total.swapaxes(1, 2) > 0)[0]
    value = fit(total, compared)[0]
    flat = wins.reshape(len(wins), -1)
    blocks = (weights @ flat for weights in resamples(len(wins), seed=seed, samples=samples))
    drawn = np.concatenate([fit(block.reshape(-1, *total.shape[1:]), compared) for block in blocks])
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    # Items in which a system took part at all.
    played = (wins + wins.swapaxes(1, 2)).any(axis=2).sum(axis=0)
    figures = {
        name: Figure(float(value[i]), float(low[i]), float(high[i]), int(played[i])) for i, name in enumerate(systems)
    }
    groups = tuple(tuple(systems[i] for i in group) for group in are_connected(compared))
    return Strengths(figures, groups, bool(has_no_maximum(total, compared)[0]))


def fit(wins: Numbers, compared: npt.NDArray[np.bool_]) -> Numbers:
    """Strengths for each of several tables of wins; a table without a maximum gets one tie for each compared pair."""
    import numpy as np

    wins = np.where(has_no_maximum(wins, compared)[:, None, None], wins + compared / 2, wins)
    found = np.zeros(wins.shape[:2])
    for group in are_connected(compared):
        if len(group) > 1:
            found[:, group] = _newton(wins[:, group][:, :, group])
    return found


def are_connected(compared: npt.NDArray[np.bool_]) -> list[list[int]]:
    """The systems in groups that comparisons connect, directly or through others."""
    reach = _reachable(compared[None])[0]
    return [group for i, row in enumerate(reach) if (group := [int(j) for j in row.nonzero()[0]])[0] == i]


def has_no_maximum(wins: Numbers, compared: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Whether some connected system cannot be reached by a chain of wins (Ford 1957)."""
    import numpy as np

    together = _reachable(compared[None])
    return np.asarray((together & ~_reachable(wins > 0)).any(axis=(1, 2)))


def _reachable(edges: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    import numpy as np

    size = edges.shape[-1]
    reach = edges | np.eye(size, dtype=bool)
    for _ in range(size.bit_length()):
        # Squaring doubles the length of the chains that are seen.
        reach = reach @ reach
    return reach


def _newton(wins: Numbers) -> Numbers:
    """Newton's method on the log-likelihood, which is concave, with steps that are kept short."""
    import numpy as np

    size = wins.shape[1]
    played = wins + wins.swapaxes(1, 2)
    found = np.zeros(wins.shape[:2])
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(found[:, None, :] - found[:, :, None]))
        slope = (wins - played * expected).sum(axis=2)
        bend = -played * expected * (1 - expected)
        # The sum of strengths is free; the ones pin it to 0.
        bend += np.eye(size) * -bend.sum(axis=2)[:, :, None] + np.ones((size, size))
        step = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        found += step * np.minimum(1, _LONGEST_STEP / np.maximum(longest, 1e-300))
        if longest.max() < 1e-12:
            break
    return found
