"""ELI5's Figure 7, left (Fan et al. 2019): scores where the support document holds much or little of the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from expound.answer.support_document import SupportDocument
from expound.datasets.spec import open_dataset
from expound.experiment import Report
from expound.recipes.eli5_web import WebRecipe, point
from expound.recipes.table import Inputs, Measured, Recipe, Row, measure
from expound.retrieve.given import Given
from expound.score.eli5 import Eli5Rouge
from expound.score.rouge import rouge
from expound.types import Answer, Prediction, Question

GROUPS = 5
RECIPE = Recipe(
    "eli5-figure7",
    "ELI5, Figure 7 (left): ROUGE-1 by the share of the answer's words in the support document",
    "eli5-web",
    ("Eli5Rouge(kind='1')",),
    (
        Row("extractive (TF-IDF)", {}, "TfidfSentences(sentences=7, over='support')", "Given"),
        Row("extractive (reader)", {}, "ReaderSentences(over='support')", "Given"),
    ),
    "The paper draws BidAF and its multi-task model without printing numbers: both rise with the overlap, the "
    "abstractive one less. Here the reader is our sentence ranker, and answers that come with the questions stand for "
    "abstractive systems.",
)
# Of the systems whose answers WebGPT's questions carry: one that searched and one that did not.
GIVEN_ANSWERS = {"webgpt": "abstractive (WebGPT)", "gpt3": "abstractive (GPT-3, no documents)"}


def measure_by_overlap(inputs: Inputs, out: Path, *, jobs: int = 1, report: Report | None = None) -> list[Measured]:
    """A row a fifth of the questions, fewest shared words first; a line a system."""
    questions = list(open_dataset(inputs.dataset))[: inputs.limit or None]
    systems = measure(RECIPE, inputs, out, jobs=jobs, report=report)
    lines = {item.row.name: item.results["rouge_1"].per_question for item in systems if item.results}
    lines |= _given(questions)
    overlaps = {question.id: overlap(question) for question in questions}
    ranked = sorted(overlaps, key=lambda id: overlaps[id])
    return [_row(number, ids, overlaps, lines) for number, ids in enumerate(_parts(ranked, GROUPS))]


def overlap(question: Question) -> float:
    """Share of the reference's words that the support document has (ROUGE-1 recall, lower-cased). 0 to 100."""
    document = SupportDocument().answer(question.text, Given().retrieve_to(question)).text.lower()
    return 100 * max(rouge([reference.lower()], document, kind="1").recall for reference in question.references)


def _given(questions: Sequence[Question]) -> dict[str, dict[str, float]]:
    """What the answers of systems score that come with the questions, where all have one."""
    metric = Eli5Rouge("1")
    lines = {}
    for key, name in GIVEN_ANSWERS.items():
        texts = [question.meta.get("answers", {}).get(key) for question in questions]
        if all(isinstance(text, str) for text in texts):
            lines[name] = {
                question.id: metric.count(question, Prediction(question.id, question.text, key, Answer(text)))
                for question, text in zip(questions, texts, strict=True)
            }
    return lines


def _row(
    number: int, ids: Sequence[str], overlaps: Mapping[str, float], lines: Mapping[str, Mapping[str, float]]
) -> Measured:
    width = 100 // GROUPS
    shared = f"{overlaps[ids[0]]:.0f} to {overlaps[ids[-1]]:.0f} % of the words" if ids else "no question"
    row = Row(f"{number * width}–{(number + 1) * width} %", {}, why=shared)
    # A reference of nothing but full stops has no score.
    values = {name: [by_id[id] for id in ids if id in by_id] for name, by_id in lines.items()}
    return Measured(row, {name: point(name, known, over="overlap") for name, known in values.items()})


def _parts(ids: Sequence[str], count: int) -> list[Sequence[str]]:
    """So many parts of nearly the same size, in order."""
    cuts = [len(ids) * number // count for number in range(count + 1)]
    return [ids[start:end] for start, end in pairwise(cuts)]


FIGURE = WebRecipe(RECIPE, measure_by_overlap)
