"""ELI5's Figure 7, left (Fan et al. 2019): scores where the support document holds much or little of the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from expound.answer.support_document import SupportDocument
from expound.recipes.findings import Row, Values
from expound.recipes.intervals import mean_figure
from expound.recipes.pictures import draw_lines
from expound.recipes.shape import Ingredients, Recipe
from expound.recipes.systems import Parts, SystemTable, read_questions, run_systems
from expound.retrieve.given import Given
from expound.score.eli5_metrics import Eli5Rouge
from expound.score.rouge import rouge
from expound.types import Answer, MetricResult, Prediction, Question

# The paper does not say how many it draws: in fifths, WebGPT's 271 questions leave over fifty to each point.
GROUPS = 5
# Of the systems whose answers WebGPT's questions carry: one that searched and one that did not.
GIVEN_ANSWERS = {"webgpt": "abstractive (WebGPT)", "gpt3": "abstractive (GPT-3, no documents)"}
# The paper's is its multi-task model; ours is whatever --writer names.
WRITER = "abstractive (our writer)"
SYSTEMS = SystemTable(
    name="eli5-figure7",
    metrics=("Eli5Rouge(kind='1')",),
    rows=(
        Row("extractive (TF-IDF)", how=Parts("TfidfSentences(sentences=7, over='support')", "Given")),
        Row("extractive (reader)", how=Parts("ReaderSentences(over='support')", "Given")),
        Row(WRITER, how=Parts("TrainedWriter(folder='{writer}', over='support')", "Given")),
    ),
)


@dataclass(frozen=True)
class Lines:
    """Every system's score by question, and how much of the answer each question's support document has."""

    scores: Mapping[str, Mapping[str, float]]
    overlaps: Mapping[str, float]


def score_systems(given: Ingredients) -> Lines:
    """Run the extractive systems; answers that come with the questions are scored as they are."""
    questions = read_questions(given)
    overlaps = {question.id: overlap(question) for question in questions}
    scores = {
        finding.row.name: result.per_question
        for finding in run_systems(SYSTEMS, given)
        if isinstance(result := finding.values.get("rouge_1"), MetricResult)
    }
    return Lines(scores | _given(questions), overlaps)


def overlap(question: Question) -> float:
    """Share of the reference's words that the support document has (ROUGE-1 recall, lower-cased). 0 to 100."""
    # Of the best reference, as the scores are that it is drawn against.
    document = SupportDocument().answer(question.text, Given().retrieve_to(question)).text.lower()
    return 100 * max(
        (rouge([reference.lower()], document, kind="1").recall for reference in question.references), default=0.0
    )


def fifths(lines: Lines) -> list[Row]:
    """A row a fifth of the questions, fewest shared words first."""
    # Fifths of the questions and not of the scale, so that every point of the line rests on as many.
    ranked = sorted(lines.overlaps, key=lambda id: lines.overlaps[id])
    cuts = [len(ranked) * number // GROUPS for number in range(GROUPS + 1)]
    return [_fifth(number, ranked[start:end], lines) for number, (start, end) in enumerate(pairwise(cuts))]


def _fifth(number: int, ids: Sequence[str], lines: Lines) -> Row:
    width = 100 // GROUPS
    shared = [lines.overlaps[id] for id in ids]
    why = f"{shared[0]:.0f} to {shared[-1]:.0f} % of the words" if shared else "no question"
    return Row(f"{number * width}–{(number + 1) * width} %", how=ids, why=why)


def run_fifth(lines: Lines, row: Row) -> Values:
    """Every system's mean over the questions of a fifth; a reference of nothing but full stops has no score."""
    return {name: mean_figure(by_id[id] for id in row.how if id in by_id) for name, by_id in lines.scores.items()}


def _given(questions: Sequence[Question]) -> dict[str, dict[str, float]]:
    """What the answers of systems score that come with the questions, where all have one."""
    metric = Eli5Rouge("1")
    lines = {}
    for key, name in GIVEN_ANSWERS.items():
        texts = [question.meta.get("answers", {}).get(key) for question in questions]
        # A system that lacks some answers would be drawn over other questions than its neighbours.
        if all(isinstance(text, str) for text in texts):
            lines[name] = {
                question.id: metric.count(
                    question, Prediction(id=question.id, question=question.text, system=key, answer=Answer(text))
                )
                for question, text in zip(questions, texts, strict=True)
            }
    return lines


RECIPE = Recipe(
    name="eli5-figure7",
    title="ELI5, Figure 7 (left): ROUGE-1 by the share of the answer's words in the support document",
    layout="eli5-web",
    prepare=score_systems,
    more_rows=fifths,
    run_row=run_fifth,
    draw=draw_lines,
    why="The paper draws BidAF and its multi-task model without printing numbers: both rise with the overlap, the "
    "abstractive one less. Here the reader is our sentence ranker, the abstractive model the one that --writer names "
    "(the paper's is multi-task), and answers that come with the questions stand for other abstractive systems.",
)
