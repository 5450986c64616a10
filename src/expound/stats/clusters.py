"""Figures over pairs or answers of which several belong to one question: what belongs together counts as such."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING

from expound.stats.correlation import pearson, ranks
from expound.stats.proportions import NOTHING, Figure, wilson

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    import numpy as np
    import numpy.typing as npt

    from expound.protocols import Numbers

    Groups = npt.NDArray[np.int64]
    LeaveOut = Callable[[Numbers, Numbers, Groups], tuple[float, Numbers]]

NORMAL_95 = NormalDist().inv_cdf(0.975)
"""Standard errors to either side of a value that make an interval of 95 %."""
# With two questions the spread has one degree of freedom: an interval would say more than is known.
_FEWEST = 3
_TAKEN = 3  # degrees of freedom that Fisher's interval of a correlation takes off n


def group_numbers(names: Sequence[Hashable]) -> Groups:
    """Numbers from 0 for the names, the same for the same name."""
    import numpy as np

    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


def clustered_share(points: Numbers, groups: Groups) -> Figure:
    """The mean of points from 0 to 1 with Wilson's interval, its n made smaller where a question has several points.

    By so much as the variance between questions exceeds that of independent points (the design effect, Kish 1965):
    with one point a question it is Wilson's own interval.
    """
    n = len(points)
    if not n:
        return NOTHING
    value = float(points.mean())
    by_question = _sums(points - value, groups)
    questions = len(by_question)
    between = _variance(by_question, n)
    if value in (0.0, 1.0) or questions == 1:
        # Nothing varies, which says nothing of how much questions do: each counts once.
        effective = float(questions)
    else:
        # Never more than n: that questions vary less than by chance is luck, and no reason for a narrower interval.
        effective = n * min(1.0, value * (1 - value) / (n - 1) / between) if between else float(n)
    return Figure(value, *wilson(value * effective, effective), n)


def clustered_mean(values: Numbers, groups: Groups) -> Figure:
    """The mean of differences with its normal interval, from the variance between questions."""
    n = len(values)
    if not n:
        return NOTHING
    value = float(values.mean())
    by_question = _sums(values - value, groups)
    if len(by_question) < _FEWEST:
        return Figure(value, math.nan, math.nan, n)
    half = NORMAL_95 * math.sqrt(_variance(by_question, n))
    return Figure(value, value - half, value + half, n)


def clustered_correlation(x: Numbers, y: Numbers, groups: Groups, leave_out: LeaveOut) -> Figure:
    """A correlation with its interval on Fisher's scale, by the jackknife over questions (Efron 1982)."""
    if len(x) < _FEWEST:
        return Figure(math.nan, math.nan, math.nan, len(x))
    value, left = leave_out(x, y, groups)
    error = jackknife_error(left)
    # On the line itself nothing is left to vary.
    if math.isnan(value) or math.isnan(error) or abs(value) >= 1:
        return Figure(value, math.nan, math.nan, len(x))
    # The derivative of Fisher's transformation: on its scale the interval is symmetric, and never passes 1.
    half = NORMAL_95 * error / (1 - value**2)
    centre = math.atanh(value)
    return Figure(value, math.tanh(centre - half), math.tanh(centre + half), len(x))


def correlation_of_few(x: Numbers, y: Numbers) -> Figure:
    """Pearson's r of independent points with Fisher's interval (1921): four systems, or a dozen.

    The jackknife is too narrow for so few: of 95 it covers 86 with four points and 91 with eight, this one 95 to 97.
    """
    n, value = len(x), pearson(x, y)
    if n <= _TAKEN or math.isnan(value) or abs(value) >= 1:
        return Figure(value, math.nan, math.nan, n)
    half, centre = NORMAL_95 / math.sqrt(n - _TAKEN), math.atanh(value)
    return Figure(value, math.tanh(centre - half), math.tanh(centre + half), n)


def jackknife_error(left: Numbers) -> float:
    """The standard error of a figure from its values without each question in turn."""
    if len(left) < _FEWEST:
        return math.nan
    return math.sqrt((len(left) - 1) / len(left) * float(((left - left.mean()) ** 2).sum()))


def pearson_without(x: Numbers, y: Numbers, groups: Groups) -> tuple[float, Numbers]:
    """Pearson's r, and what it is without each question."""
    import numpy as np

    # Around 0 first: sums of large squares would lose the digits that a small spread stands in.
    x, y = x - x.mean(), y - y.mean()
    parts = [np.bincount(groups, weights=part) for part in (np.ones(len(x)), x, y, x * x, y * y, x * y)]
    totals = [part.sum() for part in parts]
    whole = _pearson(*(np.array([total]) for total in totals))
    return float(whole[0]), _pearson(*(total - part for total, part in zip(totals, parts, strict=True)))


def spearman_without(x: Numbers, y: Numbers, groups: Groups) -> tuple[float, Numbers]:
    """Spearman's rho, and what it is without each question; ranks are those of all."""
    return pearson_without(ranks(x), ranks(y), groups)


def kendall_without(x: Numbers, y: Numbers, groups: Groups) -> tuple[float, Numbers]:
    """Kendall's tau-b, and what it is without each question."""
    import numpy as np

    rows = np.array([_compare_answer(x - x[i], y - y[i]) for i in range(len(x))])
    # Pairs within the question count in the rows of both of their answers, and would be taken away twice.
    inside = np.zeros((int(groups.max()) + 1, 3))
    for group in np.unique(groups):
        own_x, own_y = x[groups == group], y[groups == group]
        inside[group] = sum(_compare_answer(own_x - own_x[i], own_y - own_y[i]) for i in range(len(own_x))) / 2
    totals = rows.sum(axis=0) / 2
    touching = np.column_stack([np.bincount(groups, weights=rows[:, part]) for part in range(3)]) - inside
    return float(_tau(totals[None])[0]), _tau(totals - touching)


def _compare_answer(x: Numbers, y: Numbers) -> Numbers:
    """One answer with all: pairs in the same order less those in the opposite, and how many differ by either."""
    import numpy as np

    x, y = np.sign(x), np.sign(y)
    return np.array([(x * y).sum(), np.abs(x).sum(), np.abs(y).sum()])


def _tau(parts: Numbers) -> Numbers:
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        tau: Numbers = parts[:, 0] / np.sqrt(parts[:, 1] * parts[:, 2])
    return tau


def _pearson(n: Numbers, x: Numbers, y: Numbers, xx: Numbers, yy: Numbers, xy: Numbers) -> Numbers:
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        x_spread, y_spread = xx - x * x / n, yy - y * y / n
        # What never changes has a spread of 0, but for rounding.
        flat = (x_spread <= 1e-12 * (1 + xx)) | (y_spread <= 1e-12 * (1 + yy))
        r: Numbers = np.where(flat, np.nan, (xy - x * y / n) / np.sqrt(x_spread * y_spread))
    return r


def _sums(values: Numbers, groups: Groups) -> Numbers:
    """The sum of each question that there is."""
    import numpy as np

    sums: Numbers = np.bincount(groups, weights=values)[np.unique(groups)].astype(np.float64)
    return sums


def _variance(by_question: Numbers, n: int) -> float:
    """The variance of a mean over n from the sums of what questions deviate by."""
    questions = len(by_question)
    return float((by_question**2).sum()) / n**2 * questions / (questions - 1) if questions > 1 else 0.0
