"""Writing long answers as for ASQA (Stelmakh et al. 2022, 3.2): cover all readings, give a source for what is added."""

from __future__ import annotations

from collections.abc import Mapping

from expound.study.forms.form import Answers, Field, Form, Option, Problem
from expound.study.items import View
from expound.text.normal import contains_answer

OPTIONS: Mapping[str, object] = {}

_INSTRUCTIONS = """\
On the left you see an ambiguous question, its meanings with their short answers and, where we have one, a passage \
about each. Write one answer that a reader who asked the question would be happy with: it contains all short \
answers, says what each belongs to, and explains where the ambiguity comes from. Write it so that it reads well \
from start to end, in your own words, and no longer than needed.

If you add something that is not in the passages on the left, put the passage you have it from into a line of its \
own under “Additional knowledge”, with its source. If you are not sure, park the item and ask."""


def form(_options: Mapping[str, object]) -> Form:
    return Form(
        name="asqa-write",
        title="Write an answer",
        makes="questions",
        layout="write",
        instructions=_INSTRUCTIONS,
        fields=lambda _view: _FIELDS,
        check=_check,
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
