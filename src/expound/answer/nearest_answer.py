"""ELI5's retrieval baseline (Fan et al. 2019): the answer to the nearest training question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from expound.answer.quoting import cite_nothing
from expound.answer.training import Neighbours, check_train, resolve_training
from expound.protocols import Embedder
from expound.types import Answer, Evidence, Interpretation


@dataclass(frozen=True)
class NearestAnswer:
    """The first answer of the training question that is nearest by the embedder's vectors, or without one by TF-IDF.

    `without` is the dataset to be evaluated on: its questions are left out of the training questions.
    """

    train: str = ""
    without: str = ""
    by: str = "auto"
    embedder: Embedder | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        check_train(self.train)
        # The spec is to say which of the two it was.
        object.__setattr__(self, "by", resolve_training(self.by, self.embedder))

    @cached_property
    def neighbours(self) -> Neighbours:
        """Where to look."""
        return Neighbours(self.train, self.without, self.by, self.embedder)

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """Nothing is cited; nothing is said when no training question has a word in common."""
        nearest = self.neighbours.nearest(question, 1)
        return cite_nothing(nearest[0].answers[0]) if nearest else Answer()
