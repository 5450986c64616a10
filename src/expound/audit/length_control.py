"""Length: what cutting and repeating does to a score, and how far the score is a matter of length (Table 11)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from expound.audit.inputs import Inputs, with_text
from expound.audit.numbers import correlation_of, difference_of, ratio_of
from expound.audit.section import Plot, Section, ShownTable, cell
from expound.audit.verdict import Verdict, judge, not_run
from expound.types import MetricResult, Prediction

TITLE = "Length: does the score follow the length?"
# Those of Table 11 (Krishna et al. 2021, A.6).
FRACTIONS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
_CHECKS = ("length-of-references", "second-half", "length-correlation")


@dataclass(frozen=True, slots=True)
class Point:
    """The answers cut to a fraction, and what they score as they are and repeated to their old length."""

    fraction: float
    words: float
    cut: dict[str, MetricResult]
    repeated: dict[str, MetricResult]


def length(inputs: Inputs) -> Section:
    """Verdicts, the curve, and correlations with length."""
    if not inputs.has_references:
        return Section("length", TITLE, tuple(not_run(name) for name in _CHECKS))
    points = curve(inputs)
    # One of the curve's own points, so that nothing is scored twice.
    half = next(point for point in points if point.fraction == 0.5).cut[inputs.primary]
    # An empty answer has no second half, and that it scores nothing does not make a metric one of length.
    lengths = [float(len(text.split())) or math.nan for text in inputs.answers()]
    verdicts = (
        judge("length-of-references", ratio_of(lengths, _reference_words(inputs), seed=inputs.seed)),
        *_of_the_score(inputs, lengths, inputs.of_each(half)),
    )
    tables = (_curve_table(inputs, points), _correlations(inputs, lengths), *_equal_length(inputs))
    plots = tuple(_curve_plot(metric, points) for metric in inputs.quality)
    return Section(name="length", title=TITLE, verdicts=verdicts, tables=tables, plots=plots)


def _of_the_score(inputs: Inputs, lengths: Sequence[float], halves: Sequence[float]) -> tuple[Verdict, ...]:
    """What the score owes to length; answers that are off topic score by chance, and the more the longer they are."""
    if inputs.unfit:
        return not_run("second-half", inputs.unfit), not_run("length-correlation", inputs.unfit)
    scores = inputs.of_each(inputs.quality[inputs.primary])
    # An empty answer would pull both sides of the difference to 0.
    whole = [math.nan if math.isnan(length) else score for score, length in zip(scores, lengths, strict=True)]
    return (
        judge("second-half", difference_of(whole, halves, seed=inputs.seed), on=inputs.primary),
        judge("length-correlation", correlation_of(lengths, scores, seed=inputs.seed), on=inputs.primary),
    )


def curve(inputs: Inputs, metrics: tuple[str, ...] = ()) -> list[Point]:
    """The answers cut to every fraction of their words, and these cut answers repeated to the old length."""
    points = []
    for number, fraction in enumerate(FRACTIONS):
        inputs.say("cutting answers", number, len(FRACTIONS))
        cut_answers = {id: with_text(item, cut(item.answer.text, fraction)) for id, item in inputs.predictions.items()}
        repeated = {id: with_text(item, repeat(item.answer.text, fraction)) for id, item in inputs.predictions.items()}
        words = [len(item.answer.text.split()) for item in cut_answers.values()]
        scores = inputs.score(cut_answers, metrics=metrics)
        # Whole answers are their own repetition.
        again = scores if fraction == 1 else inputs.score(repeated, metrics=metrics)
        points.append(Point(fraction, sum(words) / len(words), scores, again))
    return points


def cut(text: str, fraction: float) -> str:
    """The first fraction of the words, at least one.

    >>> cut("one two three four", 0.5)
    'one two'
    """
    words = text.split()
    # At least one word: an empty text has no score of its own.
    return text if fraction >= 1 else " ".join(words[: max(1, round(fraction * len(words)))])


def repeat(text: str, fraction: float) -> str:
    """The first fraction of the words, over and over up to the old length.

    >>> repeat("one two three four", 0.5)
    'one two one two'
    """
    words = text.split()
    kept = words[: max(1, round(fraction * len(words)))]
    return " ".join((kept * math.ceil(len(words) / max(1, len(kept))))[: len(words)])


def at_equal_length(a: Prediction, b: Prediction) -> tuple[Prediction, Prediction]:
    """Both answers cut to the words of the shorter."""
    # Cut, not repeated: words that nobody wrote would be scored.
    fewest = min(len(item.answer.text.split()) for item in (a, b))
    first, second = (with_text(item, " ".join(item.answer.text.split()[:fewest])) for item in (a, b))
    return first, second


def _reference_words(inputs: Inputs) -> list[float]:
    """The mean number of words of every question's references."""
    return [
        sum(len(text.split()) for text in question.references) / len(question.references)
        if question.references
        else math.nan
        for question in inputs.questions
    ]


