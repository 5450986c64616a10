"""Expert preference (Xu et al. 2023, Figure 4): the better of two answers, how hard the choice was, and the reasons."""

from __future__ import annotations

from dataclasses import replace

from expound.study.design.form import YES_NO, Answers, Field, Form, FormExport, Problem, sides
from expound.study.forms.masking import masked_lines

_INSTRUCTIONS = """\
You will see a question from your field and two answers to it. Say which answer is better; there is no tie. Then \
say whether the choice was difficult, and explain it.

Your explanation is what we learn most from. Compare the two answers explicitly, call them Answer A and Answer B, \
and when you quote, say which answer the quotation is from. The points above the text box are there to remind you \
of what may matter; write about those that do, and about anything else that decided it for you."""

_GUIDES = (
    "If the choice was hard: why?",
    "Does the question assume something false, and do the answers say so?",
    "Do the answers deal with every part of the question? Which part is left out, and by which answer?",
    "Are there mistakes of grammar so bad that an answer is hard to understand? Quote them.",
    "Are the answers well put and easy to follow? If not, quote what is not.",
    "Is something beside the point? Quote it and say why.",
    "Is something wrong, or a misconception? Quote it, say why, and give a source if you have one.",
)


def make_form(*, least_words: int = 10) -> Form:
    """`least_words` of a justification: fewer compare nothing, and the second pass over them finds no aspect."""
    fields = (*_CHOICES, replace(_WHY, help=f"At least {least_words} words." if least_words else ""))
    return Form(
        name="expert-preference",
        title="Which answer is better?",
        makes="pairs",
        layout="pair",
        instructions=_INSTRUCTIONS,
        fields=lambda _view: fields,
        check=lambda _view, answers: _check(answers, least_words),
        has_comment=False,
        shows_evidence=False,
        comment_from="justification",
        exports=(FormExport("masked.jsonl", "application/jsonl", masked_lines),),
    )


_CHOICES = (
    Field(name="overall", label="Which answer is better?", kind="side", options=sides()),
    Field(
        name="difficult",
        label="Was it difficult to decide, because the two are about equally good or bad?",
        kind="choice",
        options=YES_NO,
    ),
)
_WHY = Field("justification", "Explain your choice", "text", guides=_GUIDES)


def _check(answers: Answers, least: int) -> list[Problem]:
    words = len(answers.get("justification", "").split())
    if 0 < words < least:
        return [Problem("justification", f"Please explain your choice in at least {least} words; these are {words}.")]
    return []
