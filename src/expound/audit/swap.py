"""Random passages and answers that belong to other questions, always the same for a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from expound.errors import UserError
from expound.types import Evidence, Passage, Prediction

Item = TypeVar("Item")


def of_others(items: Sequence[Item], *, seed: int) -> list[Item]:
    """Every place gets the item of another place: a random cycle through all of them."""
    order = list(range(len(items)))
    Random(seed).shuffle(order)
    given = list(items)
    # One cycle through all: nobody keeps the own item, which a plain shuffle does not promise.
    for place, source in zip(order, order[1:] + order[:1], strict=True):
        given[place] = items[source]
    return given


@dataclass(frozen=True)
class RandomPassages:
    """A retriever that gives every question as many passages as it had, drawn from other questions' passages."""

    evidence: Mapping[str, tuple[Evidence, ...]] = field(repr=False)
    """By the question's text, as retrievers are asked."""
    seed: int = 0

    @classmethod
    def of(cls, predictions: Sequence[Prediction], *, seed: int) -> RandomPassages:
        """From the passages of finished predictions."""
        pools = {prediction.question: prediction.evidence for prediction in predictions}
        if len([question for question, evidence in pools.items() if evidence]) < 2:
            raise UserError("random passages are other questions' passages: two or more questions need some")
        return cls(pools, seed)

    def retrieve(self, question: str, *, k: int) -> list[Evidence]:
        """Drawn by seed and question alone, so that neither order nor processes matter."""
        own = {item.passage.text for item in self.evidence.get(question, ())}
        draw = Random(f"{self.seed} {question}")
        others = [key for key in self.evidence if key != question and self.evidence[key]]
        drawn: dict[str, Passage] = {}
        # Bounded, because the others may hold nothing but this question's passages.
        for _ in range(50 * k):
            # As many as the question had, so that length tells nothing.
            if len(drawn) == min(k, len(self.evidence.get(question, ())) or k):
                break
            passage = draw.choice(self.evidence[draw.choice(others)]).passage
            if passage.text not in own:  # ids may be those of a list, 1, 2, 3, for every question
                drawn[passage.text] = passage
        return [Evidence(passage, number, 1.0 / number) for number, passage in enumerate(drawn.values(), start=1)]
