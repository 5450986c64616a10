"""ASQA's human evaluation (Stelmakh et al. 2022, 4.2): which readings each answer covers, then the two side by side."""

from __future__ import annotations

from expound.study.design.form import LEFT, RIGHT, Field, Form, Option, sides
from expound.study.design.items import View

_INSTRUCTIONS = """\
You will see a question that can be understood in more than one way, and two answers to it.

Part 1. Below each answer is a list of the meanings of the question, each with its short answer. Tick those that a \
reader could answer correctly from that answer alone. An equivalent wording counts.

Part 2. Compare the two answers: which one resolves the ambiguity better, which one is written more fluently, and \
which one you prefer overall. Choose a tie when you see no difference."""


def make_form() -> Form:
    return Form(
        name="asqa-pairwise",
        title="Two answers to an ambiguous question",
        makes="pairs",
        layout="pair",
        instructions=_INSTRUCTIONS,
        fields=_fields,
        shows_evidence=False,
        columns={"captured": "ACC", "resolving": "COMP", "fluency": "FLUE", "overall": "HO"},
    )


def _fields(view: View) -> tuple[Field, ...]:
    readings = tuple(
        Option(str(number), f"{reading.question} — {' / '.join(reading.answers)}")
        for number, reading in enumerate(view.interpretations)
    )
    captured = (
        _make_captured_field("captured_left", "Answer A lets a reader answer:", LEFT, readings),
        _make_captured_field("captured_right", "Answer B lets a reader answer:", RIGHT, readings),
    )
    part_2 = "Part 2: compare"
    return (
        # A check may come without readings: then there is nothing to tick.
        *(captured if readings else ()),
        Field(
            name="resolving",
            label="Which answer resolves the ambiguity better?",
            kind="side",
            options=sides(tie="Tie"),
            part=part_2,
        ),
        Field(name="fluency", label="Which answer is more fluent?", kind="side", options=sides(tie="Tie"), part=part_2),
        Field(
            name="overall", label="Which answer is better overall?", kind="side", options=sides(tie="Tie"), part=part_2
        ),
    )


def _make_captured_field(name: str, label: str, side: str, readings: tuple[Option, ...]) -> Field:
    # Not required: an answer may let a reader answer none of them.
    return Field(name=name, label=label, kind="checks", options=readings, required=False, about=side, part="Part 1")
