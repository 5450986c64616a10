"""The second pass over expert preferences (Xu et al. 2023, 3.3): which aspects a justification names, which decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from expound.agreement.forest import forest
from expound.pages.html import page
from expound.pages.parts import heading, table
from expound.stats.proportions import Figure, share
from expound.study.design.collected import Collected, Earlier
from expound.study.design.form import LEFT, RIGHT, Answers, Field, Form, FormExport, Option, Problem
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

# What the text of the paper says of its figure: of 50 justifications by experts, and of 50 by WebGPT's raters.
PRINTED = {("factuality", "mentioned"): (36, 20), ("completeness", "decisive"): (12, 6)}

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
        exports=(FormExport("figure-2.html", "text/html", figure_2),),
        continues="expert-preference",
        derive=justification_items,
    )


_FIELDS = (
    Field(name="mentioned", label="Aspects that the explanation mentions", kind="checks", options=ASPECTS),
    Field(name="decisive", label="Aspects that decided the choice", kind="checks", options=ASPECTS, required=False),
)


def _check(_view: View, answers: Answers) -> list[Problem]:
    only_decisive = [one for one in answers.get("decisive", ()) if one not in answers.get("mentioned", ())]
    if only_decisive:
        labels = ", ".join(aspect.label for aspect in ASPECTS if aspect.value in only_decisive)
        return [Problem("decisive", f"What decided must also be mentioned: {labels}")]
    return []


def figure_2(collected: Sequence[Collected]) -> str:
    """Aspects that justifications mention and those that decided (Figure 2), beside what the paper prints."""
    rows: list[list[object]] = []
    drawn: dict[str, dict[str, Figure]] = {}
    for kind in ("mentioned", "decisive"):
        for aspect in ASPECTS:
            count = sum(aspect.value in one.answers.get(kind, ()) for one in collected)
            printed = PRINTED.get((aspect.value, kind), ("", ""))
            # Per fifty, as many as the paper looked at: its counts can be read beside ours.
            rows.append([aspect.label, kind, count, f"{50 * count / max(len(collected), 1):.1f}", *printed])
            drawn.setdefault(kind, {})[aspect.label] = share(count, len(collected))
    columns = ["aspect", "", f"of {len(collected)}", "per 50", "paper: experts, of 50", "paper: WebGPT, of 50"]
    pictures = [forest(f"Share of justifications: {kind}", found) for kind, found in drawn.items()]
    return page(
        "Figure 2: aspects of justifications",
        [heading(1, "Aspects of justifications"), *pictures, table(columns, rows)],
    )


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
