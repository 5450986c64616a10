"""Evidence without a search: what comes with the question, or none at all."""

from __future__ import annotations

from dataclasses import dataclass

from expound.errors import UserError
from expound.types import Evidence, Question


@dataclass(frozen=True)
class Given:
    """The passages that the dataset gives with a question, in its order and all of them."""

    def retrieve(self, question: str, *, k: int) -> list[Evidence]:
        """A question alone brings no evidence."""
        raise UserError("Given() takes the evidence from the dataset: use it in expound run")

    def retrieve_to(self, question: Question, *, k: int = 0) -> list[Evidence]:
        """The question's own passages, however many there are."""
        passages = enumerate(question.evidence, start=1)
        # Datasets give no scores: a falling one keeps the order for whoever sorts by it.
        return [Evidence(passage, number, 1.0 / number) for number, passage in passages]


@dataclass(frozen=True)
class Nothing:
    """No evidence: for systems that answer from memory, and for bounds that look at the references."""

    def retrieve(self, question: str, *, k: int) -> list[Evidence]:
        """Always empty."""
        return []
