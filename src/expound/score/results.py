"""Score predictions: a number per metric, with its interval, its value per question and its signature."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from expound.errors import BadInput, UserError
from expound.protocols import Metric
from expound.stats.bootstrap import interval
from expound.types import MetricResult, Prediction, Question
from expound.version import __version__

_Item = TypeVar("_Item", Question, Prediction)
_NAMED = 5


def score(
    questions: Iterable[Question],
    predictions: Iterable[Prediction],
    metrics: Sequence[Metric],
    *,
    seed: int = 0,
    allow_missing: bool = False,
) -> list[MetricResult]:
    """Score every question by every metric; the mean leaves out what a metric could not score (not a number).

    Questions and predictions must have the same ids. With `allow_missing` the ids that both have are scored and the
    signature says how many questions were left out.
    """
    asked, answered = _by_id(questions, "question"), _by_id(predictions, "prediction")
    if not allow_missing:
        _check_ids(asked, answered)
    pairs = [(question, answered[id]) for id, question in asked.items() if id in answered]
    if not pairs:
        raise UserError("nothing to score: no prediction has the id of a question")
    # Question by question, so that metrics that look at the same texts find them read.
    rows = [[metric.count(*pair) for metric in metrics] for pair in pairs]
    values = [{pair[0].id: row[place] for pair, row in zip(pairs, rows, strict=True)} for place in range(len(metrics))]
    facts: dict[str, str | int] = {"refs": _reference_counts(pairs), "missing": len(asked) - len(pairs)}
    return [_result(metric, counts, facts, seed) for metric, counts in zip(metrics, values, strict=True)]


def _result(metric: Metric, counts: Mapping[str, float], facts: Mapping[str, str | int], seed: int) -> MetricResult:
    scored = {id: value for id, value in counts.items() if not math.isnan(value)}
    mean = math.fsum(scored.values()) / len(scored) if scored else math.nan
    low, high = interval(list(scored.values()), seed=seed)
    about = {**facts, "unscored": len(counts) - len(scored), "n": len(scored), "seed": seed}
    return MetricResult(metric.name, mean, low, high, len(scored), _signature(metric, about), scored)


def _signature(metric: Metric, about: Mapping[str, str | int]) -> str:
    """`rouge_lsum|profile:asqa|refs:2|n:748|seed:0|v:0.1.0`; counts of what was left out appear when there are any."""
    options: Mapping[str, str] = getattr(metric, "options", {})
    told = {name: value for name, value in about.items() if value or name not in ("missing", "unscored")}
    parts = {**options, **told, "v": __version__}
    return "|".join([metric.name, *(f"{name}:{value}" for name, value in parts.items())])


def _reference_counts(pairs: Iterable[tuple[Question, Prediction]]) -> str:
    counts = sorted({len(question.references) for question, _ in pairs})
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]}-{counts[-1]}"


def _by_id(items: Iterable[_Item], what: str) -> dict[str, _Item]:
    found: dict[str, _Item] = {}
    for item in items:
        if item.id in found:
            raise BadInput(f"two {what}s have the id {item.id!r}; keep one of them")
        found[item.id] = item
    return found


def _check_ids(asked: Mapping[str, Question], answered: Mapping[str, Prediction]) -> None:
    unanswered = [id for id in asked if id not in answered]
    if unanswered:
        raise UserError(
            f"{len(unanswered)} of {len(asked)} questions have no prediction: {_first_few(unanswered)}; "
            "add them, or allow missing ones to score the rest"
        )
    unknown = [id for id in answered if id not in asked]
    if unknown:
        raise UserError(
            f"{len(unknown)} of {len(answered)} predictions answer no question of the data set: {_first_few(unknown)}; "
            "is it another split? Allow missing ones to score the rest"
        )


def _first_few(ids: Sequence[str]) -> str:
    return ", ".join(ids[:_NAMED]) + (", …" if len(ids) > _NAMED else "")
