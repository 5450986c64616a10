"""Statistics that the papers print about their datasets, beside ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from expound.datasets.stats_readings import reading_count
from expound.recipes.dataset_stats import agreements, token_shares
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import mean_of_all
from expound.recipes.printing import measured_column, name_column, published_column, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.recipes.systems import read_questions
from expound.types import Question

ValuesOf: TypeAlias = Callable[[Question], Sequence[float]]
"""What a statistic takes the mean of, for each question; nothing where it has none."""

NOT_HERE = "not in this file"
_MOST_READINGS = 4  # the last column of AmbigQA's Table 2 is "4+"


def read_all(given: Ingredients) -> list[Question]:
    """Every question: a statistic is quick, and of the whole file."""
    return read_questions(replace(given, limit=0))


def run_statistic(questions: Sequence[Question], row: Row) -> Values:
    """The mean over all that the questions have of it; questions are drawn for the interval."""
    values_of: ValuesOf = row.how
    figure = mean_of_all(map(values_of, questions))
    return {"mean": figure, "n": figure.n} if figure.n else {"mean": NOT_HERE}


def _answers(question: Question) -> list[float]:
    return [float(len(question.references))]


def _words(question: Question) -> list[float]:
    return [float(len(answer.split())) for answer in question.references]


def _has_readings(count: int, question: Question) -> list[float]:
    """Of a question with readings, whether it has so many."""
    found = reading_count(question)
    return [100.0 * (min(found, _MOST_READINGS) == count)] if found else []


def _readings_row(name: str, published: float, count: int) -> Row:
    return Row(name, {"mean": published}, partial(_has_readings, count))


_TABLE = table_of(
    name_column("row"),
    published_column("published", "mean"),
    measured_column("measured", "mean", digits=2),
    measured_column("n"),
)
ASQA_TABLES = Recipe(
    name="asqa-tables-1-2",
    title="ASQA, Tables 1 and 2, and section 3.3: the dev set",
    layout="asqa",
    rows=(
        Row("answers per question", {"mean": 2.0}, _answers),
        Row("words in an answer", {"mean": 64.8}, _words),
        Row("references agree, ROUGE-L", {"mean": 49.6}, agreements),
        Row("answer tokens in the support document, %", {"mean": 92.0}, token_shares),
        Row("the same without disambiguations, %", {"mean": 78.0}, partial(token_shares, with_readings=False)),
    ),
    prepare=read_all,
    run_row=run_statistic,
    tables=_TABLE,
    why="Published over all 948 dev questions; tokens need the contexts and notes of the annotators.",
)
AMBIGQA_TABLE = Recipe(
    name="ambigqa-table2",
    title="AmbigQA, Table 2: readings a question, dev set, %",
    layout="ambignq",
    rows=(
        _readings_row("1", 49.0, 1),
        _readings_row("2", 23.0, 2),
        _readings_row("3", 14.0, 3),
        _readings_row("4 or more", 13.0, 4),
    ),
    prepare=read_all,
    run_row=run_statistic,
    tables=_TABLE,
    why="Published over all 2,002 dev questions; for the training set the table has 53, 24, 14 and 10.",
)
