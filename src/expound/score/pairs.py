"""Questions with their predictions, matched by id while both are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from expound.errors import BadInput, UserError
from expound.types import Prediction, Question

_NAMED = 5


class Pair(NamedTuple):
    """A question, where it stands in the dataset, and the prediction for it."""

    position: int
    question: Question
    prediction: Prediction


@dataclass
class Matcher:
    """Pairs what has the same id. Texts are kept only until their partner comes: files in one order need little memory.

    After iterating, `ids` are the dataset's ids in order, `unanswered` and `unknown` those without a partner.
    """

    questions: Iterable[Question]
    predictions: Iterable[Prediction]
    ids: list[str] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Pair]:
        places: dict[str, int] = {}
        asked: dict[str, Question] = {}
        answered: dict[str, Prediction] = {}
        for question, prediction in zip_longest(self.questions, self.predictions):
            if question is not None:
                _refuse_second(question.id in places, "questions", question.id)
                places[question.id] = len(places)
                asked[question.id] = question
            if prediction is not None:
                seen = prediction.id in answered or (prediction.id in places and prediction.id not in asked)
                _refuse_second(seen, "predictions", prediction.id)
                answered[prediction.id] = prediction
            for item in (question, prediction):
                if item is not None and item.id in asked and item.id in answered:
                    yield Pair(places[item.id], asked.pop(item.id), answered.pop(item.id))
        self.ids, self.unanswered, self.unknown = list(places), list(asked), list(answered)

    @property
    def missing(self) -> int:
        """How many ids stand on one side only."""
        return len(self.unanswered) + len(self.unknown)

    def check(self) -> None:
        """Refuse what is incomplete, naming the ids."""
        if self.unanswered and len(self.unanswered) == len(self.ids):
            raise UserError(
                f"no prediction has the id of a question: the dataset has {_named(self.unanswered)}; "
                f"the predictions {_named(self.unknown) or 'none'}; is it another split?"
            )
        if self.unanswered:
            raise UserError(
                f"{len(self.unanswered)} of {len(self.ids)} questions have no prediction: {_named(self.unanswered)}; "
                "add them, or score the rest with --allow-missing"
            )
        if self.unknown:
            raise UserError(
                f"{len(self.unknown)} predictions are for no question of the dataset: {_named(self.unknown)}; "
                "is it another split? --allow-missing scores the rest"
            )


def _refuse_second(is_second: bool, what: str, id: str) -> None:
    if is_second:
        raise BadInput(f"two {what} have the id {id!r}; keep one of them")


def _named(ids: Sequence[str]) -> str:
    return ", ".join(ids[:_NAMED]) + (", …" if len(ids) > _NAMED else "")
