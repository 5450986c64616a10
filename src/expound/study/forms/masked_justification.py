"""A person fills the masks of justifications (Xu et al. 2023, 3.3.1): which answer does each mention mean?"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

from expound.study.design.collected import Collected, Earlier
from expound.study.design.form import Field, Form, FormExport, Option
from expound.study.design.items import Item, SystemAnswer, View
from expound.study.forms.masking import PAIRINGS, MaskedComment, masked_comments, pair_answers

_INSTRUCTIONS = """\
You will see a question, two answers, and what someone wrote to explain which answer is better. Wherever it named an \
answer there is a gap. Say for each gap which answer is meant. Some explanations belong to other answers than those \
that you see: then say what fits best."""
_SEED = 0  # of the pairings: the same earlier study gives the same items


def make_form() -> Form:
    return Form(
        name="masked-justification",
        title="Which answer is meant?",
        makes="study",
        layout="masked",
        instructions=_INSTRUCTIONS,
        fields=_fields,
        has_comment=False,
        shows_evidence=False,
        exports=(FormExport("masked-scores.json", "application/json", scores_file),),
        continues="expert-preference",
        derive=masked_items,
    )


def _fields(view: View) -> tuple[Field, ...]:
    options = (Option("A", "Answer A"), Option("B", "Answer B"))
    return tuple(
        Field(name=f"mask_{number}", label=f"Gap {number + 1}", kind="choice", options=options, criterion="mask")
        for number in range(int(view.extra.get("masks", 0)))
    )


def masked_items(before: Earlier) -> Iterator[Item]:
    """Every justification in all three pairings, in an order in which an item's number says nothing of it."""
    comments = masked_comments(before.collected)
    # All three for every comment, mixed: nobody may guess from its place whether the answers are the right ones.
    made = [one for pairing in PAIRINGS for one in pair_answers(comments, pairing, seed=_SEED)]
    for number, one in enumerate(random.Random(_SEED).sample(made, len(made)), start=1):
        yield _item(one, number)


def _item(one: MaskedComment, number: int) -> Item:
    return Item(
        id=f"masked-{number}",
        question_id=one.id,
        question=one.question,
        domain=one.pairing,
        candidates=(SystemAnswer("left", one.a), SystemAnswer("right", one.b)),
        extra={"masked": one.gaps, "masks": len(one.targets), "is_fixed": True},
        expected={f"mask_{place}": target for place, target in enumerate(one.targets)},
    )


def scores_file(collected: Sequence[Collected]) -> str:
    """Token exact match by pairing: masks that were filled as they were written, of all masks."""
    found: dict[str, Any] = {}
    for one in collected:
        row = found.setdefault(one.placed.item.domain, {"right": 0, "masks": 0})
        for name, target in one.placed.item.expected.items():
            row["right"] += one.answers.get(name) == target
            row["masks"] += 1
    for row in found.values():
        row["exact_match"] = row["right"] / row["masks"]
    return json.dumps(found, indent=1) + "\n"
