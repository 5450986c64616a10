"""List the short answers of the readings, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expound.types import Answer, Evidence, Interpretation


@dataclass(frozen=True)
class ListAnswers:
    """The first alias of every reading's answer, separated by semicolons: AmbigQA's task without prose.

    `most` keeps the first readings only; 0 keeps all.
    """

    most: int = 0

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """Empty where no reading was found."""
        answers = [reading.answers[0] for reading in interpretations if reading.answers]
        # Not cited: the readings carry their own citations, and the list is no sentence.
        return Answer("; ".join(answers[: self.most or None]))
