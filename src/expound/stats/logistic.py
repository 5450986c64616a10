"""How the odds of a choice change with one number: logistic regression through the origin, finite however few."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from expound.stats.proportions import NOTHING, Figure

if TYPE_CHECKING:  # numpy takes a sixth of a second to import, and `expound --help` does not need it
    from expound.protocols import Numbers

# Of the logarithm of the odds: a step is one percent of the odds, and e to the 12th more than anybody has.
_STEP, _MOST = 0.01, 12.0
_CHI_SQUARE = 3.841458820694124  # 95 % of one degree of freedom


def odds_ratio(x: Numbers, chosen: Numbers) -> Figure:
    """The factor by which the odds of `chosen` (0 or 1) grow with one more of `x`; no constant: at 0 they are even.

    By the likelihood with Jeffreys' penalty and its profile (Firth 1993; Heinze and Schemper 2002), because plain
    estimates are infinite where the longer one is always chosen. Not a number where `x` never varies from 0.
    """
    import numpy as np

    if not len(x) or not np.any(x):
        return Figure(math.nan, math.nan, math.nan, len(x)) if len(x) else NOTHING
    slopes = np.arange(-_MOST, _MOST + _STEP, _STEP)
    likelihood = np.zeros(len(slopes))
    information = np.zeros(len(slopes))
    for value, hit in zip(x.tolist(), chosen.tolist(), strict=True):
        # One at a time: a table of all choices and slopes would not fit for many.
        score = slopes * value
        likelihood += hit * score - np.logaddexp(0.0, score)
        chance = 1.0 / (1.0 + np.exp(-np.clip(score, -700.0, 700.0)))
        information += value**2 * chance * (1 - chance)
    with np.errstate(divide="ignore"):
        penalised = likelihood + 0.5 * np.log(information)
    best = int(np.argmax(penalised))
    inside = np.flatnonzero(2 * (penalised[best] - penalised) <= _CHI_SQUARE)
    low, high = slopes[inside[0]], slopes[inside[-1]]
    return Figure(math.exp(slopes[best]), math.exp(low), math.exp(high), len(x))
