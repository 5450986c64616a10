"""Closed book: a text model answers from what it remembers (T5-C of Stelmakh et al. 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from expound.answer.quoting import cite_nothing
from expound.prompts import check_model
from expound.protocols import TextModel
from expound.types import Answer, Evidence, Interpretation, Prompt

# Room for a paragraph of some 200 words.
_TOKENS = 300


@dataclass(frozen=True)
class ClosedBook:
    """The model is given the question and nothing else."""

    model: TextModel | None = field(default=None, repr=False)
    most_calls = 1

    def __post_init__(self) -> None:
        check_model(self.model, self)

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """What the model says; nothing is cited."""
        return complete_answer(self.model, question)


def complete_answer(model: TextModel | None, prompt: str) -> Answer:
    """The model's answer to a prompt."""
    # A spec can be written without a model, so that lists of systems print; only answering needs one.
    assert model is not None, "checked when the answerer was made"
    [text] = model.complete([Prompt(prompt, max_tokens=_TOKENS)])
    return cite_nothing(text)
