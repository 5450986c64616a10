"""What visitors say of answers, kept with what is said on the terminal: on the disk before it is confirmed."""

from __future__ import annotations

from hashlib import sha256

from expound.errors import UserError
from expound.opinions import RIGHT, SUPPORTED, answer_id, keep_opinion, keep_support, read_opinions, sentence_id
from expound.types import Judgment, Prediction

_FORM = "serve"
_VALUES = {"yes": True, "no": False, "": None}
# Enough to tell visitors apart; the key itself stays in the visitor's cookie.
_RATER_LETTERS = 12


class Votes:
    """What every visitor has said, at hand for the pages that show it."""

    def __init__(self) -> None:
        self._said: dict[tuple[str, str, str], str] = {}
        # Once, at the start: pages ask for every sentence, and reading the file each time would be slow.
        for judgment in read_opinions():
            self._note(judgment)

    def judge(self, visitor: str, prediction: Prediction, value: str) -> None:
        """Whether an answer is right: yes, no, or nothing to take it back."""
        self._note(keep_opinion(prediction, is_right=_vote(value), rater=_rater(visitor), form=_FORM))

    def judge_sentence(self, visitor: str, prediction: Prediction, number: int, value: str) -> None:
        """Whether what a sentence cites supports it; the comment is the sentence."""
        self._note(keep_support(prediction, number, is_supported=_vote(value), rater=_rater(visitor), form=_FORM))

    def said(self, visitor: str, prediction: Prediction) -> str:
        """What a visitor has said of an answer."""
        return self._said.get((_rater(visitor), answer_id(prediction), RIGHT), "")

    def said_of_sentence(self, visitor: str, prediction: Prediction, number: int) -> str:
        return self._said.get((_rater(visitor), sentence_id(prediction, number), SUPPORTED), "")

    def _note(self, judgment: Judgment) -> None:
        self._said[judgment.rater, judgment.item, judgment.criterion] = str(judgment.value or "")


def _vote(value: str) -> bool | None:
    if value not in _VALUES:
        raise UserError(f"a vote is yes, no or nothing, not {value[:40]!r}")
    return _VALUES[value]


def _rater(visitor: str) -> str:
    return sha256(visitor.encode()).hexdigest()[:_RATER_LETTERS]
