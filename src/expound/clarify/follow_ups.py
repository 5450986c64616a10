"""A question that follows another: what it leaves out, or says a pronoun for, is taken from the one before."""

from __future__ import annotations

from collections.abc import Sequence

from expound.clarify.ellipsis import fill_in
from expound.clarify.pronouns import replace_pronoun
from expound.clarify.subjects import AskedBefore
from expound.types import Prediction


def follow_up(question: str, before: str, passages: Sequence[str] = (), *, direct: str = "", said: str = "") -> str:
    """The question as it would be asked by itself; as it is where it stands by itself.

    The subject is a stretch of the question before that the passages of its answer have, word for word; he and she are
    the person that was asked for: `direct` is the answer in a word or two, `said` all of it.

    >>> follow_up("When was it built?", "Who designed the lighthouse of Marrow Point?")
    'When was the lighthouse of Marrow Point built?'
    """
    asked = AskedBefore(question=before, passages=passages, direct=direct, said=said)
    filled = fill_in(question, asked)
    # What was left out is there now, and may not be replaced again.
    return filled if filled != question else replace_pronoun(question, asked)


def follow_prediction(question: str, last: Prediction) -> str:
    """The same after an answer: its evidence says which words of its question belong together."""
    passages = [f"{one.passage.title}\n{one.passage.text}" for one in last.evidence]
    direct = last.answer.direct.text if last.answer.direct else ""
    return follow_up(question, last.question, passages, direct=direct, said=last.answer.text)
