"""Scores and comparisons on the terminal, and as tables to paste."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from expound.cli import screen
from expound.cli.screen import TableFormat
from expound.score.results import Scores
from expound.types import Comparison, MetricResult

_NEEDED = {
    "qa_f1": "qa_em, qa_f1, qa_hit and dr need the answers of a reader: --short-answers FILE",
    "best_f1": "best_* and pr_* need --no-answer-probabilities FILE",
    "perplexity": "perplexity needs --log-probabilities FILE",
    "fill_1": "fill_1 needs --fills FILE",
    "f1_edit_f1": "question scores need a question with each predicted answer, and questions with several answers",
}


def print_scores(scores: Scores, format: TableFormat) -> None:
    """A row per metric; what is missing is said beside every number."""
    columns = ["metric", "value", "low", "high", "n", *(["missing"] if scores.missing else []), "signature"]
    rows = [_row(result, scores.missing) for result in scores.results]
    screen.print_table(columns, rows, format)
    for remark in _remarks(scores):
        screen.say(remark)


def print_json(scores: Scores, *, per_question: bool) -> None:
    """`{"n", "missing", "results": […]}`; a number that does not exist is null."""
    record: dict[str, Any] = {"n": scores.n, "missing": scores.missing}
    if scores.missing:
        record["missing_ids"] = {"predictions": scores.unanswered, "questions": scores.unknown}
    record["results"] = [_record(result, per_question=per_question) for result in scores.results]
    screen.print_json(record)


def print_comparisons(comparisons: Sequence[Comparison], format: TableFormat) -> None:
    """A row per metric and pair of systems."""
    columns = ["metric", "a", "b", "a's", "b's", "a - b", "low", "high", "p", "p (Holm)", "won", "tied", "lost", "n"]
    rows = [
        [
            item.metric, item.a, item.b, item.a_value, item.b_value, item.difference, item.low, item.high,
            f"{item.p_value:.4f}", f"{item.p_holm:.4f}", item.wins, item.ties, item.losses, item.n,
        ]
        for item in comparisons
    ]  # fmt: skip
    if len({(item.a, item.b) for item in comparisons}) == 1:
        title = f"a: {comparisons[0].a}, b: {comparisons[0].b}"
        columns, rows = _without(columns, rows, {"a", "b", "p (Holm)"})
    else:
        title = ""
    if format is TableFormat.text:
        screen.table(columns, rows, title=title)
        for item in dict.fromkeys(item.signature for item in comparisons):
            screen.say(item)
    else:
        screen.print_table(columns, rows, format)


def _row(result: MetricResult, missing: int) -> list[object]:
    counts = [result.n, missing] if missing else [result.n]
    return [result.metric, result.value, result.low, result.high, *counts, result.signature]


def _record(result: MetricResult, *, per_question: bool) -> dict[str, Any]:
    record: dict[str, Any] = {
        "metric": result.metric,
        "value": _number(result.value),
        "low": _number(result.low),
        "high": _number(result.high),
        "n": result.n,
        "signature": result.signature,
    }
    return record | {"per_question": dict(result.per_question)} if per_question else record


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _remarks(scores: Scores) -> list[str]:
    sides = (
        ("questions without a prediction", scores.unanswered),
        ("predictions without a question", scores.unknown),
    )
    missing = [f"{len(ids):,} {what}, not scored: {', '.join(ids)}" for what, ids in sides if ids]
    return [*missing, *(_NEEDED[name] for name in scores.left_out if name in _NEEDED)]


def _without(
    columns: Sequence[str], rows: Sequence[Sequence[object]], names: set[str]
) -> tuple[list[str], list[list[object]]]:
    kept = [place for place, name in enumerate(columns) if name not in names]
    return [columns[place] for place in kept], [[row[place] for place in kept] for row in rows]
