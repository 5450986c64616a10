"""ELI5's Figure 8 (Fan et al. 2019): how far down the TF-IDF ranking the oracle finds its sentences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from expound.answer.support_document import CONTEXT
from expound.answer.tfidf import DOCUMENTS, best_first
from expound.datasets.predictions import PREDICTIONS, read_predictions
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import mean_figure
from expound.recipes.pictures import draw_lines
from expound.recipes.shape import Ingredients, Recipe
from expound.recipes.systems import Parts, SystemTable, read_questions, run_systems
from expound.types import Question

SENTENCES, HIGHEST = "oracle sentences, %", "highest rank, % of questions"
# The paper's last 100 of 500 passages are the last fifth, its first 20 the first 4 %.
GROUPS, FIRST = 5, 0.04
_NO_PASSAGE = 2.0  # above every rank, which is a share of all passages
SYSTEMS = SystemTable(
    name="eli5-figure8",
    metrics=("Eli5Rouge(kind='1')",),
    rows=(Row("oracle web sources", how=Parts("OracleSentences()", "Given")),),
)
Ranks = Sequence[Sequence[float]]
"""Of each question, the ranks of the passages that its oracle's sentences come from."""


@dataclass(frozen=True)
class Stretch:
    """A part of the ranking: above `low`, at most `high`."""

    low: float
    high: float
    can_end: bool = False
    """Whether to say how many oracles end there, too: these parts share them out."""


def read_ranks(given: Ingredients) -> Ranks:
    """Run the oracle; a question of which it takes no sentence has no rank."""
    questions = {question.id: question for question in read_questions(given)}
    # For its answers, which are kept in the folder of the first row; the scores are of no use here.
    run_systems(SYSTEMS, given)
    ranks = []
    for prediction in read_predictions(given.folder / "01" / PREDICTIONS):
        known = passage_ranks(questions[prediction.id])
        ranks.append([known.get(item.text, _NO_PASSAGE) for item in prediction.answer.sentences])
    return [found for found in ranks if found]


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
            # The first passage that has it: overlapping passages hold the same neighbour, and the better rank is the
            # true one.
            ranks.setdefault(sentences[near], rank / len(ranked))
    return ranks


def run_stretch(ranks: Ranks, row: Row) -> Values:
    """How many of the oracles' sentences come from a part of the ranking, and how many oracles end in it."""
    part: Stretch = row.how
    values = {SENTENCES: mean_figure(_share(used, part) for used in ranks)}
    if part.can_end:
        # Sentences of no passage have no rank, and cannot be the lowest.
        inside = ([rank for rank in used if rank <= 1] for used in ranks)
        values[HIGHEST] = mean_figure(100.0 * (part.low < max(used) <= part.high) for used in inside if used)
    return values


def _share(used: Sequence[float], part: Stretch) -> float:
    return 100 * sum(part.low < rank <= part.high for rank in used) / len(used)


def _fifth(number: int) -> Row:
    part = Stretch(number / GROUPS, (number + 1) / GROUPS, can_end=True)
    name = f"{100 * part.low:.0f}–{100 * part.high:.0f} %"
    if number < GROUPS - 1:
        return Row(name, how=part)
    return Row(name, {HIGHEST: 50.0}, part, why="published: most have a sentence from the last 100 of 500")


RECIPE = Recipe(
    name="eli5-figure8",
    title="ELI5, Figure 8: TF-IDF rank of the passages that oracle sentences come from",
    layout="eli5-web",
    rows=(
        Row(
            "first 4 %",
            {SENTENCES: 9.0},
            Stretch(0.0, FIRST),
            why="published: less than 9 % from the first 20 of 500",
        ),
        *(_fifth(number) for number in range(GROUPS)),
        Row(
            "in no passage",
            how=Stretch(1.0, _NO_PASSAGE),
            why="neither they nor a neighbour share a word with the question",
        ),
    ),
    prepare=read_ranks,
    run_row=run_stretch,
    draw=draw_lines,
    why="The paper ranks 500 passages of 100 web pages for each of 1,000 questions. Here ranks are shares of all the "
    "passages that the question's own documents have, which are far fewer, so each fifth holds few of them.",
)
