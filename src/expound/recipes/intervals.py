"""Numbers over questions with their 95 % bootstrap intervals, as every recipe gives them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from expound.stats.bootstrap import mean
from expound.stats.proportions import NOTHING, Figure, pooled_figure, ratio

if TYPE_CHECKING:
    from expound.protocols import Numbers

SEED = 0
"""Of every bootstrap that no recipe asks another seed of: any will do, and the same gives the same table."""


def mean_figure(values: Iterable[float]) -> Figure:
    """The mean of a value a question; questions without one (not a number) are left out."""
    return pooled_figure(_rows([value] for value in values if not math.isnan(value)), mean, seed=SEED)


def mean_of_all(groups: Iterable[Sequence[float]]) -> Figure:
    """The mean of the values of all questions, each of which has some: questions are drawn, with all their values."""
    # Sum and count of a question: the values of one question belong together, and drawing them apart would make the
    # interval too narrow.
    rows = _rows((math.fsum(values), len(values)) for values in groups if values)
    if not len(rows):
        return NOTHING
    figure = pooled_figure(rows, ratio, seed=SEED)
    # Told is the number of values, as the papers do, though it is questions that were drawn.
    return Figure(figure.value, figure.low, figure.high, int(rows[:, 1].sum()))


def share_reached(ours: Sequence[float], theirs: Sequence[float]) -> Figure:
    """Our sum as a share of theirs over the same questions, in percent; not a number where theirs is nothing."""
    return pooled_figure(_rows((100 * one, other) for one, other in zip(ours, theirs, strict=True)), ratio, seed=SEED)


def in_percent(figure: Figure) -> Figure:
    """The same number and interval of a hundred; tables of the papers have percent, our statistics have shares."""
    return Figure(100 * figure.value, 100 * figure.low, 100 * figure.high, figure.n)


def _rows(counts: Iterable[Sequence[float]]) -> Numbers:
    import numpy as np

    return np.array(list(counts), dtype=np.float64)
