"""Count one answer by one metric: at what price, and never twice where a model is asked."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeAlias

from expound import resources
from expound.protocols import AnyMetric
from expound.score.kept_scores import KeptScores
from expound.types import Prediction, Question

Row: TypeAlias = tuple[float, ...]

_LOADED = set[str]()


@dataclass(frozen=True)
class Counted:
    """What a metric counts of an answer, and the CPU-seconds that it took, perhaps on another day."""

    row: Row
    cpu_seconds: float


def count_answer(metric: AnyMetric, question: Question, prediction: Prediction) -> Counted:
    """The metric's numbers; of a metric that asks a model, those of an earlier run where there are any."""
    if not asks_model(metric):
        return _count(metric, question, prediction)
    kept, key = _open_kept(), _key(metric, question, prediction)
    if found := kept.find(key):
        return Counted(*found)
    # Loading weights is no part of the price of an answer.
    _load(metric)
    counted = _count(metric, question, prediction)
    kept.keep(key, counted.row, counted.cpu_seconds)
    return counted


def asks_model(metric: AnyMetric) -> bool:
    """Whether the metric names the weights that it depends on."""
    # Of the class: asking the metric would hash the weights.
    return hasattr(type(metric), "weights")


def _count(metric: AnyMetric, question: Question, prediction: Prediction) -> Counted:
    start = time.process_time()
    counted = metric.count(question, prediction)
    row = counted if isinstance(counted, tuple) else (float(counted),)
    return Counted(row, time.process_time() - start)


def _key(metric: AnyMetric, question: Question, prediction: Prediction) -> bytes:
    """All that such a metric may look at; where weights are other, so is the number."""
    evidence = [item.passage.text for item in prediction.evidence]
    said = [question.text, question.references, prediction.answer.text, prediction.system, evidence]
    weights: str = metric.weights  # type: ignore[union-attr]  # `asks_model` has seen it
    return sha256(json.dumps([repr(metric), weights, *said]).encode()).digest()


def _load(metric: AnyMetric) -> None:
    if repr(metric) not in _LOADED:
        metric.load()  # type: ignore[union-attr]  # what has weights can be told to load them
        _LOADED.add(repr(metric))


def _open_kept() -> KeptScores:
    # The number changes with what is kept: an older expound keeps its own file.
    return KeptScores.at(resources.home_folder("cache") / "scores-1.sqlite")
