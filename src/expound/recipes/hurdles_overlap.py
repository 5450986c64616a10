"""Tables 5 and 6 of Krishna et al. 2021 on ELI5-Category: which questions of one file are asked in the other?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from expound.audit.inputs import Inputs
from expound.audit.numbers import share_of
from expound.audit.overlap import TFIDF_LEVELS, find
from expound.audit.section import cell
from expound.datasets.eli5_category import Eli5Category
from expound.experiment import Report
from expound.library import default_embedder
from expound.recipes.control_table import ControlTable, Rows
from expound.score.results import Scorer
from expound.types import Answer, Prediction


def rows(files: Sequence[Path], report: Report | None = None) -> Rows:
    """Shares of the first file's questions that have a near question in the second."""
    questions = tuple(Eli5Category(files[0]))
    nothing = {question.id: Prediction(question.id, question.text, "", Answer()) for question in questions}
    train = f"eli5-category:{files[1]}"
    inputs = Inputs(questions, nothing, Scorer("eli5"), train=train, embedder=default_embedder(), report=report)
    found = find(inputs)
    table: list[list[object]] = [
        ["a paraphrase", "81 by people, 43.6 by a classifier", cell(share_of(found.paraphrased)), len(questions)],
        ["a topically similar question", "100 by people", cell(share_of(found.similar)), len(questions)],
    ]
    for level in TFIDF_LEVELS:
        near = [any(item.tfidf >= level for item in row) for row in found.neighbours]
        table.append([f"a question with TF-IDF similarity of {level:g}", "", cell(share_of(near)), len(questions)])
    return ["questions with", "published, %", "measured, %", "n"], table


RECIPE = ControlTable(
    "hurdles-table5",
    "Hurdles, Table 5: questions that are asked in the other file",
    ("ELI5-Category questions to look for", "ELI5-Category questions to look among"),
    rows,
    "Published for KILT's ELI5 validation questions against 272,634 training questions.",
)
