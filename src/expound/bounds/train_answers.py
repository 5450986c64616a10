"""Answers of the nearest training questions: the longest, and the best by ROUGE-L (Krishna et al. 2021, Table 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from expound.answer.quoting import cite_nothing
from expound.answer.training import Neighbours, check_train, resolve_training
from expound.bounds.gold import best_rouge_l
from expound.errors import UserError
from expound.models.model_inputs import longest
from expound.protocols import Embedder
from expound.types import Answer, Evidence, Interpretation, Question


@dataclass(frozen=True)
class _OfTopK:
    """All answers to the `k` nearest training questions, and where to look for those."""

    train: str = ""
    without: str = ""
    k: int = 7
    by: str = "auto"
    embedder: Embedder | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        check_train(self.train)
        if self.k < 1:
            raise UserError(f"at least 1 neighbour is needed, not k={self.k}")
        # The spec is to say which of the two it was; frozen, hence the detour.
        object.__setattr__(self, "by", resolve_training(self.by, self.embedder))

    @cached_property
    def neighbours(self) -> Neighbours:
        """Where to look."""
        return Neighbours(self.train, self.without, self.by, self.embedder)

    def _answers(self, question: str) -> list[str]:
        return [answer for example in self.neighbours.nearest(question, self.k) for answer in example.answers]


@dataclass(frozen=True)
class LongestOfTopK(_OfTopK):
    """The longest of all answers to the `k` nearest training questions. It needs no references.

    `without` is the dataset to be evaluated on: its questions are left out of the training questions.
    """

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """Empty where no training question is near."""
        answers = self._answers(question)
        return cite_nothing(answers[longest(answers)]) if answers else Answer()


@dataclass(frozen=True)
class BestOfTopK(_OfTopK):
    """Of all answers to the `k` nearest training questions, the one with the highest ROUGE-L to a reference.

    `without` is the dataset to be evaluated on: its questions are left out of the training questions.
    """

    def answer_to(
        self, question: Question, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """Empty where no training question is near."""
        answers = self._answers(question.text)
        return (
            cite_nothing(max(answers, key=lambda text: best_rouge_l(text, question.references)))
            if answers
            else Answer()
        )
