"""Why fifteen passages (Fan et al. 2019, section 3.1): what a support document holds of the answer, by its passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from expound.answer.support_document import PASSAGES, support_document
from expound.recipes.findings import Finding, Row, Values, numbers_of
from expound.recipes.intervals import mean_figure
from expound.recipes.pictures import check_picture, figure, save
from expound.recipes.shape import Ingredients, Recipe
from expound.recipes.systems import read_questions
from expound.score.rouge import rouge
from expound.text.sentences import split_sentences
from expound.types import Evidence, Question

NUMBERS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50)  # closer where the curve is steep
HIGH, BEST, WORDS = "a sentence of high ROUGE, %", "the sentence of highest ROUGE, %", "words"
# The paper does not say what high is. One sentence is far shorter than an answer, which bounds its F1: a fifth is what
# nine in ten of WebGPT's questions reach with some sentence of their sources.
HIGH_ROUGE = 0.2


@dataclass(frozen=True)
class Case:
    """A question with the ROUGE-1 F1 of every sentence of its sources against its answer."""

    question: Question
    evidence: Sequence[Evidence]
    scores: dict[str, float]


def read_cases(given: Ingredients) -> list[Case]:
    """The questions that have sources and an answer, their sentences weighed once for all rows."""
    found = [question for question in read_questions(given) if question.evidence and question.references]
    cases = []
    for number, question in enumerate(found):
        given.say("weighing sentences", number, len(found))
        evidence = [Evidence(passage, place, 1.0) for place, passage in enumerate(question.evidence, start=1)]
        sentences = {sentence for passage in question.evidence for sentence in split_sentences(passage.text)}
        # Weighed once: every row asks of the same sentences whether the document holds them.
        scores = {text: rouge(question.references, text, kind="1").f1 for text in sentences}
        cases.append(Case(question, evidence, scores))
    return cases


def run_number(cases: Sequence[Case], row: Row) -> Values:
    """How often a document of so many passages holds such a sentence, and how long it is."""
    held = [_sentences(case, row.how) for case in cases]
    pairs = list(zip(cases, held, strict=True))
    return {
        HIGH: mean_figure(100.0 * (_highest(case, texts) >= HIGH_ROUGE) for case, texts in pairs),
        BEST: mean_figure(100.0 * (_highest(case, texts) == max(case.scores.values())) for case, texts in pairs),
        WORDS: mean_figure(float(sum(len(text.split()) for text in texts)) for texts in held),
    }


def draw_curve(title: str, findings: Sequence[Finding], path: Path) -> None:
    """Both shares over the number of passages, the length beside them, and a mark where the paper stopped."""
    check_picture(path)
    picture = figure(figsize=(7, 4), layout="constrained")
    panel = picture.subplots()
    # Words have another scale than shares: on one axis the shares would be a line at the bottom.
    length = panel.twinx()
    for name, side, style in ((HIGH, panel, "o-"), (BEST, panel, "s-"), (WORDS, length, "k:")):
        points = [(int(row), point.value) for row, point in numbers_of(findings, name)]
        side.plot([place for place, _ in points], [value for _, value in points], style, label=name)
    panel.axvline(PASSAGES, color="grey", linewidth=1)
    panel.set_title(title, fontsize=10)
    panel.set_xlabel("passages")
    panel.set_ylabel("% of questions")
    panel.set_ylim(0, 100)
    length.set_ylabel("words (dotted)")
    length.set_ylim(bottom=0)
    panel.legend(loc="lower right")
    save(picture, path)


def _sentences(case: Case, passages: int) -> list[str]:
    pieces = support_document(case.question.text, case.evidence, passages=passages)
    return [sentence for piece in pieces for sentence in piece.sentences]


def _highest(case: Case, texts: Sequence[str]) -> float:
    return max((case.scores[text] for text in texts), default=0.0)


RECIPE = Recipe(
    name="eli5-support-curve",
    title="ELI5, section 3.1: what a support document holds of the answer, by its number of passages",
    layout="eli5-web",
    rows=tuple(Row(str(number), {WORDS: 857.6} if number == PASSAGES else {}, number) for number in NUMBERS),
    prepare=read_cases,
    run_row=run_number,
    draw=draw_curve,
    doing="passages",
    why="The paper chose 15 passages of 100 pages for the best trade-off and prints no curve. WebGPT's questions have "
    "about 900 words of sources each, so that from 15 passages on nearly all are taken, and the curve ends. High "
    f"is a ROUGE-1 of {HIGH_ROUGE:g} between a sentence and the answer.",
)
