"""Error analysis: labels on spans of an answer, and a verdict on the whole (ASQA Table 6, AmbigQA Table 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from expound.errors import UserError
from expound.study.forms.form import Field, Form, Option

OPTIONS: Mapping[str, object] = {"preset": "asqa", "labels": [], "verdicts": []}

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
You will see a question, an answer to it and, if there are any, the readings it should cover. Select the words of \
the answer that are wrong and press the button of what is wrong with them. Leave the list empty if there is nothing \
to mark."""


def form(options: Mapping[str, object]) -> Form:
    preset = str(options["preset"])
    if preset not in PRESETS:
        raise UserError(f"the form coding has no preset {preset!r}; it has: {', '.join(PRESETS)}")
    labels, verdicts = (_texts(options[name]) or given for name, given in
                        zip(("labels", "verdicts"), PRESETS[preset], strict=True))  # fmt: skip
    fields = _fields(labels, verdicts)
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
        "spans",
        "Marked words",
        "spans",
        tuple(Option(label, label) for label in labels),
        required=False,
        help="One line each, as “label: words”. Select words in the answer and press a button, or write the line.",
    )
    verdict = Field("verdict", "The answer as a whole", "choice", tuple(Option(one, one) for one in verdicts))
    return (spans, verdict) if verdicts else (spans,)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, list) else ()
