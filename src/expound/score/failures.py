"""Questions that a system failed on: recorded with the reason, not scored, counted beside every number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from expound.answer.copied import STAND_IN_FOR
from expound.score.pairs import Pair
from expound.types import Answer, Prediction, Question

ERROR = "error"
"""Where `meta` says why there is no answer."""


def failed_prediction(question: Question, system: str, error: Exception) -> Prediction:
    """The record of a question that was asked and not answered."""
    return Prediction(
        id=question.id,
        question=question.text,
        system=system,
        answer=Answer(),
        abstained=True,
        meta={ERROR: f"{type(error).__name__}: {error}"},
    )


def has_failed(prediction: Prediction) -> bool:
    """Whether a prediction is the record of an error: an empty answer by itself is a choice, and scores 0."""
    # With some text it is an answer, whatever went wrong beside it.
    return not prediction.answer.text and bool(prediction.meta.get(ERROR))


@dataclass
class Failures:
    """Takes failed questions out of a stream of pairs and remembers them."""

    errors: dict[str, str] = field(default_factory=dict)
    """The reason by the question's id."""
    stand_ins: int = 0

    def left_out(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs that have an answer."""
        for pair in pairs:
            if has_failed(pair.prediction):
                self.errors[pair.question.id] = str(pair.prediction.meta[ERROR])
                continue
            # A stand-in is scored, and said.
            self.stand_ins += bool(pair.prediction.meta.get(STAND_IN_FOR))
            yield pair

    def why_none(self) -> str:
        """What to say when nothing is left; empty when nothing failed."""
        reason = next(iter(self.errors.values()), "")
        return f"the system failed on every question that was asked, the first with {reason}" if reason else ""
