"""ELI5's pairwise preference (Fan et al. 2019, 4): readability and accuracy together, no tie."""

from __future__ import annotations

from expound.study.design.form import Field, Form, sides

_INSTRUCTIONS = """\
You will see a question and two answers to it. Say which answer you prefer, considering both how readable and how \
accurate it is."""


def make_form() -> Form:
    return Form(
        name="eli5-preference",
        title="Which answer do you prefer?",
        makes="pairs",
        layout="pair",
        instructions=_INSTRUCTIONS,
        fields=lambda _view: _FIELDS,
        shows_evidence=False,
    )


_FIELDS = (Field(name="overall", label="Which answer do you prefer?", kind="side", options=sides()),)
