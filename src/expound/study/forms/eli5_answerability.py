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
    Field("answer_correct", "Does the answer fully address the question?", "choice", YES_NO, part=_ANSWER),
    Field("answer_explains", "Does it also explain?", "choice", YES_NO, part=_ANSWER),
    Field("document_has_answer", "Do the documents contain the answer?", "choice", YES_NO, part=_DOCUMENTS),
    Field("document_is_relevant", "Do they contain relevant information?", "choice", YES_NO, part=_DOCUMENTS),
)
