"""Table 11 of Krishna et al. 2021 on questions with several references: the longest one is cut and repeated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from expound.audit.inputs import Inputs
from expound.audit.length_control import Point, curve
from expound.datasets.fields import from_lines, texts
from expound.datasets.fields import text as checked
from expound.errors import BadInput
from expound.models.model_inputs import longest
from expound.recipes.findings import Row, Values
from expound.recipes.printing import Column, measured_column, published_column, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.records import question_id
from expound.score.results import Scorer
from expound.types import Answer, Prediction, Question

_METRIC = "KiltAnswer(kind='rouge_l')"
_PUBLISHED = {
    0.1: (17.4, 18.2), 0.2: (20.8, 21.1), 0.3: (22.2, 22.4), 0.4: (22.9, 23.1), 0.5: (23.4, 23.6), 0.6: (23.9, 23.9),
    0.8: (24.2, 24.3), 1.0: (24.4, 24.4),
}  # fmt: skip
"""By the fraction of the words that is kept: cut, and repeated to the old length."""


def read_questions(path: Path) -> list[Question]:
    """Lines of `{"input", "outputs": […]}` with two or more outputs."""

    def question(row: Mapping[str, Any]) -> Question:
        asked = checked(row["input"])
        return Question(question_id(asked), asked, tuple(texts(row["outputs"])))

    found = [item for item in from_lines(path, "waterbench", question) if len(item.references) > 1]
    if not found:
        raise BadInput(f"{path} has no question with two or more outputs")
    return found


def inputs_of(questions: Sequence[Question]) -> Inputs:
    """Every question's longest reference as the answer, to be scored against the others."""
    asked, answers = [], {}
    for question in questions:
        place = longest(question.references)
        # By place and not by text: two people may have written the same answer, and the other one stays a reference.
        rest = question.references[:place] + question.references[place + 1 :]
        asked.append(replace(question, references=rest))
        answers[question.id] = Prediction(
            id=question.id,
            question=question.text,
            system="longest reference",
            answer=Answer(question.references[place]),
        )
    return Inputs(tuple(asked), answers, Scorer([_METRIC]))


def read_curve(given: Ingredients) -> dict[float, Point]:
    """The scores of cut and repeated answers, by fraction."""
    inputs = replace(inputs_of(read_questions(given.files[0])), report=given.report)
    return {point.fraction: point for point in curve(inputs)}


def run_fraction(points: Mapping[float, Point], row: Row) -> Values:
    """ROUGE-L at a fraction of the words, published numbers beside ours."""
    point = points[row.how]
    cut, repeated = point.cut["rouge_l"], point.repeated["rouge_l"]
    return {"words": round(point.words, 1), "cut": cut, "repeated": repeated, "n": cut.n}


RECIPE = Recipe(
    name="hurdles-table11",
    title="Hurdles, Table 11: ROUGE-L of cut and repeated answers",
    files=("questions with several references",),
    rows=tuple(
        Row(f"{fraction:g} of the words", {"cut": cut, "repeated": repeated}, fraction)
        for fraction, (cut, repeated) in _PUBLISHED.items()
    ),
    prepare=read_curve,
    run_row=run_fraction,
    tables=table_of(
        Column("fraction", lambda finding: finding.row.how),
        measured_column("words"),
        published_column("cut published", "cut"),
        measured_column("cut measured", "cut"),
        published_column("repeated published", "repeated"),
        measured_column("repeated measured", "repeated"),
        measured_column("n"),
    ),
    why="Published for generations of RT + c-REALM (187 words); ours are the longest references against the others.",
)
