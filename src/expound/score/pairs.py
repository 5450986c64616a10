"""Questions with their predictions, matched by id while both are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from expound.errors import BadInput, UserError
from expound.records import question_id
from expound.types import Prediction, Question

_NAMED = 5  # ids that a message names; with hundreds missing the first few show what is wrong
_LONGEST = 60  # characters of an id: where ids are whole questions, their beginnings do


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
    source: str = ""
    """The predictions' file, for messages."""
    ids: list[str] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    _texts: dict[str, str] = field(default_factory=dict, repr=False)

    def __iter__(self) -> Iterator[Pair]:
        places: dict[str, int] = {}
        asked: dict[str, Question] = {}
        answered: dict[str, Prediction] = {}
        # One of each at a time: two files in one order never hold more than a pair.
        for question, prediction in zip_longest(self.questions, self.predictions):
            if question is not None:
                self._refuse_second(question.id in places, "questions", question.id)
                places[question.id] = len(places)
                asked[question.id] = question
            if prediction is not None:
                # Known and no longer waiting: it was given out already.
                seen = prediction.id in answered or (prediction.id in places and prediction.id not in asked)
                self._refuse_second(seen, "predictions", prediction.id)
                answered[prediction.id] = prediction
            # Both are looked at, since either may be the partner of one that waited.
            for item in (question, prediction):
                if item is not None and item.id in asked and item.id in answered:
                    yield Pair(places[item.id], asked.pop(item.id), answered.pop(item.id))
        self.ids, self.unanswered, self.unknown = list(places), list(asked), list(answered)
        # Only ids that we made of the question ourselves: those of a dataset say what they are.
        self._texts = {id: question.text for id, question in asked.items() if id == question_id(question.text)}

    @property
    def missing(self) -> int:
        """How many ids stand on one side only."""
        return len(self.unanswered) + len(self.unknown)

    def check(self) -> None:
        """Refuse what is incomplete, naming the ids."""
        where = f"{self.source}: " if self.source else ""
        # Nothing in common is mostly the wrong file, which deserves another hint than a few gaps.
        if self.unanswered and len(self.unanswered) == len(self.ids):
            raise UserError(
                f"{where}no prediction has the id of a question: the dataset has {self._name_ids(self.unanswered)}; "
                f"the predictions {self._name_ids(self.unknown) or 'none'}; is it another split?"
            )
        if self.unanswered:
            raise UserError(
                f"{where}{len(self.unanswered)} of {len(self.ids)} questions have no prediction: "
                f"{self._name_ids(self.unanswered)}; add them, or score the rest with --allow-missing"
            )
        if self.unknown:
            raise UserError(
                f"{where}{len(self.unknown)} predictions are for no question of the dataset: "
                f"{self._name_ids(self.unknown)}; is it another split? --allow-missing scores the rest"
            )

    def _refuse_second(self, is_second: bool, what: str, id: str) -> None:
        if is_second:
            where = f"{self.source}: " if self.source and what == "predictions" else ""
            raise BadInput(f"{where}two {what} have the id {_short(id)}; keep one of them")

    def _name_ids(self, ids: Sequence[str]) -> str:
        # An id that is made of the question says nothing to a reader; the question does.
        return named_ids([self._texts.get(id, id) for id in ids])


def named_ids(ids: Sequence[str]) -> str:
    """The first of many ids, as a message names them."""
    return ", ".join(map(_short, ids[:_NAMED])) + (", …" if len(ids) > _NAMED else "")


def _short(id: str) -> str:
    """An id in a message: quoted where it could be misread, cut where it is long."""
    cut = f"{id[:_LONGEST]}…" if len(id) > _LONGEST else id
    return cut if id.isascii() and id.replace("-", "").replace("_", "").isalnum() else repr(cut)
