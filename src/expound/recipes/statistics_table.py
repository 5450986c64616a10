"""Statistics that the papers print about their datasets, beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expound.datasets.spec import open_dataset
from expound.recipes.dataset_stats import question_statistics
from expound.text.tables import as_markdown


@dataclass(frozen=True)
class Published:
    """A number of a paper, by the group and name that our statistic of it has."""

    row: str
    group: str
    name: str
    value: float


@dataclass(frozen=True)
class StatisticsRecipe:
    """A table of statistics."""

    name: str
    title: str
    layout: str
    rows: tuple[Published, ...]
    why: str = ""


ASQA_TABLES = StatisticsRecipe(
    "asqa-tables-1-2",
    "ASQA, Tables 1 and 2, and section 3.3: the dev set",
    "asqa",
    (
        Published("answers per question", "answers", "per question", 2.0),
        Published("words in an answer", "length", "answer", 64.8),
        Published("references agree, ROUGE-L", "references agree", "ROUGE-Lsum", 49.6),
        Published("answer tokens in the support document, %", "answer tokens", "in readings and evidence", 92.0),
        Published("the same without disambiguations, %", "answer tokens", "in the evidence alone", 78.0),
    ),
    "Published over all 948 dev questions; tokens need the contexts and notes of the annotators.",
)
AMBIGQA_TABLE = StatisticsRecipe(
    "ambigqa-table2",
    "AmbigQA, Table 2: readings a question, dev set, %",
    "ambignq",
    (
        Published("1", "readings", "1", 49.0),
        Published("2", "readings", "2", 23.0),
        Published("3", "readings", "3", 14.0),
        Published("4 or more", "readings", "4+", 13.0),
    ),
    "Published over all 2,002 dev questions; for the training set the table has 53, 24, 14 and 10.",
)


def statistics_rows(recipe: StatisticsRecipe, dataset: str) -> tuple[list[str], list[list[object]]]:
    """Row, published, measured, n."""
    found = {(item.group, item.name): item for item in question_statistics(list(open_dataset(dataset)))}
    rows: list[list[object]] = []
    for row in recipe.rows:
        item = found.get((row.group, row.name))
        measured: list[object] = [item.value, item.n] if item else ["not in this file", ""]
        rows.append([row.row, row.value, *measured])
    return ["row", "published", "measured", "n"], rows


def statistics_markdown(recipe: StatisticsRecipe, rows: tuple[Sequence[str], Sequence[Sequence[object]]]) -> str:
    """The table to keep."""
    return f"### {recipe.title}\n\n{as_markdown(*rows)}\n{recipe.why}\n"
