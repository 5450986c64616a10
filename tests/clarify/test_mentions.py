"""The strings that may answer a question are whole, and those that come close are told from those that are meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from expound.clarify.mentions import Mention, find_mentions
from expound.clarify.settings import CHOOSING
from expound.clarify.weighing import JudgedReading, judge_answers, options_of
from expound.testing import evidence_of
from expound.types import ScoredSentence, Span


@dataclass(frozen=True)
class FixedRead:
    """A context in which a stretch has a high score and every other one a lower score."""

    context: str
    stretch: str
    null_score: float = 0.0

    def best(self, most: int) -> list[Span]:
        start = self.context.find(self.stretch)
        return [Span(self.stretch, start, start + len(self.stretch), score=6.0, null_score=0.0)] if start >= 0 else []

    def score(self, start: int, end: int) -> float:
        return 6.0 if self.stretch in self.context[start:end] else 4.0


@dataclass(frozen=True)
class FixedReader:
    """A reader that likes one stretch of a text, wherever it stands."""

    stretch: str
    name: str = "fixed"

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span]:
        return [FixedRead(context, self.stretch).best(1)[0] for _, context in pairs]

    def read_closely(self, pairs: Sequence[tuple[str, str]]) -> list[FixedRead]:
        return [FixedRead(context, self.stretch) for _, context in pairs]


def mentions(question: str, stretch: str, *sentences: str) -> list[Mention]:
    evidence = evidence_of(" ".join(sentences))
    scored = [
        ScoredSentence(text=text, number=1, position=position, score=1.0, similarity=0.9, confidence=0.9)
        for position, text in enumerate(sentences)
    ]
    return find_mentions(question, evidence, scored, FixedReader(stretch))


@pytest.mark.parametrize(
    ("question", "stretch", "sentence", "answer"),
    [
        ("What is the fastest animal?", "chee", "The cheetah is the fastest animal.", "cheetah"),
        ("Where is the tower?", "in Little Hollow of", "The tower is in Little Hollow of all places.", "Little Hollow"),
        ("How long is the street?", "11.2 km long", "The street is 11.2 km long.", "11.2 km"),
        ("Who won?", "Ada Fenn of Marrow", "The race was won by Ada Fenn of Marrow.", "Ada Fenn"),
    ],
)
def test_an_answer_is_whole_and_nothing_else(question: str, stretch: str, sentence: str, answer: str) -> None:
    found = [mention.answer for mention in mentions(question, stretch, sentence)]
    assert answer in found
    assert stretch not in found


def test_two_dates_are_no_answer() -> None:
    found = mentions("When was it added?", "1948 and 1954", "It was added in 1948 and 1954.")
    assert "1948 and 1954" not in [mention.answer for mention in found]


def judged(question: str, stretch: str, *sentences: str) -> list[JudgedReading]:
    options = options_of(question, mentions(question, stretch, *sentences))
    return judge_answers(question, options, choosing=CHOOSING, most=5)


def test_who_is_said_to_be_what_is_asked_goes_before_who_is_something_like_it() -> None:
    found = judged(
        "Who was the first Danish woman in space?",
        "Bo Lund",
        "Ada Fenn was the first Danish woman in space, in 1983.",
        "Bo Lund was the first Dane in space, in 1961.",
    )
    assert found[0].option.answer == "Ada Fenn"
    assert [one.option.answer for one in found if not one.left_out] == ["Ada Fenn"]


def test_a_number_is_no_reading_of_a_question_for_a_name() -> None:
    found = judged("Which town joined the league?", "Hollow", "Hollow joined the league in 1949 as number 29.")
    assert all(one.left_out for one in found if one.option.answer in ("29", "1949"))


def test_what_has_most_is_one_thing() -> None:
    found = judged(
        "Who has the most wins in the cup?",
        "Ada Fenn",
        "Ada Fenn has the most wins in the cup, with nine.",
        "Bo Lund has the most wins in the cup, with eight.",
    )
    assert len([one for one in found if not one.left_out]) == 1


def test_a_sentence_on_another_season_founds_no_further_reading() -> None:
    found = judged(
        "Who won season 3 of the race?",
        "Ada Fenn",
        "Ada Fenn won season 3 of the race.",
        "Bo Lund won season 4 of the race.",
    )
    assert [one.option.answer for one in found if not one.left_out] == ["Ada Fenn"]
