"""Overlap of questions (Krishna et al. 2021, Table 5): is another question the same, similar, or neither?"""

from __future__ import annotations

from expound.study.design.form import Field, Form, Option

_INSTRUCTIONS = """\
You will see two questions. Say whether they ask approximately the same, ask different things about a similar \
topic, or have nothing to do with each other. Small differences in wording do not matter."""


def make_form() -> Form:
    """Items are pairs of questions: the second one stands in `extra.other`."""
    return Form(
        name="paraphrase",
        title="Do these two ask the same?",
        makes="file",
        layout="questions",
        instructions=_INSTRUCTIONS,
        fields=lambda _view: _FIELDS,
    )


_FIELDS = (
    Field(
        name="overlap",
        label="How are the two questions related?",
        kind="choice",
        options=(
            Option("0", "They are not paraphrases"),
            Option("1", "They are about a similar topic, but ask different things"),
            Option("2", "They ask approximately the same"),
        ),
    ),
)
