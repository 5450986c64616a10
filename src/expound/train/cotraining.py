"""Democratic co-training with weak supervision (AmbigQA, algorithm 1): several models find further answers together.

Each question of the partial set has one known answer. Every model lists answers with the known one as the beginning;
what more than half of them add is believed, and a question to which none adds anything has one answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from expound.text.normal import normalize_answer
from expound.train.data.answer_lists import AnswerList


@dataclass(frozen=True)
class Labelled:
    """What became of the questions with one known answer."""

    several: tuple[AnswerList, ...]
    single: tuple[AnswerList, ...]
    dropped: int
    """How many the models do not agree on: some add an answer, and no answer has most of them behind it."""

    def counts(self) -> dict[str, int]:
        """How many questions got further answers, kept one, or were left out."""
        return {"several": len(self.several), "single": len(self.single), "dropped": self.dropped}


def label_partial(partial: Sequence[AnswerList], ballots: Sequence[Sequence[Sequence[str]]]) -> Labelled:
    """The questions of the partial set with the answers that models find together.

    A ballot is what one model adds to the known answer of every question.
    """
    labelled = [(row, vote(row, [ballot[place] for ballot in ballots])) for place, row in enumerate(partial)]
    several = [AnswerList(row.question, (*row.answers, *found), row.documents) for row, found in labelled if found]
    single = [row for row, found in labelled if found is not None and not found]
    return Labelled(tuple(several), tuple(single), dropped=sum(found is None for _, found in labelled))


def vote(row: AnswerList, ballots: Sequence[Sequence[str]]) -> list[str] | None:
    """The answers that more than half of the ballots add; none where no ballot adds any, None where they disagree."""
    known = set(map(normalize_answer, row.answers))
    # Backwards, so that an answer is spelt as the first model spells it.
    spelt = {normalize_answer(answer): answer for ballot in reversed(ballots) for answer in reversed(ballot)}
    votes = Counter(form for ballot in ballots for form in dict.fromkeys(map(normalize_answer, ballot)))
    added = {form: count for form, count in votes.items() if form and form not in known}
    # Half is not enough: of two models that differ neither is believed.
    won = [form for form, count in added.items() if 2 * count > len(ballots)]
    if not won and added:
        return None
    return [spelt[form] for form in sorted(won, key=lambda form: -added[form])]
