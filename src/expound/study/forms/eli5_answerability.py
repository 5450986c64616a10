"""Can the question be answered at all? ELI5's four questions about an answer and its support document (Table 2)."""

from __future__ import annotations

from expound.study.design.form import YES_NO, Field, Form

_INSTRUCTIONS = """\
You will see a question, an answer and documents. A question can have several parts: an answer is only correct if \
it deals with all of them. Read the documents before you say what is in them."""


def make_form() -> Form:
    return Form(
        name="eli5-answerability",
        title="Can this question be answered?",
        makes="answers",
        layout="single",
        instructions=_INSTRUCTIONS,
        fields=lambda _view: _FIELDS,
    )


_ANSWER, _DOCUMENTS = "The answer", "The documents"
_FIELDS = (
    Field(
        name="answer_correct",
        label="Does the answer fully address the question?",
        kind="choice",
        options=YES_NO,
        part=_ANSWER,
    ),
    Field(name="answer_explains", label="Does it also explain?", kind="choice", options=YES_NO, part=_ANSWER),
    Field(
        name="document_has_answer",
        label="Do the documents contain the answer?",
        kind="choice",
        options=YES_NO,
        part=_DOCUMENTS,
    ),
    Field(
        name="document_is_relevant",
        label="Do they contain relevant information?",
        kind="choice",
        options=YES_NO,
        part=_DOCUMENTS,
    ),
)
