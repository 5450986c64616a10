"""ASQA's contexts made anew (Stelmakh et al. 2022, appendix A), beside the official ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from expound.build.context_files import read_viewed
from expound.build.contexts import NONE, ContextRules, ViewedPages
from expound.corpus.library import open_corpora
from expound.recipes.asqa_extractive import GOLD_SOURCES
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import mean_of_all
from expound.recipes.shape import Ingredients, Recipe
from expound.recipes.systems import read_questions
from expound.score.rouge import rouge
from expound.types import Passage, Question

GIVEN, FOUND = "readings with a context, %", "of the official ones, %"
SAME, OVERLAP = "the same paragraph, %", "words of the official one, %"
# Round figures on both sides of what official contexts have: a twentieth of them lies under 0.09, half under 0.28.
THRESHOLDS = (0.05, 0.1, 0.2, 0.3)


@dataclass(frozen=True)
class Viewed:
    """The questions that come with official contexts, and the viewed pages with and without those among them."""

    questions: Sequence[Question]
    pages: dict[bool, ViewedPages]


def read_pages(given: Ingredients) -> Viewed:
    """Read the corpus once for each condition: with the official contexts in it, and without."""
    questions = [question for question in read_questions(given) if "contexts" in question.meta]
    pages = {with_gold: read_viewed(questions, _passages(given.corpus, with_gold)) for with_gold in (True, False)}
    return Viewed(questions, pages)


def run_threshold(viewed: Viewed, row: Row) -> Values:
    """How many readings get a context, how many of those that officially have one, and how far it is the same."""
    with_gold, threshold = row.how
    pages, rules = viewed.pages[with_gold], ContextRules(threshold)
    given, found, same, overlap = [], [], [], []
    for question in viewed.questions:
        paragraphs = pages.of(question)
        ours = [pages.context(reading, paragraphs, rules) for reading in question.interpretations]
        # Of readings that officially have one: where annotators gave none, ours can be neither right nor wrong.
        pairs = [(one, other) for one, other in zip(ours, question.meta["contexts"], strict=True) if other]
        both = [(one.text, other) for one, other in pairs if one is not NONE]
        given.append([100.0 * (one is not NONE) for one in ours])
        found.append([100.0 * (one is not NONE) for one, _ in pairs])
        same.append([100.0 * (one == other) for one, other in both])
        overlap.append([100 * _recall(one, other) for one, other in both])
    return {
        GIVEN: mean_of_all(given),
        FOUND: mean_of_all(found),
        SAME: mean_of_all(same),
        OVERLAP: mean_of_all(overlap),
    }


def run_official(viewed: Viewed) -> Values:
    """The share of readings that officially have a context."""
    return {GIVEN: mean_of_all([100.0 * bool(item) for item in q.meta["contexts"]] for q in viewed.questions)}


def run_row(viewed: Viewed, row: Row) -> Values:
    """The official contexts, or ours at a threshold."""
    return run_official(viewed) if row.how == "official" else run_threshold(viewed, row)


# The same paragraph is found at most thresholds, and is compared once for all of them.
@lru_cache(maxsize=10_000)
def _recall(ours: str, official: str) -> float:
    return rouge([official], ours, kind="1").recall


def _passages(specs: Sequence[str], with_gold: bool) -> Iterator[Passage]:
    for corpus in open_corpora(specs):
        for _, passage in corpus.store.iter_passages():
            if with_gold or passage.meta.get("source") not in GOLD_SOURCES:
                yield passage
        corpus.close()


def _rows(with_gold: bool) -> Iterator[Row]:
    where = "with" if with_gold else "without"
    return (Row(f"{where} official contexts in the corpus, {least:g}", how=(with_gold, least)) for least in THRESHOLDS)


RECIPE = Recipe(
    name="asqa-contexts",
    title="ASQA, appendix A: contexts of the readings, by the least cosine",
    rows=(Row("official contexts", {GIVEN: 45.0}, "official"), *_rows(True), *_rows(False)),
    prepare=read_pages,
    run_row=run_row,
    doing="thresholds",
    why="The paper's threshold is not printed, and it had all paragraphs of every viewed page; the corpus has some.",
)
