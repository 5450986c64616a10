"""Scores and comparisons on the terminal, and as tables to paste."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from expound.cli import screen
from expound.cli.screen import TableFormat
from expound.errors import UserError
from expound.score.cost import COST_HEADING, show_cost
from expound.score.pairs import named_ids
from expound.score.results import Scores, reader_of
from expound.stats.p_values import shown_p
from expound.types import Comparison, MetricResult

_NEEDED = {
    "dr": "qa_em, qa_f1, qa_hit and dr need a reader: --reader auto, or its answers: --short-answers FILE",
    "best_f1": "best_* and pr_* need --no-answer-probabilities FILE",
    "perplexity": "perplexity needs --log-probabilities FILE",
    "fill_1": "fill_1 needs --fills FILE",
    "f1_edit_f1": "question scores need a question with each predicted answer, and questions with several answers",
}


def print_scores(scores: Scores, format: TableFormat) -> None:
    """A row per metric; what is missing is said beside every number."""
    if not scores.results:
        raise UserError("; ".join(_remarks(scores)))
    told = [*(["missing"] if scores.missing else []), *([COST_HEADING] if scores.costs else [])]
    columns = ["metric", "value", "low", "high", "n", *told, "signature"]
    rows = [_row(result, scores) for result in scores.results]
    # The row stays: what cannot be had is told, not dropped.
    rows += [[name, *[math.nan] * 3, 0, *["–"] * len(told), f"cannot be had: {why}"]
             for name, why in scores.cannot_be_had.items()]  # fmt: skip
    screen.print_table(columns, rows, format)
    for remark in _remarks(scores):
        screen.say(remark)


def print_json(scores: Scores, *, per_question: bool) -> None:
    """`{"n", "missing", "results": […]}`; a number that does not exist is null."""
    record: dict[str, Any] = {"n": scores.n, "missing": scores.missing}
    record |= {"errors": dict(scores.errors)} if scores.errors else {}
    if scores.missing:
        record["missing_ids"] = {"predictions": scores.unanswered, "questions": scores.unknown}
    record |= {"cannot_be_had": dict(scores.cannot_be_had)} if scores.cannot_be_had else {}
    record["results"] = [_record(result, scores, per_question=per_question) for result in scores.results]
    screen.print_json(record)


def print_comparisons(comparisons: Sequence[Comparison], format: TableFormat) -> None:
    """A row per metric and pair of systems; on the terminal systems have letters, so that numbers have room."""
    if format is not TableFormat.text:
        columns = [item.name for item in fields(Comparison)]
        screen.print_table(columns, [_pasted_row(item, columns, format) for item in comparisons], format)
        return
    names = dict.fromkeys(name for item in comparisons for name in (item.a, item.b))
    # More than 26 systems keep their names: `letters.get` falls back to them.
    letters = dict(zip(names, string.ascii_uppercase, strict=False))
    for name, letter in letters.items():
        screen.line(f"{letter}: {name}")
    columns = ["metric", "pair", "difference", "low", "high", "p", "won", "tied", "lost", "n"]
    told = [name for name in ("missing", "errors") if any(getattr(item, name) for item in comparisons)]
    rows = [[*_comparison_row(item, letters), *(getattr(item, name) for name in told)] for item in comparisons]
    screen.table([*columns, *told], rows)
    if len(names) > 2:
        screen.say("p is corrected after Holm for the pairs of systems")
    for signature in dict.fromkeys(item.signature for item in comparisons):
        screen.say(signature)


def _pasted_row(item: Comparison, columns: Sequence[str], format: TableFormat) -> list[object]:
    """What a table to paste says; in CSV, which programs read, a p-value stays the number it is."""
    row = {name: getattr(item, name) for name in columns}
    if format is not TableFormat.csv:
        row |= {name: shown_p(row[name]) for name in ("p_value", "p_holm")}
    return list(row.values())


def _comparison_row(item: Comparison, letters: Mapping[str, str]) -> list[object]:
    pair = f"{letters.get(item.a, item.a)} {item.a_value:.2f}, {letters.get(item.b, item.b)} {item.b_value:.2f}"
    row = [item.metric, pair, item.difference, item.low, item.high, shown_p(item.p_holm)]
    return [*row, item.wins, item.ties, item.losses, item.n]


def _row(result: MetricResult, scores: Scores) -> list[object]:
    counts: list[object] = [result.n, scores.missing] if scores.missing else [result.n]
    counts += [show_cost(scores.costs[result.metric])] if scores.costs else []
    reader = reader_of(result)
    name = f"{result.metric}[{reader}]" if reader else result.metric
    return [name, result.value, result.low, result.high, *counts, result.signature]


def _record(result: MetricResult, scores: Scores, *, per_question: bool) -> dict[str, Any]:
    record: dict[str, Any] = {
        "metric": result.metric,
        "value": _number(result.value),
        "low": _number(result.low),
        "high": _number(result.high),
        "n": result.n,
        "signature": result.signature,
    }
    if scores.costs:
        record["cpu_seconds_a_thousand"] = scores.costs[result.metric]
    if reader := reader_of(result):
        record["reader"] = reader
    return record | {"per_question": dict(result.per_question)} if per_question else record


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def failure_remarks(errors: Mapping[str, str], stand_ins: int) -> list[str]:
    """What to say of questions that the system failed on."""
    found = []
    if errors:
        first = next(iter(errors.values()))
        found.append(f"{len(errors):,} questions failed, not scored: {named_ids(list(errors))}; the first with {first}")
    if stand_ins:
        found.append(f"{stand_ins:,} answers stand in for those of a system that failed")
    return found


def _remarks(scores: Scores) -> list[str]:
    sides = (
        ("questions without a prediction", scores.unanswered),
        ("predictions without a question", scores.unknown),
    )
    missing = [f"{len(ids):,} {what}, not scored: {named_ids(ids)} (--json names all)" for what, ids in sides if ids]
    missing += failure_remarks(scores.errors, scores.stand_ins)
    needed = [_NEEDED[name] for name in scores.left_out if name in _NEEDED]
    explained = ("qa_", "dr", "best_", "pr_", "f1_bleu", *_NEEDED)
    silent = [name for name in scores.left_out if not name.startswith(explained)]
    return [*missing, *needed, *([f"nothing to score for: {', '.join(silent)}"] if silent else []),
            *filter(None, [scores.note])]  # fmt: skip
