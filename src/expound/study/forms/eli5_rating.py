"""ELI5's ratings of one answer (Fan et al. 2019, 4): fluency, correctness with or without evidence, relevance."""

from __future__ import annotations

from collections.abc import Mapping

from expound.study.design.form import YES_NO, Field, Form, Option, scale

# Two raters who say 4 and 5 agree that an answer reads well: the paper counts negative, neutral and positive.
COLLAPSED: Mapping[float, float] = {1: 1, 2: 1, 3: 2, 4: 3, 5: 3}

_INSTRUCTIONS = """\
You will see a question and one answer to it. Say how well it is written, whether it is correct, and whether it is \
about what was asked. An answer that is partly wrong is not correct. How well it is written has nothing to do with \
whether it is true."""


def make_form(*, evidence: bool = False, dont_know: bool = False) -> Form:
    """With `evidence` raters judge correctness by it; with `dont_know` they may say that they cannot."""
    fields = _fields(has_evidence=evidence, has_dont_know=dont_know)
    return Form(
        name="eli5-rating",
        title="How good is this answer?",
        makes="answers",
        layout="single",
        instructions=_INSTRUCTIONS,
        fields=lambda _view: fields,
        shows_evidence=evidence,
        collapse={"fluency": COLLAPSED},
    )


def _fields(*, has_evidence: bool, has_dont_know: bool) -> tuple[Field, ...]:
    # Correct by the evidence and correct by what one knows are two criteria: they may not be pooled.
    correct = "correct_with_evidence" if has_evidence else "correct"
    about = "By the evidence below the answer, is it correct?" if has_evidence else "Is the answer correct?"
    dont_know = (Option("unknown", "I don't know"),) if has_dont_know else ()
    return (
        Field(
            name="fluency",
            label="How well is the answer written?",
            kind="choice",
            options=scale("very poorly written", "poorly", "so-so", "well", "easily readable"),
        ),
        Field(name=correct, label=about, kind="choice", options=(*YES_NO, *dont_know)),
        Field(name="relevant", label="Is the answer about what was asked?", kind="choice", options=YES_NO),
    )
