"""Pictures of single answers: score by what was retrieved, and how often a confident answer is right."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from expound.pages.html import Html
from expound.pages.plots import plot
from expound.report.copied_numbers import with_numbers
from expound.report.reported import Reported, ReportedSystem
from expound.text.normal import contains_answer
from expound.text.words import coverage
from expound.types import Prediction, Question

GROUPS = 5
"""Of answers: fewer hide a bend, more leave a handful of answers in each."""
MOST_LINES = 4
"""Of a plot; more colours cannot be told apart."""
_MOST_LOOKED_AT = 1000  # questions: ten thousand draw the same line, and every passage of theirs would be read
# Twice the groups: with fewer a point would be one answer.
_FEWEST_SURE = 2 * GROUPS


def by_retrieval(metric: str, reported: Reported) -> Html | None:
    """The score over what the retrieved passages hold of the answer; None where nothing was retrieved."""
    looked_at = reported.questions[:: max(1, len(reported.questions) // _MOST_LOOKED_AT)]
    series = [
        (system.name, equal_groups(_pair_held_and_score(system, metric, looked_at)))
        for system in best_systems(metric, reported)
    ]
    series = [(name, points) for name, points in series if len(points) > 1]
    if not series:
        return None
    note = "Of the short answers, or else of the references' words; up to five groups of equal size."
    title, x = f"{metric} by what the retrieved passages hold", "% of the answer in the passages"
    picture = plot(title, x, metric, series, is_line=True, note=note)
    rows = [(name, held, value) for name, points in series for held, value in points]
    return with_numbers(picture, ("system", "held", metric), rows)


def calibration(reported: Reported) -> Html | None:
    """How often direct answers are right, by how sure they say they are; None where too few say so."""
    known = {question.id: question for question in reported.questions}
    told = [(system.name, _sure_and_right(system, known)) for system in reported.systems]
    series = [(name, equal_groups(found)) for name, found in told if len(found) >= _FEWEST_SURE]
    if not series:
        return None
    ends = [min(x for _, points in series for x, _ in points), max(x for _, points in series for x, _ in points)]
    # What a point on this line says of itself is true.
    drawn = [*series[: MOST_LINES - 1], ("as sure as right", [(end, end) for end in ends])]
    picture = plot("Are confident answers right?", "confidence, %", "right, %", drawn, is_line=True)
    rows = [(name, sure, right) for name, points in series for sure, right in points]
    return with_numbers(picture, ("system", "confidence", "right"), rows)


def best_systems(metric: str, reported: Reported) -> list[ReportedSystem]:
    """Those with the highest number, as many as can be told apart in a plot."""
    known = [system for system in reported.systems if metric in system.results]
    return sorted(known, key=lambda system: -system.results[metric].value)[:MOST_LINES]


def equal_groups(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The mean of each of some groups of equal size, from the lowest to the highest; those at one place are one."""
    ranked = sorted(points)
    count = min(GROUPS, len(ranked))
    cuts = [len(ranked) * number // count for number in range(count + 1)] if count else []
    groups = [ranked[start:end] for start, end in pairwise(cuts)]
    return [(sum(x for x, _ in group) / len(group), sum(y for _, y in group) / len(group)) for group in groups]


def _pair_held_and_score(
    system: ReportedSystem, metric: str, questions: Sequence[Question]
) -> list[tuple[float, float]]:
    values = system.results[metric].per_question
    answered = [(one, system.predictions.get(one.id)) for one in questions if one.id in values]
    held = [(question.id, share_held(question, prediction)) for question, prediction in answered if prediction]
    return [(100 * share, values[id]) for id, share in held if share is not None]


def share_held(question: Question, prediction: Prediction) -> float | None:
    """The share of a question's short answers that the passages have, or of its references' words; None untold."""
    text = "\n".join(item.passage.text for item in prediction.evidence)
    if not text:
        return None
    if question.interpretations:
        found = [contains_answer(text, reading.answers) for reading in question.interpretations]
        return sum(found) / len(found)
    shares = [coverage(reference, text) for reference in question.references]
    return max(shares) if shares else None


def _sure_and_right(system: ReportedSystem, known: dict[str, Question]) -> list[tuple[float, float]]:
    answered = [(known[id], one.answer.direct) for id, one in system.predictions.items() if id in known]
    return [
        (100 * direct.confidence, 100.0 * _is_right(question, direct.text))
        for question, direct in answered
        if direct and (question.interpretations or question.references)
    ]


def _is_right(question: Question, text: str) -> bool:
    """Whether a direct answer is one of the short answers, or stands in a reference where there are none."""
    readings = question.interpretations
    if not readings:
        return any(contains_answer(reference, [text]) for reference in question.references)
    # Either may say more than the other: "31 metres" and "31".
    aliases = [alias for reading in readings for alias in reading.answers if alias]
    return contains_answer(text, aliases) or any(contains_answer(alias, [text]) for alias in aliases)
