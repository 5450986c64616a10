"""Several answers at once, from the best to the worst: no two share a rank (Plackett-Luce in the analysis)."""

from __future__ import annotations

from expound.agreement.preference import RANK
from expound.study.design.form import LETTERS, Answers, Field, Form, Option, Problem
from expound.study.design.items import View

_INSTRUCTIONS = """\
You will see a question and several answers to it. Give each answer a rank: 1 is the best, and no two answers share \
a rank. If two seem equally good, ask yourself which one you would rather have been given."""


def make_form() -> Form:
    return Form(
        name="ranking",
        title="Rank the answers",
        makes="sets",
        layout="pair",
        instructions=_INSTRUCTIONS,
        fields=_fields,
        check=_check,
        shows_evidence=False,
    )


def _fields(view: View) -> tuple[Field, ...]:
    ranks = tuple(Option(str(rank), str(rank)) for rank in range(1, len(view.texts) + 1))
    return tuple(
        Field(
            name=f"{RANK}_{place}",
            label=f"Answer {LETTERS[place]}",
            kind="choice",
            options=ranks,
            about=str(place),
            part="Ranks",
        )
        for place in range(len(view.texts))
    )


def _check(view: View, answers: Answers) -> list[Problem]:
    taken: dict[str, Field] = {}
    for field in _fields(view):
        rank = answers.get(field.name)
        if rank and rank in taken:
            return [Problem(field.name, f"{taken[rank].label} and {field.label} share the rank {rank}: choose two.")]
        if rank:
            taken[rank] = field
    return []
