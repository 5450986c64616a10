"""Writing long answers as for ASQA (Stelmakh et al. 2022, 3.2): cover all readings, give a source for what is added."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from expound.study.design.collected import Collected
from expound.study.design.form import Answers, Field, Form, FormExport, Option, Problem
from expound.study.design.items import Item, View
from expound.text.normal import contains_answer

_INSTRUCTIONS = """\
On the left you see an ambiguous question, its meanings with their short answers and, where we have one, a passage \
about each. Write one answer that a reader who asked the question would be happy with: it contains all short \
answers, says what each belongs to, and explains where the ambiguity comes from. Write it so that it reads well \
from start to end, in your own words, and no longer than needed.

If you add something that is not in the passages on the left, put the passage you have it from into a line of its \
own under “Additional knowledge”, with its source. If you are not sure, park the item and ask."""


def make_form() -> Form:
    return Form(
        name="asqa-write",
        title="Write an answer",
        makes="questions",
        layout="write",
        instructions=_INSTRUCTIONS,
        fields=lambda _view: _FIELDS,
        check=_check,
        exports=(FormExport("asqa.json", "application/json", asqa_file),),
    )


_FIELDS = (
    Field("long_answer", "Your answer", "text"),
    Field(
        "knowledge",
        "Additional knowledge",
        "rows",
        required=False,
        columns=(Option("content", "Passage"), Option("source", "Where it is from")),
    ),
)


def _check(view: View, answers: Answers) -> list[Problem]:
    """Warn of every short answer that is not in the text: an equivalent wording is the writer's to confirm."""
    text = answers.get("long_answer", "")
    readings = [reading.answers for reading in view.interpretations if reading.answers]
    missing = [aliases[0] for aliases in readings if not contains_answer(text, aliases)]
    problems = [Problem("long_answer", f"“{answer}” is not in your answer.", is_warning=True) for answer in missing]
    without_source = any(row["content"] and not row["source"] for row in answers.get("knowledge", ()))
    if without_source:
        problems.append(Problem("knowledge", "Say where each passage is from."))
    return problems


def asqa_file(collected: Sequence[Collected]) -> str:
    """Long answers in ASQA's own layout, `{split: {id: question}}`."""
    questions: dict[str, Any] = {}
    for one in collected:
        question = questions.setdefault(one.placed.item.question_id, _asqa_question(one.placed.item))
        question["annotations"].append(_asqa_annotation(one.answers))
    return json.dumps({"study": questions}, ensure_ascii=False, indent=1) + "\n"


def _asqa_question(item: Item) -> dict[str, Any]:
    pairs = [{"question": one.question, "short_answers": list(one.answers)} for one in item.interpretations]
    return {"ambiguous_question": item.question, "qa_pairs": pairs, "annotations": []}


def _asqa_annotation(answers: Answers) -> dict[str, Any]:
    knowledge = [{"content": one["content"], "wikipage": one["source"]} for one in answers.get("knowledge", [])]
    return {"long_answer": answers["long_answer"], "knowledge": knowledge}
