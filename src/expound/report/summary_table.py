"""The numbers of a report as rows and sentences: what the page, Markdown, LaTeX and CSV have in common."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from expound.report.reported import SURE, Reported, ReportedSystem
from expound.stats.p_values import told_p
from expound.stats.proportions import Figure
from expound.types import Comparison, MetricResult
from expound.version import __version__

NONE = "–"
EVERY_NUMBER = ("letter", "system", "metric", "value", "low", "high", "n", "above", "audit", "signature")
"""The columns of the table with a row a number."""

CHANCE = 0.5
"""How often a coin prefers what a person does."""
COMPARED = ("metric", "a", "b", "difference", "low", "high", "p_holm", "wins", "ties", "losses", "n")


def shown_value(result: MetricResult | None) -> str:
    """A number to one digit, as papers print it."""
    return NONE if result is None or math.isnan(result.value) else f"{result.value:.1f}"


def shown_interval(result: MetricResult | None) -> str:
    """The interval of a number; nothing where it has none."""
    return "" if result is None or math.isnan(result.low) else f"[{result.low:.1f}, {result.high:.1f}]"


def summary_columns(reported: Reported) -> list[str]:
    """Of the table with a row a system."""
    # A column that no system has anything in is left out, so that the metrics have room.
    has_time = any(system.seconds for system in reported.systems)
    has_cost = any(system.spent for system in reported.systems)
    has_errors = any(system.errors for system in reported.systems)
    told = {"errors": has_errors, "seconds": has_time, "cost": has_cost, "audit": _is_audited(reported)}
    return ["letter", "system", "n", *reported.metrics, "words", *(name for name, is_told in told.items() if is_told)]


def summary_rows(reported: Reported, *, is_brief: bool = False) -> list[list[str]]:
    """A row a system, every metric with its interval and the letters of those it is surely above; then the bounds.

    A brief one counts the checks that failed and leaves it to others to say which.
    """
    columns = summary_columns(reported)
    rows = [
        [*_head(system), *_numbers(reported, system), *_tail(system, columns, is_brief=is_brief)]
        for system in reported.systems
    ]
    for name, results in reported.bounds.items():
        numbers = [shown_value(results.get(metric)) for metric in reported.metrics]
        rows.append(["", name, _most(results.values()), *numbers, *[""] * (len(columns) - 3 - len(numbers))])
    return rows


def number_rows(reported: Reported) -> list[list[object]]:
    """A row a system and metric, with the verdicts that concern the number and how it was made."""
    return [
        [
            system.letter, system.name, result.metric, result.value, result.low, result.high, result.n,
            " ".join(reported.beaten(system.name, result.metric)), told_verdicts(system, result.metric),
            result.signature,
        ]
        for system in reported.systems
        for result in system.results.values()
    ]  # fmt: skip


def told_verdicts(system: ReportedSystem, metric: str) -> str:
    """What an audit says about one number of a system; nothing where it says nothing about it."""
    about = system.verdicts.about(metric) if system.verdicts else []
    failed = [sentence for outcome, _, sentence in about if outcome == "fail"]
    if failed:
        return "not believable: " + " ".join(failed)
    return _tell_count([outcome for outcome, _, _ in about])


def told_audit(system: ReportedSystem, *, is_brief: bool = False) -> str:
    """What an audit says about a system as a whole: its failed checks, and how many others ended how."""
    if system.verdicts is None:
        return ""
    if is_brief:
        return _tell_count(sorted((outcome for outcome, _, _ in system.verdicts.found), key="fail".__ne__))
    others = _tell_count([outcome for outcome, _, _ in system.verdicts.found if outcome != "fail"])
    failed = [f"fail: {sentence}" for sentence in system.verdicts.failures()]
    return " ".join([*failed, others]).strip()


def told_differences(reported: Reported) -> list[str]:
    """Which differences are real, a sentence a metric."""
    return [_tell_row(metric, reported) for metric in dict.fromkeys(one.metric for one in reported.comparisons)]


def told_agreement(criterion: str, agreeing: Mapping[str, Figure]) -> str:
    """The metric that agrees best with people, and whether that is more than chance."""
    if not agreeing:
        return ""
    name, best = max(agreeing.items(), key=lambda one: one[1].value)
    sure = "surely more often than chance" if best.low > CHANCE else "which may be chance"
    return (
        f"{criterion}: of the metrics, {name} agrees best with people, in {100 * best.value:.0f} % of {best.n} choices "
        f"(95 %: {100 * best.low:.0f} to {100 * best.high:.0f}), {sure}."
    )


def how_made(reported: Reported) -> str:
    """The footnote of every table: what the brackets and letters mean, and what made them."""
    tests = (
        f" A letter names a system that this one is surely above (paired permutation test with {reported.samples:,} "
        f"permutations, Holm's correction over the pairs of systems, p < {SURE:g})."
        if reported.comparisons
        else ""
    )
    return (
        f"{len(reported.questions)} questions of {reported.dataset}; brackets hold bootstrap intervals of 95 %, seed "
        f"{reported.seed}.{tests} Made with expound {__version__}."
    )


def _head(system: ReportedSystem) -> list[str]:
    return [system.letter, system.name, _most(system.results.values())]


def _numbers(reported: Reported, system: ReportedSystem) -> list[str]:
    results = [system.results.get(metric) for metric in reported.metrics]
    above = [" ".join(reported.beaten(system.name, metric)) for metric in reported.metrics]
    return [
        " ".join(filter(None, (shown_value(result), shown_interval(result), letters)))
        for result, letters in zip(results, above, strict=True)
    ]


def _tail(system: ReportedSystem, columns: Sequence[str], *, is_brief: bool) -> list[str]:
    cost = system.spent.get("cost")
    told = {
        "errors": str(len(system.errors)),
        "seconds": f"{system.seconds:.2f}",
        "cost": NONE if cost is None else f"{cost:.4f}",
        "audit": told_audit(system, is_brief=is_brief),
    }
    return [f"{system.words:.1f}", *(text for name, text in told.items() if name in columns)]


def _most(results: Iterable[MetricResult]) -> str:
    """Metrics may leave questions out that they cannot score."""
    return str(max((result.n for result in results), default=0))


def _is_audited(reported: Reported) -> bool:
    return any(system.verdicts for system in reported.systems)


def _tell_count(outcomes: Sequence[str]) -> str:
    return ", ".join(f"{count} {outcome}" for outcome, count in Counter(outcomes).items())


def _tell_row(metric: str, reported: Reported) -> str:
    compared = [one for one in reported.comparisons if one.metric == metric]
    sure = [one for one in compared if one.p_holm < SURE]
    if not sure:
        return f"{metric}: no difference is sure{_of_pairs(compared)}."
    if len(compared) == 1:
        return f"{metric}: {_in_words(sure[0])}."
    above = {system.name: reported.beaten(system.name, metric) for system in reported.systems}
    letters = {system.name: system.letter for system in reported.systems}
    told = {letters[name]: below for name, below in above.items() if below}
    said = "; ".join(f"{letter} is above {_tell_below(letter, below, reported)}" for letter, below in told.items())
    return f"{metric}: {said}. {len(sure)} of {len(compared)} differences are sure."


def _tell_below(letter: str, below: Sequence[str], reported: Reported) -> str:
    """Those that a system is above, by what is shorter to read: their letters, or those of the few that it is not."""
    not_below = [one.letter for one in reported.systems if one.letter != letter and one.letter not in below]
    if 2 * len(not_below) >= len(below):
        return ", ".join(below)
    return f"all but {', '.join(not_below)}" if not_below else "all others"


def _of_pairs(compared: Sequence[Comparison]) -> str:
    if len(compared) > 1:
        return f", of {len(compared)} pairs"
    [one] = compared
    return f": {abs(one.difference):.1f} between {one.a} and {one.b} may be chance ({told_p(one.p_holm)})"


def _in_words(one: Comparison) -> str:
    upper, lower = (one.a, one.b) if one.difference > 0 else (one.b, one.a)
    # A sure difference has both ends on one side: without their signs they are still its bounds, in the order of size.
    low, high = sorted((abs(one.low), abs(one.high)))
    return f"{upper} is above {lower} by {abs(one.difference):.1f} (95 %: {low:.1f} to {high:.1f})"
