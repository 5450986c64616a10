"""The pictures of a report, each with the numbers behind it: intervals, lengths, wins and others."""

from __future__ import annotations

from collections.abc import Iterator

from expound.agreement.forest import forest
from expound.audit.inputs import FIRST_CHOICE
from expound.pages.html import Html
from expound.pages.plots import LONGEST_NAME, plot, stacked_bars
from expound.report.copied_numbers import with_numbers
from expound.report.reported import Reported, ReportedSystem
from expound.report.scatter_pictures import GROUPS, best_systems, by_retrieval, calibration, equal_groups
from expound.stats.proportions import Figure
from expound.types import MetricResult

_MOST_PAIRS = 12  # bars; a report of many systems shows the pairs of the best one


def pictures(reported: Reported) -> Iterator[Html]:
    """Every picture that the numbers allow."""
    metric = main_metric(reported)
    # What papers quote comes first; how long answers are is told last.
    ranked = sorted(reported.metrics, key=lambda name: (name != metric, name == "length"))
    yield from (_intervals(name, reported) for name in ranked)
    if metric:
        yield _by_length(metric, reported)
    # What nothing is known of is left out.
    yield from (found for found in (metric and by_retrieval(metric, reported), calibration(reported)) if found)
    if reported.comparisons:
        yield _wins(metric, reported)


def main_metric(reported: Reported) -> str:
    """The metric that papers quote first; of none that is known, the first that is not the length."""
    names = [name for name in reported.metrics if name != "length"]
    return next((name for name in FIRST_CHOICE if name in names), next(iter(names), ""))


def _intervals(metric: str, reported: Reported) -> Html:
    named = {system.name: system.results.get(metric) for system in reported.systems}
    named |= {name: found.get(metric) for name, found in reported.bounds.items()}
    shown = {name: result for name, result in named.items() if result}
    rows = [(name, result.value, result.low, result.high, result.n) for name, result in shown.items()]
    picture = forest(metric, {name: _figure(result) for name, result in shown.items()})
    return with_numbers(picture, ("system", metric, "low", "high", "n"), rows)


def _figure(result: MetricResult) -> Figure:
    return Figure(result.value, result.low, result.high, result.n)


def _by_length(metric: str, reported: Reported) -> Html:
    known = [system for system in reported.systems if metric in system.results]
    best = best_systems(metric, reported)
    series = [(system.name, _length_groups(system, metric)) for system in best]
    left_out = f" The {len(best)} best of {len(known)} systems." if len(best) < len(known) else ""
    note = f"Answers of a system in up to {GROUPS} groups of equal size, from the shortest to the longest.{left_out}"
    picture = plot(f"{metric} by the length of answers", "words", metric, series, is_line=True, note=note)
    rows = [(name, words, value) for name, points in series for words, value in points]
    return with_numbers(picture, ("system", "words", metric), rows)


def _length_groups(system: ReportedSystem, metric: str) -> list[tuple[float, float]]:
    """The mean length and the mean score of each group of answers."""
    values = system.results[metric].per_question
    return equal_groups([(len(system.predictions[id].answer.text.split()), value) for id, value in values.items()])


def _wins(metric: str, reported: Reported) -> Html:
    pairs = [one for one in reported.comparisons if one.metric == metric]
    if len(pairs) > _MOST_PAIRS:
        best = max(reported.systems, key=lambda system: _value(system, metric)).name
        pairs = [one for one in pairs if best in (one.a, one.b)]
    letters = {system.name: system.letter for system in reported.systems}
    rows = [(f"{one.a} / {one.b}", (one.wins, one.ties, one.losses)) for one in pairs]
    # Where names are long, the letters of the summary: cut off, all pairs would have the same name.
    is_long = any(len(name) > LONGEST_NAME for name, _ in rows)
    short = [f"{letters[one.a]} / {letters[one.b]}" for one in pairs]
    drawn = [(name, counts) for name, (_, counts) in zip(short, rows, strict=True)] if is_long else rows
    title = f"Questions won and lost, by {metric}"
    picture = stacked_bars(title, ("won by the first", "tied", "won by the second"), drawn)
    return with_numbers(picture, ("pair", "won", "tied", "lost"), [(name, *counts) for name, counts in rows])


def _value(system: ReportedSystem, metric: str) -> float:
    result = system.results.get(metric)
    return result.value if result else float("-inf")
