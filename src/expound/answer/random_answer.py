"""A lower bound of Krishna et al. 2021: some training answer, in the style of an answer and off the topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from expound.answer.quoting import cite_nothing
from expound.answer.training import check_train, training_examples
from expound.types import Answer, Evidence, Interpretation


@dataclass(frozen=True)
class RandomAnswer:
    """An answer of a random training question that is not in the dataset `without`; always the same for a question."""

    train: str = ""
    without: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        check_train(self.train)

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """Drawn by seed and question alone, so that neither order nor batches matter."""
        draw = Random(f"{self.seed} {question}")
        # A question first, then one of its answers: questions with many answers are not likelier.
        return cite_nothing(draw.choice(draw.choice(training_examples(self.train, self.without)).answers))
