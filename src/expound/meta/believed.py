"""A meta-evaluation in a table and a few sentences: whole sources, every metric beside the baselines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from expound.meta.evaluation import BASELINES, RANDOM, Judged, Meta
from expound.meta.judged import WITHOUT_ORDER
from expound.meta.meta_rows import ACCURACY, ALL, COST, DIFFERENCE, HOLM, KENDALL, TO_LENGTH, UNSCORED, MetaRow
from expound.score.cost import COST_HEADING, show_cost
from expound.stats.p_values import shown_p, told_p

_KENDALL = "Kendall"
COLUMNS = ("source", "metric", "accuracy", "n", "ties", "less Length", "p (Holm)", _KENDALL, "pairs for a claim",
           COST_HEADING)  # fmt: skip
_NONE = "–"
_SURE = 0.05  # what papers of the field call significant


def summary_table(found: Meta) -> tuple[list[str], list[list[object]]]:
    """Headings, and a row for each metric on each source."""
    by_name = _whole_rows(found)
    rows = [row for source in found.sources for row in _rows_of(source, [RANDOM, *source.leans], by_name)]
    return list(COLUMNS), rows


def source_table(found: Meta, source: Judged) -> tuple[list[str], list[list[object]]]:
    """The same of one source alone, without what has no number there."""
    scored = [name for name in (RANDOM, *source.leans) if name not in source.unscored]
    rows = _rows_of(source, scored, _whole_rows(found))
    # The source stands above; and where nothing was graded there is no correlation to show.
    shown = [place for place, name in enumerate(COLUMNS) if place and (source.people.graded or name != _KENDALL)]
    return [COLUMNS[place] for place in shown], [[row[place] for place in shown] for row in rows]


def absent_from(source: Judged) -> Iterator[str]:
    """What has no number on a source, a sentence for each reason."""
    reasons: dict[str, list[str]] = {}
    for name in source.unscored:
        reasons.setdefault(_reason(source, name), []).append(name)
    yield from (f"{', '.join(names)} {reason}." for reason, names in reasons.items())


def _whole_rows(found: Meta) -> dict[tuple[str, ...], MetaRow]:
    return {(row.source, row.metric, row.measure): row for row in found.rows if row.setting == ALL}


def _rows_of(
    source: Judged, metrics: Sequence[str], by_name: Mapping[tuple[str, ...], MetaRow]
) -> Iterator[list[object]]:
    name = source.people.source
    for metric in metrics:
        row = {measure: by_name.get((name, metric, measure)) for measure in
               (ACCURACY, DIFFERENCE, HOLM, KENDALL, TO_LENGTH)}  # fmt: skip
        reason = _reason(source, metric) if metric in source.unscored else ""
        warning = f" ({source.warnings[metric]})" if metric in source.warnings else ""
        spent = by_name.get((name, metric, COST))
        yield [name, f"{metric}{warning}", *_cells(row, reason), show_cost(spent.value) if spent else _NONE]


def _cells(row: dict[str, MetaRow | None], reason: str) -> list[object]:
    if reason:
        # The row stays: what cannot be had is told, not dropped.
        return [reason, 0, 0, _NONE, _NONE, _NONE, _NONE]
    accuracy, holm, needed = row[ACCURACY], row[HOLM], row[TO_LENGTH]
    return [
        _show_number(accuracy),
        accuracy.n if accuracy else 0,
        accuracy.ties if accuracy else 0,
        _show_number(row[DIFFERENCE]),
        shown_p(holm.value) if holm else _NONE,
        _show_number(row[KENDALL]),
        f"{needed.value:,.0f}" if needed and math.isfinite(needed.value) else _NONE,
    ]


def _reason(source: Judged, metric: str) -> str:
    """Why a metric has no number for any answer of a source, as far as the metric or the source can tell."""
    answers = source.people.answers
    if not any(answer.text for answer in answers):
        return "cannot be had: no texts"
    if source.unscored[metric]:
        return f"cannot be had: {source.unscored[metric]}"
    if not any(answer.question.references for answer in answers):
        return "cannot be had: no references"
    return "cannot be had: no answer has what it needs"


def facts_of(found: Meta) -> Iterator[str]:
    """Of each source: what was judged, what was left out, and the baseline that has to be beaten."""
    for source in found.sources:
        yield f"{source.people.source}: {fact_of(found, source)}"
    yield from unordered_of(found)


def fact_of(found: Meta, source: Judged) -> str:
    """The same of one source, without its name."""
    name, best = source.people.source, found.best_baseline(source.people.source)
    text = f"{_tell_judged(source)}.{_left_out(found, source)}"
    return f"{text} Best baseline: {best.metric} ({best.value:.3f}).{_ahead(found, name, best)}" if best else text


def unordered_of(found: Meta) -> Iterator[str]:
    """Sources that metrics cannot be compared with."""
    # One such file is no reason to lose the others.
    yield from (f"{name} {WITHOUT_ORDER}." for name in found.unordered)


def _ahead(found: Meta, source: str, baseline: MetaRow) -> str:
    """The metric with the highest accuracy: called the best only where it beats the baselines."""
    row = found.highest(source)
    if row is None:
        return ""
    highest = f"{row.metric} ({row.value:.3f})"
    if found.best(source):
        doubt = _doubt(found, source, row.metric)
        return f" Best metric: {highest}{f', which may be chance: {doubt}' if doubt else ''}."
    beaten = "chance" if row.value <= 0.5 else baseline.metric
    return f" No metric beats {beaten}: the highest is {highest}."


def _doubt(found: Meta, source: str, metric: str) -> str:
    """Why a lead over Length may be luck; nothing where both the interval and Holm's test rule that out."""
    own = {row.measure: row for measure in (DIFFERENCE, HOLM) for row in found.of(source, measure)
           if row.metric == metric}  # fmt: skip
    gained, holm = own.get(DIFFERENCE), own.get(HOLM)
    if gained is None or not gained.low > 0:
        return "its gain over Length includes 0"
    # Of many metrics one is the highest by luck, and its interval alone does not know of the others.
    return "" if holm and holm.value < _SURE else f"{told_p(holm.value if holm else math.nan)} after Holm's correction"


def _left_out(found: Meta, source: Judged) -> str:
    """Pairs that metrics have no number for: their accuracy is that of the others."""
    rows = [row for row in found.of(source.people.source, UNSCORED) if row.value and row.metric not in source.unscored]
    told = ", ".join(f"{row.metric} ({row.value:.0f})" for row in rows)
    return f" Left out for want of a number: pairs of {told}." if told else ""


def _tell_judged(source: Judged) -> str:
    people = source.people
    pairs = [pair for pair in people.pairs if pair.criterion == people.criteria[0]]
    undecided = sum(pair.choice is None for pair in pairs)
    graded = sum(one.criterion == people.criteria[0] for one in people.graded)
    said = f"{_count(len(pairs), 'pair')} by {people.criteria[0]}, {undecided:,} of them without a preference"
    return f"{_count(graded, 'graded answer')}, which make {said}" if graded else said


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _show_number(row: MetaRow | None) -> str:
    if row is None or math.isnan(row.value):
        return _NONE
    # What a coin gets is known, and has no interval to show.
    if math.isnan(row.low) or (row.metric in BASELINES and row.low == row.high):
        return _digits(row.value)
    return f"{_digits(row.value)} [{_digits(row.low)}, {_digits(row.high)}]"


def _digits(value: float) -> str:
    """Three digits, and no sign before what they show as 0."""
    return f"{round(value, 3) + 0.0:.3f}"
