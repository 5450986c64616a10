"""Answers of the nearest training questions: the longest, and the best by ROUGE-L (Krishna et al. 2021, Table 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from expound.answer.inputs import longest
from expound.answer.quoting import written
from expound.answer.training import Neighbours, check_train, resolved
from expound.bounds.gold import best_rouge_l
from expound.errors import UserError
from expound.protocols import Embedder
from expound.types import Answer, Evidence, Interpretation, Question


@dataclass(frozen=True)
class LongestOfTopK:
    """The longest of all answers to the `k` nearest training questions. It needs no references.

    `without` is the dataset to be evaluated on: its questions are left out of the training questions.
    """

    train: str = ""
    without: str = ""
    k: int = 7
    by: str = "auto"
    embedder: Embedder | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by", _checked(self.train, self.k, self.by, self.embedder))

    @cached_property
    def neighbours(self) -> Neighbours:
        """Where to look."""
        return Neighbours(self.train, self.without, self.by, self.embedder)

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """Empty where no training question is near."""
        answers = _answers(self.neighbours, question, self.k)
        return written(answers[longest(answers)]) if answers else Answer()


@dataclass(frozen=True)
class BestOfTopK:
    """Of all answers to the `k` nearest training questions, the one with the highest ROUGE-L to a reference.

    `without` is the dataset to be evaluated on: its questions are left out of the training questions.
    """

    train: str = ""
    without: str = ""
    k: int = 7
    by: str = "auto"
    embedder: Embedder | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by", _checked(self.train, self.k, self.by, self.embedder))

    @cached_property
    def neighbours(self) -> Neighbours:
        """Where to look."""
        return Neighbours(self.train, self.without, self.by, self.embedder)

    def answer_to(
        self, question: Question, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """Empty where no training question is near."""
        answers = _answers(self.neighbours, question.text, self.k)
        return written(max(answers, key=lambda text: best_rouge_l(text, question.references))) if answers else Answer()


def _answers(neighbours: Neighbours, question: str, k: int) -> list[str]:
    return [answer for example in neighbours.nearest(question, k) for answer in example.answers]


def _checked(train: str, k: int, by: str, embedder: Embedder | None) -> str:
    """The neighbours' kind, once the options make sense."""
    check_train(train)
    if k < 1:
        raise UserError(f"at least 1 neighbour is needed, not k={k}")
    return resolved(by, embedder)
