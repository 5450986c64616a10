"""A/B tests with ties (Krishna et al. 2021, A.5): which answer is better, and, if there is time, why."""

from __future__ import annotations

from expound.study.design.form import Field, Form, sides

_INSTRUCTIONS = """\
You will see a question and two answers to it. Say which one answers the question better: it is more relevant to \
what is asked. If you have the time, say also which one is more coherent (it repeats and contradicts itself less), \
and which one is more factually correct. You may look things up. Choose a tie if you cannot decide."""


def make_form(*, evidence: bool = True) -> Form:
    """Without `evidence` raters judge by what they know or look up."""
    return Form(
        name="hurdles-ab",
        title="Which answer is better?",
        makes="pairs",
        layout="pair",
        instructions=_INSTRUCTIONS,
        fields=lambda _view: _FIELDS,
        shows_evidence=evidence,
        columns={"overall": "better", "coherent": "coherent", "factual": "factual"},
    )


_FIELDS = (
    Field(name="overall", label="Which one answers the question better?", kind="side", options=sides(tie="Tie")),
    Field(name="coherent", label="Which one is more coherent?", kind="side", options=sides(tie="Tie"), required=False),
    Field(
        name="factual",
        label="Which one is more factually correct?",
        kind="side",
        options=sides(tie="Tie"),
        required=False,
    ),
)
