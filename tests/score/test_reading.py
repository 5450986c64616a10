"""The reader in the scorer: it is asked every reading's question of the long answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from expound.score import Scorer, score
from expound.score.profile import Options, find_profile
from expound.score.results import reader_of
from expound.types import Answer, Interpretation, Prediction, Question, Span

ASQA = find_profile("asqa", Options(splitter="rules"))
READINGS = (Interpretation("Who sang it in 1964?", ("Ann Lee",)), Interpretation("Who sang it in 2016?", ("Bo Ek",)))
QUESTIONS = [
    Question(str(number), "Who sang it?", ("Ann Lee sang it, later Bo Ek.",), READINGS) for number in range(70)
]
ANSWERS = [Prediction(question.id, question.text, "demo", Answer("Ann Lee sang it.")) for question in QUESTIONS]


@dataclass
class FirstName:
    """Finds Ann Lee wherever she stands."""

    name: str = "first-name"
    asked: list[tuple[str, str]] = field(default_factory=list)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span]:
        self.asked += pairs
        return [Span("Ann Lee" if "Ann Lee" in text else "", 0, 7, 1.0, 0.0) for _, text in pairs]


def test_every_reading_is_asked_of_the_answer() -> None:
    reader = FirstName()
    results = {result.metric: result for result in score(ANSWERS, QUESTIONS, ASQA, reader=reader)}
    assert len(reader.asked) == 140
    assert reader.asked[:2] == [(reading.question, "Ann Lee sang it.") for reading in READINGS]
    assert results["qa_em"].value == 50
    assert results["qa_hit"].value == 0
    assert results["dr"].value > 0


def test_the_signature_names_the_reader() -> None:
    results = score(ANSWERS, QUESTIONS, ASQA, reader=FirstName())
    told = {result.metric: reader_of(result) for result in results}
    assert told["qa_f1"] == told["dr"] == "first-name"
    assert told["str_em"] == ""


def test_short_answers_that_were_given_are_not_read_again() -> None:
    given = [
        Prediction(
            item.id, item.question, "demo", item.answer, meta={"short_answers": {0: ("Ann Lee",), 1: ("Bo Ek",)}}
        )
        for item in ANSWERS
    ]
    reader = FirstName()
    [result] = [r for r in score(given, QUESTIONS, ASQA, reader=reader) if r.metric == "qa_em"]
    assert result.value == 100
    assert reader.asked == []


def test_a_reader_is_not_asked_for_metrics_that_need_none() -> None:
    reader = FirstName()
    score(ANSWERS, QUESTIONS, ["StrEm()"], reader=reader)
    assert reader.asked == []


def test_every_persons_answer_is_read_by_itself() -> None:
    questions = [Question("1", "Who?", ("Ann Lee sang it.", "It was Bo Ek."), READINGS)]
    reader = FirstName()
    results = Scorer(ASQA, protocol="human", reader=reader).score([], questions).results
    assert [text for _, text in reader.asked] == ["Ann Lee sang it."] * 2 + ["It was Bo Ek."] * 2
    # Ann Lee is one of two right answers in the first text, and nothing is found in the second.
    assert {r.metric: r.value for r in results}["qa_em"] == 25
