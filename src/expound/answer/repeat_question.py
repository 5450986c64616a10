"""Repeat the question: ASQA's QUESTION (eight times) and the copied input of Krishna et al. 2021 (five times)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expound.errors import UserError
from expound.types import Answer, Evidence, Interpretation, Sentence


@dataclass(frozen=True)
class RepeatQuestion:
    """The question, `times` over.

    >>> RepeatQuestion(times=2).answer("Why?", []).text
    'Why? Why?'
    """

    times: int = 8

    def __post_init__(self) -> None:
        if self.times < 1:
            raise UserError(f"RepeatQuestion says it at least once, not times={self.times}")

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """The same, whatever the evidence."""
        # Sentences without a source text and citation: nothing of it is proved by any evidence.
        return Answer(" ".join([question] * self.times), (Sentence(question, "", ()),) * self.times)
