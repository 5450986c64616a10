"""Distinct n-grams, repetition and number of sentences."""

from __future__ import annotations

import doctest
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import UserError
from expound.protocols import Metric
from expound.score import diversity as diversity_module
from expound.score.diversity import DistinctN, Repetition, Sentences
from expound.text.punkt import Punkt
from expound.types import Answer, Prediction, Question

texts = st.text("ab C.!'’é\n", max_size=60)
sizes = st.integers(1, 5)


def value(metric: Metric, text: str) -> float:
    return metric.count(Question("1", "?"), Prediction("1", "?", "test", Answer(text)))


@pytest.mark.parametrize(
    ("text", "n", "expected"),
    [
        ("a b c", 1, 100),
        ("A a, a. A!", 1, 25),
        ("a b a b", 2, 200 / 3),
        ("don't don’t dont", 1, 100),
        ("it's it's", 1, 50),
        ("one two", 2, 100),
    ],
)
def test_distinct_is_the_share_of_different_ngrams(text: str, n: int, expected: float) -> None:
    assert value(DistinctN(n), text) == pytest.approx(expected)


def test_repetition_is_the_share_of_ngrams_that_were_there_before() -> None:
    assert value(Repetition(), "a b c d e") == 0
    assert value(Repetition(), "a b c d a b c d") == 20  # five sequences of four words, the last one the first
    assert value(Repetition(n=1), "no no no no") == 75


@pytest.mark.parametrize("text", ["", "...", "one two three", "\x00\x1b", "—?!"])
def test_an_answer_that_is_too_short_has_no_value(text: str) -> None:
    assert math.isnan(value(DistinctN(4), text))
    assert math.isnan(value(Repetition(), text))


@pytest.mark.parametrize(("text", "count"), [("", 0), ("One. Two!\nThree", 3), ("Dr. Smith came. He left.", 2)])
def test_sentences_are_counted_by_rules(text: str, count: int) -> None:
    assert value(Sentences(), text) == count


def test_sentences_can_be_counted_by_punkt(punkt: Punkt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expound.text.punkt.english", lambda: punkt)
    text = "A line\nbreak ends no sentence here. The next one does not either."
    assert value(Sentences("punkt"), text) == 2
    assert value(Sentences(), text) == 3


@given(texts, sizes)
def test_shares_stay_between_0_and_100_and_add_up(text: str, n: int) -> None:
    distinct, repeated = value(DistinctN(n), text), value(Repetition(n), text)
    assert math.isnan(distinct) == math.isnan(repeated)
    if not math.isnan(distinct):
        assert 0 < distinct <= 100
        assert distinct + repeated == pytest.approx(100)


@given(texts, sizes)
def test_case_does_not_matter(text: str, n: int) -> None:
    assert value(DistinctN(n), text.upper()) == pytest.approx(value(DistinctN(n), text), nan_ok=True)


@given(texts)
def test_saying_it_twice_is_more_repetition(text: str) -> None:
    once, twice = value(Repetition(), text), value(Repetition(), f"{text} {text}")
    assert math.isnan(once) or twice > once


def test_metrics_print_as_the_text_that_creates_them() -> None:
    assert repr(DistinctN(2)) == "DistinctN(n=2)"
    assert repr(Repetition()) == "Repetition(n=4)"
    assert repr(Sentences()) == "Sentences(splitter='rules')"
    assert (DistinctN(2).name, Repetition().name, Sentences().name) == ("distinct_2", "repetition", "sentences")


def test_options_show_in_the_signature() -> None:
    assert Repetition(3).options == {"grams": "3"}
    assert Sentences().options == {"splitter": "rules"}


def test_wrong_options_are_refused() -> None:
    for wrong in (lambda: DistinctN(0), lambda: Repetition(-1), lambda: Sentences("spacy")):
        with pytest.raises(UserError, match=r"at least|there are"):
            wrong()


def test_the_examples_in_the_documentation_are_true() -> None:
    assert doctest.testmod(diversity_module).attempted > 0
    assert doctest.testmod(diversity_module).failed == 0
