"""Error analysis: labels on spans of an answer, and a verdict on the whole (ASQA Table 6, AmbigQA Table 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from expound.errors import UserError
from expound.study.design.form import Field, Form, Option

PRESETS: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "asqa": (("hallucination", "misunderstanding", "repetition"), ()),
    "ambigqa": (
        ("wrong answer", "wrong question"),
        (
            "several answers: correct",
            "several answers: partly correct",
            "several answers: incorrect",
            "one answer: over-generated",
            "one answer: correct",
            "one answer: incorrect",
            "the reference is incorrect",
        ),
    ),
}

_INSTRUCTIONS = """\
You will see a question, an answer to it and, if there are any, the readings it should cover. Choose what is wrong and \
mark the words of the answer that it is true of; marks may overlap. Leave the list empty if there is nothing to mark."""


def make_form(*, preset: str = "asqa", labels: Sequence[str] = (), verdicts: Sequence[str] = ()) -> Form:
    """Labels and verdicts of a preset, unless the study gives its own."""
    if preset not in PRESETS:
        raise UserError(f"the form coding has no preset {preset!r}; it has: {', '.join(PRESETS)}")
    preset_labels, preset_verdicts = PRESETS[preset]
    fields = _fields(labels or preset_labels, verdicts or preset_verdicts)
    return Form(
        name="coding",
        title="What is wrong with this answer?",
        makes="answers",
        layout="single",
        instructions=_INSTRUCTIONS,
        fields=lambda _view: fields,
    )


def _fields(labels: Sequence[str], verdicts: Sequence[str]) -> tuple[Field, ...]:
    spans = Field(
        name="spans",
        label="Marked words",
        kind="spans",
        options=_options(labels),
        required=False,
        help="Choose a label, then select words in the answer; or tap the first and the last word; or go to the answer "
        "with Tab, move with the arrow keys, hold Shift to take words along, and press Enter.",
    )
    verdict = Field(name="verdict", label="The answer as a whole", kind="choice", options=_options(verdicts))
    return (spans, verdict) if verdicts else (spans,)


def _options(names: Sequence[str]) -> tuple[Option, ...]:
    return tuple(Option(str(name), str(name)) for name in names)
