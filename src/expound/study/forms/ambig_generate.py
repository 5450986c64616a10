"""AmbigQA, first stage (Min et al. 2020, 3): search, find every answer, and say to which reading each belongs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from expound.study.design.collected import Collected
from expound.study.design.form import Answers, Field, Form, FormExport, Option, Problem
from expound.study.design.items import View

# Where the paper's own interface begins to warn that an answer is too long.
LONG_ANSWER_WORDS = 20

_INSTRUCTIONS = """\
You will see a question. Search for it and read the passages that you find. Many questions can be understood in \
more than one way: find all plausible answers.

One answer only: write it in the first line and leave the question empty. Several answers: write one line for each, \
and change the question as little as possible so that it has this answer and no other. If the same answer can be \
written in several ways, give each on a line of its own. A question about “the latest” of something: take up to \
three most recent ones and put their names or years into the questions.

Copy answers from the passages. If the answer cannot be found, or the question is ill-formed, too subjective or too \
ambiguous, skip it and say why."""

SKIP_REASONS = (
    Option("not found", "The answer is not in the corpus"),
    Option("ill-formed", "The question is ill-formed"),
    Option("subjective", "It is too subjective"),
    Option("ambiguous", "It is too ambiguous"),
)


def readings_in(rows: Sequence[Mapping[str, str]]) -> list[dict[str, Any]]:
    """The readings that were written into a table: question and aliases."""
    return [
        {"question": row["question"], "answers": [line.strip() for line in row["answers"].splitlines() if line.strip()]}
        for row in rows
    ]


READINGS = Field(
    "readings",
    "Answers",
    "rows",
    required=False,
    help="One line for each answer; the wordings of one answer stand below each other.",
    columns=(Option("question", "Question with this answer only"), Option("answers", "Answer, one wording a line")),
    judged=readings_in,
)

_SKIP = Field(
    name="skip", label="Skip this question?", kind="choice", options=SKIP_REASONS, required=False, none="Do not skip"
)


def make_form() -> Form:
    return Form(
        name="ambig-generate",
        title="Find all answers",
        makes="questions",
        layout="generate",
        instructions=_INSTRUCTIONS,
        fields=lambda _view: (READINGS, _SKIP),
        check=check_readings,
        shows_evidence=False,
        exports=(FormExport("ambignq.json", "application/json", ambignq_file),),
    )


def check_readings(view: View, answers: Answers) -> list[Problem]:
    """What is wrong with a set of readings."""
    rows = answers.get("readings", [])
    # Neither, or both: a skipped question with answers could be counted either way.
    if bool(rows) == bool(answers.get("skip")):
        return [Problem("readings", "Write at least one answer, or skip the question: one of the two.")]
    return list(_row_problems(view.question, rows))


def _row_problems(prompt: str, rows: list[dict[str, Any]]) -> Iterator[Problem]:
    questions = [_plain(row["question"]) for row in rows]
    for number, row in enumerate(rows, start=1):
        question = questions[number - 1]
        if not row["answers"]:
            yield Problem("readings", f"Line {number} has no answer.")
        if len(rows) > 1 and not question:
            yield Problem("readings", f"Line {number} has no question: with several answers each needs its own.")
        if len(rows) > 1 and question == _plain(prompt):
            yield Problem("readings", f"The question in line {number} is the one that was asked: change it.")
        if question and questions.count(question) > 1:
            yield Problem("readings", f"The question in line {number} stands there twice.")
        if any(len(answer.split()) > LONG_ANSWER_WORDS for answer in row["answers"].splitlines()):
            text = f"An answer in line {number} has more than {LONG_ANSWER_WORDS} words."
            yield Problem("readings", text, is_warning=True)


def _plain(question: str) -> str:
    # A question mark or a capital more is no edit: the same question would then stand there twice.
    return " ".join(question.lower().rstrip(" ?").split())


def ambignq_file(collected: Sequence[Collected]) -> str:
    """Readings in AmbigNQ's own layout; skipped questions are left out."""
    questions: dict[str, Any] = {}
    for one in collected:
        item, readings = one.placed.item, readings_in(one.answers.get(READINGS.name, []))
        if readings:
            empty = {"id": item.question_id, "question": item.question, "annotations": []}
            questions.setdefault(item.question_id, empty)["annotations"].append(_annotation(readings))
    return json.dumps(list(questions.values()), ensure_ascii=False, indent=1) + "\n"


def _annotation(readings: list[dict[str, Any]]) -> dict[str, Any]:
    if len(readings) == 1:
        return {"type": "singleAnswer", "answer": readings[0]["answers"]}
    pairs = [{"question": one["question"], "answer": one["answers"]} for one in readings]
    return {"type": "multipleQAs", "qaPairs": pairs}
