"""AmbigQA's Table 6 (Min et al. 2020): in which way predicted readings are right or wrong, judged by answers alone."""

from __future__ import annotations

import math
from collections.abc import Sequence

from expound.audit.numbers import share_of
from expound.datasets.predictions import read_predictions
from expound.datasets.spec import open_dataset
from expound.errors import BadInput
from expound.recipes.findings import Row, Values
from expound.recipes.printing import measured_column, name_column, published_column, table_of
from expound.recipes.shape import Ingredients, Recipe
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
    # The metric itself says which questions count as ambiguous: those where all annotators found several answers.
    is_multi = not math.isnan(F1Answer(multi=True).count(question, prediction))
    if is_multi:
        return f"several answers, {'all found' if score == 100 else 'found in part' if score else 'none found'}"
    if len(prediction.interpretations) > 1:
        return "one answer, over-generated"
    return f"one answer, {'found' if score == 100 else 'not found'}"


def read_classes(given: Ingredients) -> list[str]:
    """The class of every prediction whose question is there."""
    dataset, predictions = given.files
    found = {prediction.id: prediction for prediction in read_predictions(predictions)}
    questions = [question for question in open_dataset(f"ambignq:{dataset}") if question.id in found]
    if not questions:
        raise BadInput(f"no prediction of {predictions} belongs to a question of {dataset}: their ids differ")
    return [error_class(question, found[question.id]) for question in questions]


def run_class(classes: Sequence[str], row: Row) -> Values:
    """The share of a class, in percent, and how many there are."""
    hits = [name == row.how for name in classes]
    return {"share": share_of(hits), "n": sum(hits)}


RECIPE = Recipe(
    name="ambigqa-table6",
    title="AmbigQA, Table 6: error classes",
    files=("AmbigNQ questions", "predictions with readings"),
    rows=tuple(Row(name, {"share": share}, name) for name, share in _PUBLISHED.items()),
    prepare=read_classes,
    run_row=run_class,
    tables=table_of(
        name_column("class"),
        published_column("published %", "share"),
        measured_column("measured %", "share"),
        measured_column("n"),
    ),
    why="Published: 50 questions judged by hand, SPANSEQGEN with co-training; 4 % of its references are wrong. "
    "Ours: by the metric's own comparison of answers.",
)
