"""The support check by a reader: gaps, questions for them, and what readers that know much or nothing make of it."""

from __future__ import annotations

import doctest
import re
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import UserError
from expound.score import citations, support_reader
from expound.score.citations import CitationRecall
from expound.score.support_reader import ReaderSupport, find_gaps, gap_question, nearest_sentences, support_by
from expound.types import Answer, Evidence, Passage, Prediction, Question, Span

PASSAGE = "The bridge opened in 1932. It was painted grey."


class YearReader:
    """A reader for tests: it knows when, and nothing else."""

    name = "years"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span]:
        self.asked += pairs
        return [self._span(question, context) for question, context in pairs]

    def _span(self, question: str, context: str) -> Span:
        found = re.search(r"\d{4}", context) if "when" in question else None
        return Span(found.group(), found.start(), found.end(), 1.0, 0.0) if found else Span("", 0, 0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("sentence", "gaps"),
    [
        ("It opened in May 1932 with 12 guests from York.", ["May 1932", "12", "York", "opened"]),
        ("A runner has a lower resting heart rate.", ["lower resting heart", "runner", "rate"]),
        ("In 1999 it was so.", ["1999"]),
        ("It was so.", []),
        ("", []),
    ],
)
def test_facts_are_gaps_before_other_words(sentence: str, gaps: list[str]) -> None:
    assert [sentence[gap.start : gap.end] for gap in find_gaps(sentence, most=4)] == gaps


@given(st.text("ABab19 .,'-é\n", max_size=80), st.integers(1, 6))
def test_gaps_stand_in_the_sentence_and_never_meet(sentence: str, most: int) -> None:
    gaps = sorted(find_gaps(sentence, most=most))
    assert len(gaps) <= most
    assert all(0 <= gap.start < gap.end <= len(sentence) for gap in gaps)
    assert all(one.end <= other.start for one, other in pairwise(gaps))


def test_a_gap_is_asked_for_in_its_place() -> None:
    sentence = "In 1932 the bridge opened!"
    assert gap_question(sentence, find_gaps(sentence, most=1)[0]) == "In when the bridge opened?"


def test_only_the_nearest_sentences_are_read() -> None:
    passage = " ".join(f"Number {n} is odd." for n in range(1, 20)) + " The bridge opened in 1932."
    found = nearest_sentences(passage, "The bridge opened late.")
    assert found.endswith("The bridge opened in 1932.")
    assert found.count(".") == 5


def test_support_is_the_mean_agreement_of_the_gaps() -> None:
    reader = YearReader()
    assert support_by(reader, PASSAGE, "The bridge opened in 1932.") == 0.5
    assert support_by(reader, PASSAGE, "The bridge opened in 1931.") == 0.0
    assert support_by(reader, PASSAGE, "The bridge opened in 1932.", gaps=1) == 1.0
    assert {context for _, context in reader.asked} == {PASSAGE}


@pytest.mark.parametrize(("passage", "sentence"), [("", "It opened in 1932."), (PASSAGE, ""), (PASSAGE, "It was so.")])
def test_without_a_passage_or_a_gap_there_is_no_support(passage: str, sentence: str) -> None:
    reader = YearReader()
    assert support_by(reader, passage, sentence) == 0.0
    assert reader.asked == []


@given(st.text(max_size=60), st.text(max_size=60))
def test_support_by_a_reader_stays_between_0_and_1(passage: str, sentence: str) -> None:
    assert 0 <= support_by(YearReader(), passage, sentence) <= 1


def test_the_citation_metrics_take_the_judge_by_name_and_sign_with_its_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint("reader", "expound.score.support_reader:ReaderSupport", "expound.supports")]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group: [p for p in points if p.group == group])
    monkeypatch.setattr("expound.models.readers.open_reader", lambda name: YearReader())
    for cached in (citations._build_supports, support_reader.opened_reader):
        cached.cache_clear()
    answer = Answer("The bridge opened in 1932 [1]. The bridge opened in 1931 [1].")
    prediction = Prediction("1", "?", "test", answer, evidence=(Evidence(Passage("1", PASSAGE), 1, 1.0),))
    metric = CitationRecall(supports="reader", threshold=0.02)
    assert metric.count(Question("1", "?"), prediction) == 50
    assert metric.options == {"supports": "reader[years]", "threshold": "0.02"}
    for cached in (citations._build_supports, support_reader.opened_reader):
        cached.cache_clear()


def test_the_judge_prints_as_the_text_that_creates_it() -> None:
    assert repr(ReaderSupport()) == "ReaderSupport(reader='auto', gaps=4)"
    with pytest.raises(UserError, match="at least one gap"):
        ReaderSupport(gaps=0)


def test_no_reader_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    support_reader.opened_reader.cache_clear()
    with pytest.raises(UserError, match="needs a reader"):
        ReaderSupport("none")(PASSAGE, "It opened in 1932.")


def test_the_examples_hold() -> None:
    assert doctest.testmod(support_reader).failed == 0
