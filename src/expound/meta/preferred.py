"""How often a metric prefers what people prefer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from expound.errors import UserError
from expound.meta.judged import JudgedPair
from expound.meta.scored import Scores
from expound.stats.binomial import sign_test
from expound.stats.clusters import clustered_mean, clustered_share, group_numbers
from expound.stats.power import items_for_preference
from expound.stats.proportions import Figure

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers
    from expound.stats.clusters import Groups

TIES: Mapping[str, float] = {"half": 0.5, "wrong": 0.0, "out": math.nan}
"""What a metric gets for a pair to whose answers it gives the same number."""

Lean: TypeAlias = "Numbers"
"""For each pair 1 where the first answer is preferred, -1 the second, 0 neither; not a number without both scores."""


@dataclass(frozen=True)
class Compared:
    """Two metrics on the same pairs: the difference of their accuracies, how sure its sign is, and on how many pairs
    one of them is right alone."""

    difference: Figure
    p_value: float
    wins: int
    losses: int


def lean_of(scores: Scores, pairs: Sequence[JudgedPair], *, missing: float = math.nan) -> Lean:
    """Which answer a metric prefers; unknown where one has no number, unless the metric says what stands for it."""
    import numpy as np

    both = np.array([[scores[pair.a.key], scores[pair.b.key]] for pair in pairs]).reshape(-1, 2)
    # Without a word of the metric itself no number is not 0: that is the best that some have, and the worst of others.
    both[np.isnan(both) & ~np.isnan(both[:, ::-1])] = missing
    lean: Lean = np.sign(both[:, 0] - both[:, 1])
    return lean


def human_lean(pairs: Sequence[JudgedPair]) -> Lean:
    """The baseline that prefers what a person wrote, and has no preference between two people or two models."""
    import numpy as np

    return np.array([float(pair.a.is_human) - float(pair.b.is_human) for pair in pairs])


def points_of(lean: Lean, pairs: Sequence[JudgedPair], ties: str) -> Numbers:
    """1 where the metric prefers what people prefer, 0 where the other, and the rule's points for neither.

    Not a number where people have no preference, or the metric has no number.
    """
    import numpy as np

    people = np.array([{"a": 1.0, "b": -1.0}.get(pair.choice or "", math.nan) for pair in pairs])
    agreeing = people * lean
    points: Numbers = np.where(agreeing == 0, TIES[ties], (agreeing + 1) / 2)
    return points


def questions_of(pairs: Sequence[JudgedPair]) -> Groups:
    """The number of each pair's question."""
    return group_numbers([pair.a.question.id for pair in pairs])


def accuracy(points: Numbers, groups: Groups) -> Figure:
    """The mean of the points that there are."""
    import numpy as np

    known = ~np.isnan(points)
    return clustered_share(points[known], groups[known])


def compare(points: Numbers, others: Numbers, groups: Groups) -> Compared:
    """A metric less another, on the pairs that both can score; the test is the exact sign test over questions."""
    import numpy as np

    known = ~np.isnan(points) & ~np.isnan(others)
    gained, own = (points - others)[known], groups[known]
    # One vote for a question: its pairs share an answer, and counting each would make a test of ten questions one of
    # fifty.
    by_question = np.bincount(own, weights=gained) if len(own) else np.zeros(0)
    wins, losses = int((by_question > 0).sum()), int((by_question < 0).sum())
    # Of no question on which they differ it is 1: such a metric was looked at too, and counts in Holm's family.
    p_value = sign_test(wins, losses) if len(own) else math.nan
    return Compared(clustered_mean(gained, own), p_value, int((gained > 0).sum()), int((gained < 0).sum()))


def pairs_for_chance(figure: Figure) -> float:
    """How many pairs it takes to tell such an accuracy from chance, four times of five."""
    return _count_needed(lambda: items_for_preference(figure.value)) if 0 < figure.value < 1 else math.nan


def pairs_for_difference(compared: Compared) -> float:
    """The same for a difference between metrics: only pairs on which one of them is right alone tell anything."""
    wins, telling = compared.wins, compared.wins + compared.losses
    if not compared.wins or not compared.losses:
        return math.nan
    # Of all pairs so many more as here: those that tell nothing are as frequent.
    needed = _count_needed(lambda: items_for_preference(wins / telling)) * compared.difference.n / telling
    return math.ceil(needed) if math.isfinite(needed) else needed


def _count_needed(count: Callable[[], int]) -> float:
    try:
        return float(count())
    except UserError:  # no difference, or one that more pairs than anybody has would not show
        return math.inf
