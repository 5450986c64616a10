"""ELI5's Figure 8 (Fan et al. 2019): how far down the TF-IDF ranking the oracle finds its sentences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from expound.answer.support_document import CONTEXT
from expound.answer.tfidf import DOCUMENTS, best_first
from expound.datasets.predictions import read_predictions
from expound.datasets.spec import open_dataset
from expound.experiment import Report
from expound.recipes.eli5_web import WebRecipe, point
from expound.recipes.table import Inputs, Measured, Recipe, Row, measure
from expound.runs.folder import PREDICTIONS
from expound.types import MetricResult, Question

SENTENCES, HIGHEST = "oracle sentences, %", "highest rank, % of questions"
GROUPS = 5
# The paper's first 20 of 500 passages, and its last 100.
FIRST = 0.04
_NO_PASSAGE = 2.0
RECIPE = Recipe(
    "eli5-figure8",
    "ELI5, Figure 8: TF-IDF rank of the passages that oracle sentences come from",
    "eli5-web",
    ("Eli5Rouge(kind='1')",),
    (Row("oracle web sources", {}, "OracleSentences()", "Given"),),
    "The paper ranks 500 passages of 100 web pages for each of 1,000 questions. Here ranks are shares of all the "
    "passages that the question's own documents have, which are far fewer, so each fifth holds few of them.",
)


def measure_ranks(inputs: Inputs, out: Path, *, jobs: int = 1, report: Report | None = None) -> list[Measured]:
    """A row a part of the ranking; how many oracle sentences it gives, and how many oracles end in it."""
    questions = {question.id: question for question in list(open_dataset(inputs.dataset))[: inputs.limit or None]}
    measure(RECIPE, inputs, out, jobs=jobs, report=report)
    ranks = []
    for prediction in read_predictions(out / "01" / PREDICTIONS):
        known = passage_ranks(questions[prediction.id])
        ranks.append([known.get(item.text, _NO_PASSAGE) for item in prediction.answer.sentences])
    return rows_of([found for found in ranks if found])


def passage_ranks(question: Question) -> dict[str, float]:
    """By sentence, the rank of the first passage that has it, as a share of all passages: above 0, at most 1.

    A passage is a sentence that shares a word with the question, and its neighbours, as in the support document.
    """
    documents, table = DOCUMENTS.table([passage.text for passage in question.evidence])
    sentences = [sentence for document in documents for sentence in document.sentences]
    ends = list(accumulate(len(document.sentences) for document in documents))
    ranked = best_first(table.similarities(question.text))
    ranks: dict[str, float] = {}
    for rank, row in enumerate(ranked, start=1):
        document = bisect_right(ends, row)
        start, end = ends[document - 1] if document else 0, ends[document]
        for near in range(max(start, row - CONTEXT), min(end, row + CONTEXT + 1)):
            ranks.setdefault(sentences[near], rank / len(ranked))
    return ranks


def rows_of(ranks: Sequence[Sequence[float]]) -> list[Measured]:
    """The table from the ranks of each oracle's sentences."""
    first = Row("first 4 %", {SENTENCES: 9.0}, why="published: less than 9 % from the first 20 of 500")
    rows = [Measured(first, {SENTENCES: _share(ranks, 0.0, FIRST)})]
    for number in range(GROUPS):
        low, high = number / GROUPS, (number + 1) / GROUPS
        is_last = number == GROUPS - 1
        row = Row(
            f"{100 * low:.0f}–{100 * high:.0f} %",
            {HIGHEST: 50.0} if is_last else {},
            why="published: most have a sentence from the last 100 of 500" if is_last else "",
        )
        highest = [100.0 * (low < max(used) <= high) for used in _in_passages(ranks)]
        rows.append(Measured(row, {SENTENCES: _share(ranks, low, high), HIGHEST: point(HIGHEST, highest, over="rank")}))
    outside = Row("in no passage", {}, why="neither they nor a neighbour share a word with the question")
    return [*rows, Measured(outside, {SENTENCES: _share(ranks, 1.0, _NO_PASSAGE)})]


def _share(ranks: Sequence[Sequence[float]], low: float, high: float) -> MetricResult:
    """Of each question's sentences, the share whose rank is above `low` and at most `high`."""
    shares = [100 * sum(low < rank <= high for rank in used) / len(used) for used in ranks]
    return point(SENTENCES, shares, over="rank")


def _in_passages(ranks: Sequence[Sequence[float]]) -> list[list[float]]:
    """The ranks of the sentences that stand in a passage, of questions that have any."""
    inside = ([rank for rank in used if rank <= 1] for used in ranks)
    return [used for used in inside if used]


FIGURE = WebRecipe(RECIPE, measure_ranks)
