"""Which system people prefer: shares with intervals, and exact tests."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from expound.stats.binomial import sign_test
from expound.stats.bradley_terry import Strengths, strengths
from expound.stats.holm import holm
from expound.stats.plackett_luce import ranking_strengths
from expound.stats.proportions import Figure, pooled_figure, ratio, share
from expound.types import Judgment

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers

RANK = "rank"
"""The criterion by which several answers are ranked: 1 is the best."""

_POINTS = {"a": 1.0, "tie": 0.5, "b": 0.0}


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """Two systems by one criterion. Every judgment counts once: no vote is taken.

    `share` is a's points (1, and 1/2 for a tie) over judgments, with an interval over items; `a_wins`, `ties` and
    `b_wins` are shares of judgments with Wilson's interval. `p_judgments` is the sign test over judgments, as papers
    report it; it takes several raters of one item for independent. `p_items` is the sign test over items, each decided
    by its raters' majority; `p_holm` is that one corrected for all pairs of systems.
    """

    a: str
    b: str
    judgments: int
    items: int
    share: Figure
    a_wins: Figure
    ties: Figure
    b_wins: Figure
    p_judgments: float
    p_items: float
    p_holm: float


def pairs(judgments: Sequence[Judgment], *, seed: int, samples: int = 1000) -> list[AnswerPair]:
    """Every pair of systems that was compared; judgments name the two in one order (`labels.in_order`)."""
    grouped: dict[tuple[str, str], list[Judgment]] = defaultdict(list)
    for one in judgments:
        grouped[one.a, one.b].append(one)
    found = [_pair(group, seed=seed, samples=samples) for group in grouped.values()]
    # The test over items: that over judgments is too sure of itself to be worth a correction.
    adjusted = holm([pair.p_items for pair in found])
    return [replace(pair, p_holm=p_value) for pair, p_value in zip(found, adjusted, strict=True)]


def points(judgments: Sequence[Judgment], *, seed: int, samples: int = 1000) -> dict[str, Figure]:
    """Per system, points (1 for a win, 1/2 for a tie) in percent of its comparisons (Stelmakh et al. 2022, 4.2)."""
    systems = sorted({system for one in judgments for system in (one.a, one.b)})
    return {
        system: pooled_figure(_points_of(system, judgments), _percent, seed=seed, samples=samples) for system in systems
    }


def bradley_terry(
    judgments: Sequence[Judgment], systems: Sequence[str], *, seed: int, samples: int = 1000
) -> Strengths:
    """A strength per system, with bootstrap intervals over items."""
    import numpy as np

    place = {system: number for number, system in enumerate(systems)}
    items = {item: number for number, item in enumerate(dict.fromkeys(one.item for one in judgments))}
    # A table for each item, since the bootstrap draws items with all their judgments.
    wins = np.zeros((len(items), len(systems), len(systems)))
    for one in judgments:
        a, b, won = place[one.a], place[one.b], _POINTS[str(one.choice)]
        wins[items[one.item], a, b] += won
        wins[items[one.item], b, a] += 1 - won
    return strengths(wins, systems, seed=seed, samples=samples)


def plackett_luce(
    judgments: Sequence[Judgment], systems: Sequence[str], *, seed: int, samples: int = 1000
) -> Strengths:
    """A strength per system from ranks, with bootstrap intervals over items."""
    place = {system: number for number, system in enumerate(systems)}
    ranked: dict[str, dict[str, list[tuple[float, int]]]] = defaultdict(lambda: defaultdict(list))
    for one in judgments:
        ranked[one.item][one.rater].append((float(one.value), place[one.a]))
    rankings = [[[number for _, number in sorted(said)] for said in item.values()] for item in ranked.values()]
    return ranking_strengths(rankings, systems, seed=seed, samples=samples)


def _pair(judgments: Sequence[Judgment], *, seed: int, samples: int) -> AnswerPair:
    chosen = Counter(one.choice for one in judgments)
    table = _points_of(judgments[0].a, judgments)
    # An item whose raters are split evenly decides nothing, and the sign test leaves it out as it does ties.
    ahead = Counter(float(row[0] - row[1] / 2) > 0 for row in table if row[0] != row[1] / 2)
    return AnswerPair(
        a=judgments[0].a,
        b=judgments[0].b,
        judgments=len(judgments),
        items=len(table),
        share=pooled_figure(table, ratio, seed=seed, samples=samples),
        a_wins=share(chosen["a"], len(judgments)),
        ties=share(chosen["tie"], len(judgments)),
        b_wins=share(chosen["b"], len(judgments)),
        p_judgments=sign_test(chosen["a"], chosen["b"]),
        p_items=sign_test(ahead[True], ahead[False]),
        # Until all pairs are known: `pairs` puts the corrected one in its place.
        p_holm=1.0,
    )


def _points_of(system: str, judgments: Sequence[Judgment]) -> Numbers:
    """A row per item of the system: its points, and how many judgments they are of."""
    import numpy as np

    table: dict[str, list[float]] = {}
    for one in judgments:
        if system in (one.a, one.b):
            row = table.setdefault(one.item, [0.0, 0.0])
            won = _POINTS[str(one.choice)]
            row[0] += won if one.a == system else 1 - won
            row[1] += 1
    return np.array(list(table.values()))


def _percent(counts: Numbers, weights: Numbers) -> Numbers:
    return 100 * ratio(counts, weights)
