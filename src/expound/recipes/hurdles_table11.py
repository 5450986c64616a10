"""Table 11 of Krishna et al. 2021 on questions with several references: the longest one is cut and repeated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from expound.answer.inputs import longest
from expound.audit.inputs import Inputs
from expound.audit.length import curve
from expound.datasets.reading import from_lines, texts
from expound.datasets.reading import text as checked
from expound.experiment import Report
from expound.recipes.control_table import ControlTable, Rows
from expound.records import question_id
from expound.score.results import Scorer
from expound.types import Answer, MetricResult, Prediction, Question

_PUBLISHED = {
    0.1: (17.4, 18.2), 0.2: (20.8, 21.1), 0.3: (22.2, 22.4), 0.4: (22.9, 23.1), 0.5: (23.4, 23.6), 0.6: (23.9, 23.9),
    0.8: (24.2, 24.3), 1.0: (24.4, 24.4),
}  # fmt: skip
_METRIC = "KiltAnswer(kind='rouge_l')"


def read_questions(path: Path) -> list[Question]:
    """Lines of `{"input", "outputs": […]}` with two or more outputs."""

    def question(row: Mapping[str, Any]) -> Question:
        asked = checked(row["input"])
        return Question(question_id(asked), asked, tuple(texts(row["outputs"])))

    return [item for item in from_lines(path, "waterbench", question) if len(item.references) > 1]


def rows(files: Sequence[Path], report: Report | None = None) -> Rows:
    """A row a fraction, published numbers beside ours."""
    inputs = inputs_of(read_questions(files[0]))
    columns = ["fraction", "words", "cut published", "cut measured", "repeated published", "repeated measured", "n"]
    table: list[list[object]] = []
    for point in curve(replace(inputs, report=report)):
        cut, repeated = point.cut["rouge_l"], point.repeated["rouge_l"]
        published = _PUBLISHED[point.fraction]
        table.append(
            [point.fraction, round(point.words, 1), published[0], _cell(cut), published[1], _cell(repeated), cut.n]
        )
    return columns, table


def inputs_of(questions: Sequence[Question]) -> Inputs:
    """Every question's longest reference as the answer, to be scored against the others."""
    asked, answers = [], {}
    for question in questions:
        place = longest(question.references)
        rest = question.references[:place] + question.references[place + 1 :]
        asked.append(replace(question, references=rest))
        answers[question.id] = Prediction(
            question.id, question.text, "longest reference", Answer(question.references[place])
        )
    return Inputs(tuple(asked), answers, Scorer([_METRIC]))


def _cell(result: MetricResult) -> str:
    return f"{result.value:.1f} ({result.low:.1f}–{result.high:.1f})"


RECIPE = ControlTable(
    "hurdles-table11",
    "Hurdles, Table 11: ROUGE-L of cut and repeated answers",
    ("questions with several references",),
    rows,
    "Published for generations of RT + c-REALM (187 words); ours are the longest references against the others.",
)
