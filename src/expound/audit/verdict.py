"""The rule: a check fails or passes when its whole interval lies on one side of the margin, else nobody can tell."""

from __future__ import annotations

import math
from dataclasses import dataclass

from expound.audit.checks import CHECKS, Check
from expound.audit.numbers import Estimate
from expound.stats.proportions import wilson

PASS, FAIL, CANNOT_TELL, NOT_RUN = "pass", "fail", "cannot tell", "not run"
FEWEST = 10
"""Below so many questions an interval promises more than it holds."""

# Questions: no dataset has more, so "it would take more" is as good as "no number would tell".
MOST = 10_000_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found, in a word, in a sentence, and as a number with its interval."""

    check: str
    about: str
    outcome: str
    sentence: str
    estimate: Estimate | None = None
    margin: float = math.nan
    wrong: str = ""
    needed: int | None = None
    """How many questions it would take to tell, if the number stays as it is."""


def judge(name: str, estimate: Estimate, *, on: str = "") -> Verdict:
    """The verdict of a check on what was measured; `on` says more about the measure, such as the metric."""
    check = CHECKS[name]
    outcome = _outcome(check, estimate)
    needed = questions_needed(check, estimate) if outcome == CANNOT_TELL else None
    measure = f"{check.measure} ({on})" if on else check.measure
    # The claim first, then the number that it is made of.
    claim = _claim(check, estimate, outcome, needed)
    sentence = f"{claim}. {measure[0].upper()}{measure[1:]}: {_format_value(check, estimate)}."
    return Verdict(
        check=name,
        about=check.about,
        outcome=outcome,
        sentence=sentence,
        estimate=estimate,
        margin=check.margin,
        wrong=check.wrong,
        needed=needed,
    )


def not_run(name: str, why: str = "") -> Verdict:
    """A check that could not be made, with what it needs."""
    check = CHECKS[name]
    sentence = f"Not run, it needs {why or check.needs} ({check.measure})."
    return Verdict(
        check=name,
        about=check.about,
        outcome=NOT_RUN,
        sentence=sentence,
        estimate=None,
        margin=check.margin,
        wrong=check.wrong,
    )


def questions_needed(check: Check, estimate: Estimate) -> int | None:
    """So many questions with the same number would decide; None where no number would, or more than ten million."""
    distance = abs(estimate.value - check.margin)
    if estimate.n < FEWEST:
        # On the margin itself no number of questions decides; without an
        # interval nobody knows how fast it would shrink.
        return FEWEST
    if not distance or math.isnan(estimate.low):
        return None
    if estimate.is_share:
        # The end that looks at the margin is what has to come closer; intervals are not symmetric.
        return _needed_for_share(check, estimate)
    toward = estimate.high - estimate.value if estimate.value < check.margin else estimate.value - estimate.low
    # Intervals shrink with the root of n.
    narrower = toward / distance
    return math.ceil(estimate.n * narrower**2) + 1 if narrower < math.sqrt(MOST / estimate.n) else None


def _needed_for_share(check: Check, estimate: Estimate) -> int | None:
    """Intervals of shares shrink unevenly near 0 and 100, so the number is searched for."""
    share, n = estimate.value / 100, estimate.n
    # In steps of five per cent: nobody plans a study to the question.
    while n <= MOST:
        n = math.ceil(n * 1.05) + 1
        low, high = wilson(share * n, n)
        if not 100 * low <= check.margin <= 100 * high:
            return n
    return None


def _outcome(check: Check, estimate: Estimate) -> str:
    if estimate.n < FEWEST or math.isnan(estimate.low):
        return CANNOT_TELL
    if check.wrong == "below":
        return FAIL if estimate.high <= check.margin else PASS if estimate.low > check.margin else CANNOT_TELL
    return FAIL if estimate.low >= check.margin else PASS if estimate.high < check.margin else CANNOT_TELL


def _claim(check: Check, estimate: Estimate, outcome: str, needed: int | None) -> str:
    if outcome != CANNOT_TELL:
        return check.good if outcome == PASS else check.bad
    if not estimate.n:
        return "Nothing to measure"
    if estimate.n == 1:
        return "One question has no interval"
    if estimate.n < FEWEST:
        return f"{estimate.n} questions are too few to tell, {FEWEST} are the fewest"
    if math.isnan(estimate.value):
        return "Cannot tell"
    enough = f"about {needed:,} questions would be needed" if needed else "no number of questions would tell"
    return f"Cannot tell, {enough}"


def _format_value(check: Check, estimate: Estimate) -> str:
    if math.isnan(estimate.value):
        return "cannot be measured"
    interval = "" if math.isnan(estimate.low) else f"{_number(estimate.low)} to {_number(estimate.high)}; "
    side = "below" if check.wrong == "above" else "above"
    unit = f" {check.unit}" if check.unit else ""
    return f"{_number(estimate.value)}{unit} ({interval}right {side} {check.margin:g})"


def _number(value: float) -> str:
    """One decimal for percents and points, two for small numbers such as correlations."""
    return f"{value:.1f}" if abs(value) >= 3 else f"{value:.2f}"
