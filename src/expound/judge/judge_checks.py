"""The checks of a judge: a number with its interval, held against a bound, and what stands beside every number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from expound.stats.proportions import Figure

PASS, FAIL, CANNOT_TELL, NOT_RUN = "pass", "fail", "cannot tell", "not run"
"""The words of `expound audit`."""
FEWEST = 6
"""Pairs. Of five that are all alike a coin throws as many one time in 16, of six one time in 32: only from six on can
the exact 95 % interval of a share exclude chance, whatever the judge says."""
# An interval as narrow as that of a hundred throws of a coin: a narrower one nobody asks of a study either.
_EVEN_WIDTH = 0.2


@dataclass(frozen=True)
class JudgeCheck:
    """One question to a judge: its number with the interval, and whether that is as it should be."""

    name: str
    figure: Figure
    outcome: str
    right: str = ""
    """Where the number should lie, in words; nothing where it is only told."""
    note: str = ""

    def record(self) -> dict[str, Any]:
        """The check as JSON has it."""
        figure = self.figure
        numbers = {"value": figure.value, "low": figure.low, "high": figure.high}
        known = {name: number if math.isfinite(number) else None for name, number in numbers.items()}
        return {"check": self.name, **known, "n": figure.n, "outcome": self.outcome, "right": self.right,
                "note": self.note}  # fmt: skip


def failures(checks: Sequence[JudgeCheck]) -> list[str]:
    """The names of the checks that a judge fails."""
    return [check.name for check in checks if check.outcome == FAIL]


def in_a_word(checks: Sequence[JudgeCheck]) -> str:
    """What stands in the row of every number of the judge."""
    if failed := failures(checks):
        return f"fails: {', '.join(failed)}"
    # Only what is held against a bound can be passed.
    open_ones = [check for check in checks if check.right and check.outcome != PASS]
    return "passes" if not open_ones else f"fails none; {len(open_ones)} of {len(checks)} checks cannot tell"


def check_below(name: str, figure: Figure, limit: float) -> JudgeCheck:
    # The whole interval has to lie on one side: a judge neither passes nor fails by luck.
    outcome = told(figure) or (FAIL if figure.low > limit else PASS if figure.high <= limit else CANNOT_TELL)
    return JudgeCheck(name, figure, outcome, right=f"at most {limit:g}")


def check_above(name: str, figure: Figure, limit: float, *, needs: str, note: str = "") -> JudgeCheck:
    if not figure.n:
        return JudgeCheck(name, figure, NOT_RUN, right=f"above {limit:g}", note=f"needs {needs}")
    outcome = told(figure) or (FAIL if figure.high <= limit else PASS if figure.low > limit else CANNOT_TELL)
    return JudgeCheck(name, figure, outcome, right=f"above {limit:g}", note=note)


def check_even(name: str, figure: Figure) -> JudgeCheck:
    """A share that should be a half."""
    return JudgeCheck(name, figure, _even(figure), right="around 0.5")


def _even(figure: Figure) -> str:
    if said := told(figure):
        return said
    if not figure.low <= 0.5 <= figure.high:
        return FAIL
    # A wide interval around a half is no proof of fairness: nearly any judge has one on ten pairs.
    return PASS if figure.high - figure.low <= _EVEN_WIDTH else CANNOT_TELL


def told(figure: Figure) -> str:
    """What is said of a number that no bound can be held against; nothing where one can."""
    return NOT_RUN if not figure.n else CANNOT_TELL if figure.n < FEWEST else ""
