"""Retrieval@K: the best passages are the answer (DPR@1 and JPR@1 of ASQA, Stelmakh et al. 2022)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expound.answer.quoting import Place, places_of, quote_sentence
from expound.errors import UserError
from expound.types import Answer, Evidence, Interpretation


@dataclass(frozen=True)
class TopPassages:
    """The first `k` passages, whole; with `most_words`, their first sentences up to about so many words."""

    k: int = 1
    most_words: int | None = None

    def __post_init__(self) -> None:
        if self.k < 1:
            raise UserError(f"TopPassages needs at least 1 passage, not k={self.k}")

    def answer(
        self, question: str, evidence: Sequence[Evidence], interpretations: Sequence[Interpretation] = ()
    ) -> Answer:
        """The passages, sentence by sentence."""
        places = places_of(evidence[: self.k])
        return quote_sentence(places if self.most_words is None else fill_words(places, self.most_words))


def fill_words(ranked: Sequence[Place], words: int) -> list[Place]:
    """Sentences in the given order, as long as at least half of each fits into the words."""
    chosen: list[Place] = []
    length = 0
    for place in ranked:
        # Later and shorter sentences may still fit where one was too long.
        size = len(place.text.split())
        # Half: on average answers are then as long as was asked for, and not always shorter.
        if length + size / 2 <= words:
            chosen.append(place)
            length += size
    return chosen