def _curve_table(inputs: Inputs, points: list[Point]) -> ShownTable:
    metrics = tuple(inputs.quality)
    columns = ("fraction", "words", *(f"{metric} {kind}" for metric in metrics for kind in ("cut", "repeated")))
    rows = tuple(
        (
            point.fraction,
            point.words,
            *(_value(kind, metric) for metric in metrics for kind in (point.cut, point.repeated)),
        )
        for point in points
    )
    return ShownTable(
        "Cut and repeated answers", columns, rows, "Repeated: the cut answer over and over, up to the old length."
    )


def _curve_plot(metric: str, points: list[Point]) -> Plot:
    scored = [point for point in points if metric in point.cut and metric in point.repeated]
    series = (
        ("cut", tuple((point.fraction, point.cut[metric].value) for point in scored)),
        ("repeated", tuple((point.fraction, point.repeated[metric].value) for point in scored)),
    )
    return Plot(title=f"{metric} of cut answers", x="fraction of the words kept", y=metric, series=series, is_line=True)


def _correlations(inputs: Inputs, words: Sequence[float]) -> ShownTable:
    rows = tuple(
        (metric, cell(correlation_of(words, inputs.of_each(result), seed=inputs.seed), 2))
        for metric, result in inputs.quality.items()
    )
    return ShownTable("Spearman correlation with the number of words", ("metric", "rho"), rows)


def _equal_length(inputs: Inputs) -> tuple[ShownTable, ...]:
    """Two systems as they are, and both cut to the shorter answer of every question."""
    if not inputs.other:
        return ()
    shared = [id for id in inputs.predictions if id in inputs.other]
    pairs = {id: at_equal_length(inputs.predictions[id], inputs.other[id]) for id in shared}
    sides = (inputs.other, {id: pair[0] for id, pair in pairs.items()}, {id: pair[1] for id, pair in pairs.items()})
    theirs, our_cut, their_cut = (inputs.score(side) for side in sides)
    rows = tuple(
        (
            metric,
            _compare_shares(inputs, metric, inputs.quality, theirs),
            _compare_shares(inputs, metric, our_cut, their_cut),
        )
        for metric in inputs.quality
    )
    note = "System minus the other; at equal length both answers are cut to the words of the shorter one."
    return (ShownTable("Against the other system", ("metric", "as they are", "at equal length"), rows, note),)


def _compare_shares(inputs: Inputs, metric: str, ours: dict[str, MetricResult], theirs: dict[str, MetricResult]) -> str:
    if metric not in ours or metric not in theirs:
        return "–"
    return cell(difference_of(inputs.of_each(ours[metric]), inputs.of_each(theirs[metric]), seed=inputs.seed))


def _value(results: dict[str, MetricResult], metric: str) -> object:
    return results[metric].value if metric in results else "–"
