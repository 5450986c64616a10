"""AmbigQA's Table 6 (Min et al. 2020): in which way predicted readings are right or wrong, judged by answers alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from expound.datasets.predictions import read_predictions
from expound.datasets.spec import open_dataset
from expound.experiment import Report
from expound.recipes.control_table import ControlTable, Rows
from expound.score.ambigqa import F1Answer
from expound.types import Prediction, Question

# Per cent of 50 questions, judged by hand; "reference is incorrect", 4 %, needs a person.
_PUBLISHED = {
    "several answers, all found": 2,
    "several answers, found in part": 40,
    "several answers, none found": 14,
    "one answer, over-generated": 2,
    "one answer, found": 26,
    "one answer, not found": 12,
}


def error_class(question: Question, prediction: Prediction) -> str:
    """The row of the table that a prediction belongs to."""
    score = F1Answer().count(question, prediction)
    is_multi = not math.isnan(F1Answer(multi=True).count(question, prediction))
    if is_multi:
        return f"several answers, {'all found' if score == 100 else 'found in part' if score else 'none found'}"
    if len(prediction.interpretations) > 1:
        return "one answer, over-generated"
    return f"one answer, {'found' if score == 100 else 'not found'}"


def rows(files: Sequence[Path], report: Report | None = None) -> Rows:
    """Shares of the classes, published beside ours."""
    dataset, predictions = files
    found = {prediction.id: prediction for prediction in read_predictions(predictions)}
    classes = Counter(
        error_class(question, found[question.id])
        for question in open_dataset(f"ambignq:{dataset}")
        if question.id in found
    )
    total = max(1, classes.total())
    table: list[list[object]] = [
        [name, published, round(100 * classes[name] / total, 1), classes[name]]
        for name, published in _PUBLISHED.items()
    ]
    return ["class", "published %", "measured %", "n"], table


RECIPE = ControlTable(
    "ambigqa-table6",
    "AmbigQA, Table 6: error classes",
    ("AmbigNQ questions", "predictions with readings"),
    rows,
    "Published: 50 questions judged by hand, SPANSEQGEN with co-training; 4 % of its references are wrong. "
    "Ours: by the metric's own comparison of answers.",
)
