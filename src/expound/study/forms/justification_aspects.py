"""The second pass over expert preferences (Xu et al. 2023, 3.3): which aspects a justification names, which decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from expound.study.design.collected import Earlier
from expound.study.design.form import LEFT, RIGHT, Answers, Field, Form, Option, Problem
from expound.study.design.items import Item, View, in_order

ASPECTS = (
    Option("factuality", "Factuality"),
    Option("easy", "Easy to understand"),
    Option("relevance", "Relevance"),
    Option("structure", "Well-structured"),
    Option("completeness", "Completeness"),
    Option("grammar", "Grammar"),
    Option("example", "Example"),
    Option("specificity", "Specificity"),
    Option("conciseness", "Conciseness"),
)

_INSTRUCTIONS = """\
You will see a question, two answers, and what someone wrote to explain which answer is better. Tick every aspect \
that the explanation mentions. Then tick those among them that decided the choice."""


def make_form() -> Form:
    return Form(
        name="justification-aspects",
        title="What decided it?",
        makes="study",
        layout="justification",
        instructions=_INSTRUCTIONS,
        fields=lambda _view: _FIELDS,
        check=_check,
        shows_evidence=False,
        continues="expert-preference",
        derive=justification_items,
    )


_FIELDS = (
    Field("mentioned", "Aspects that the explanation mentions", "checks", ASPECTS),
    Field("decisive", "Aspects that decided the choice", "checks", ASPECTS, required=False),
)


def _check(_view: View, answers: Answers) -> list[Problem]:
    only_decisive = [one for one in answers.get("decisive", ()) if one not in answers.get("mentioned", ())]
    if only_decisive:
        labels = ", ".join(aspect.label for aspect in ASPECTS if aspect.value in only_decisive)
        return [Problem("decisive", f"What decided must also be mentioned: {labels}")]
    return []


def justification_items(before: Earlier) -> Iterator[Item]:
    """Every justification with its pair; sides stand as they did when it was written."""
    for number, one in enumerate(before.collected, start=1):
        placed = one.placed
        preferred = {LEFT: "Answer A", RIGHT: "Answer B"}[one.answers["overall"]]
        yield replace(
            placed.item,
            id=f"{placed.item.id}-j{number}",
            candidates=in_order(placed.item.candidates, placed.shown),
            extra={"justification": one.answers["justification"], "preferred": preferred, "is_fixed": True},
        )
