"""CLAPNQ dev: does the answerer know when the evidence does not hold the answer?

Every question is asked over the passages of all questions. Two rates: answered among the answerable ones, left open
among the unanswerable ones. The unanswerable ones are hard: each has a passage on its very topic that lacks the answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from expound.audit.numbers import share_of
from expound.datasets.clapnq import ClapNq
from expound.errors import BadInput
from expound.files import write_whole
from expound.recipes.corpora import recipe_corpus
from expound.recipes.findings import Finding, Row, Values, WithInterval
from expound.recipes.printing import measured_column, name_column, table_of
from expound.recipes.shape import Ingredients, Recipe
from expound.records import question_id
from expound.system import open_system
from expound.types import Question

ANSWERABLE, UNANSWERABLE = "answerable", "unanswerable"
_RATES = {ANSWERABLE: "answered, of the answerable (%)", UNANSWERABLE: "left open, of the unanswerable (%)"}


Abstentions = Mapping[str, Sequence[bool]]
"""Whether each question was left open, by kind."""


def ask_all(given: Ingredients) -> Abstentions:
    """Ask every question over the passages of all of them, which are written to `out`."""
    asked = {kind: _questions(path) for kind, path in zip(_RATES, given.files, strict=True)}
    # All passages in one corpus: over its own passage alone, a question would have nothing to be mistaken for.
    file = given.folder / "clapnq-passages.jsonl"
    with write_whole(file) as lines:
        lines.writelines(_passage_lines([question for part in asked.values() for question in part]))
    corpus = recipe_corpus("clapnq", file, report=given.report)
    # No text model, also where one is installed: the table says when the extractive answer is withheld.
    system = open_system([corpus], model="none")
    left_open: dict[str, list[bool]] = {kind: [] for kind in asked}
    for kind, part in asked.items():
        for number, question in enumerate(part, start=1):
            left_open[kind].append(system.ask(question.text).abstained)
            given.say(f"asking, {kind}", number, len(part))
    return left_open


def _questions(path: Path) -> list[Question]:
    questions = list(ClapNq(path))
    if not questions:
        raise BadInput(f"{path} has no questions")
    return questions


def _passage_lines(questions: Sequence[Question]) -> Iterator[str]:
    """Each passage once: many questions share theirs."""
    # By text: the ids of passages differ from question to question.
    passages = {question_id(item.text): item for question in questions for item in question.evidence}
    for identifier, passage in passages.items():
        yield json.dumps({"id": identifier, "title": passage.title, "text": passage.text}) + "\n"


def run_kind(left_open: Abstentions, row: Row) -> Values:
    """How often the right thing is done: answering what can be answered, and leaving open what cannot."""
    is_right = [is_open == (row.how == UNANSWERABLE) for is_open in left_open[row.how]]
    return {"rate": share_of(is_right), "n": len(is_right)}


def rates_of(findings: Sequence[Finding]) -> dict[str, object]:
    """The rates for programs, each with its interval."""
    record: dict[str, object] = {}
    for finding in findings:
        kind, rate = finding.row.how, finding.values["rate"]
        assert isinstance(rate, WithInterval)
        record |= {kind: rate.n, _RATES[kind]: rate.value, f"{_RATES[kind]}, interval": [rate.low, rate.high]}
    return record


RECIPE = Recipe(
    searches=True,
    name="clapnq-abstention",
    title="CLAPNQ dev: which questions are answered, and which are left open",
    files=("CLAPNQ's answerable questions", "CLAPNQ's unanswerable questions"),
    rows=tuple(Row(rate, how=kind) for kind, rate in _RATES.items()),
    prepare=ask_all,
    run_row=run_kind,
    tables=table_of(name_column("questions"), measured_column("measured", "rate"), measured_column("n")),
    record=rates_of,
)
