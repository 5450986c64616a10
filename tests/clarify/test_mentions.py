"""The strings that may answer a question are whole, and those that come close are told from those that are meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from expound.clarify.evidence_only import EvidenceOnly
from expound.clarify.mentions import Mention, find_mentions
from expound.clarify.settings import CHOOSING, Choosing
from expound.clarify.weighing import JudgedReading, judge_answers, options_of
from expound.models.question_rewriter import QuestionRewriter
from expound.testing import FixedScorer, evidence_of
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


def test_who_lost_is_no_winner() -> None:
    found = judged("Who won the cup in 1931?", "Marrow Owls", "Hollow Bees beat the Marrow Owls in the cup of 1931.")
    assert [one.option.answer for one in found if not one.left_out] == ["Hollow Bees"]


def test_who_did_it_is_not_whom_it_was_done_to() -> None:
    found = judged("Who did Marrow beat in the cup?", "Marrow Owls", "Marrow Owls beat Hollow Bees in the cup.")
    assert "Marrow Owls" not in [one.option.answer for one in found]


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Where is the fair held?", "The fair is held in Hollow, Marrow."),
        ("What two towns hold the fair?", "Hollow Town and Marrow Town hold the fair."),
    ],
)
def test_a_part_of_the_answer_is_no_further_reading(question: str, sentence: str) -> None:
    assert len([one for one in judged(question, "Hollow", sentence) if not one.left_out]) == 1


TOLD_BY_PLACE = ("Ada Fenn won the race in Hollow.", "Bo Lund won the race in Marrow.")
TOLD_BY_TIME = ("Ada Fenn won the race in 1901.", "Bo Lund won the race in 1902.")


@pytest.mark.parametrize(
    ("said", "least", "shown"),
    [(TOLD_BY_PLACE, 0.0, 2), (TOLD_BY_PLACE, 1.0, 1), (TOLD_BY_TIME, 1.0, 2)],
)
def test_unsure_readings_are_shown_only_where_a_time_tells_them_apart(
    said: tuple[str, str], least: float, shown: int
) -> None:
    scored = [ScoredSentence(text, 1, place, 1.0, 0.9, 0.9) for place, text in enumerate(said)]
    choosing = Choosing(least=0.0, least_both=0.0, least_untimed=least)
    clarifier = EvidenceOnly(FixedScorer(*scored), FixedReader("Ada Fenn"), single=True, choosing=choosing)
    question, evidence = "Who won the race?", evidence_of(" ".join(said))
    assert len(clarifier.clarify(question, evidence)) == shown
    told = " ".join(clarifier.explain(question, evidence).values())
    assert ("no time tells it" in told, "the one answer" in told) == (shown == 1, shown == 1)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (["Who won the merry race of 1901?", "Who won the merry race of 1902?"], True),
        (["Who won the merry race of 1777?", "Who won the merry race of 1902?"], False),
    ],
)
def test_a_writer_of_ones_own_writes_the_readings_and_code_mends_them(
    written: list[str], kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QuestionRewriter, "rewrite", lambda *_: written)
    scored = [ScoredSentence(text, 1, place, 1.0, 0.9, 0.9) for place, text in enumerate(TOLD_BY_TIME)]
    choosing = Choosing(least=0.0, least_both=0.0)
    clarifier = EvidenceOnly(FixedScorer(*scored), FixedReader("Ada Fenn"), choosing=choosing, writer="folder")
    found = [
        reading.question
        for reading in clarifier.clarify("Who won the merry race?", evidence_of(" ".join(TOLD_BY_TIME)))
    ]
    assert found == (written if kept else ["Who won the merry race in 1901?", written[1]])
