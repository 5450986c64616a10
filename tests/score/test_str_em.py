"""STR-EM: shares of short answers found."""

from __future__ import annotations

import doctest
import math

from hypothesis import given
from hypothesis import strategies as st

from expound.score import str_em as str_em_module
from expound.score.str_em import StrEm
from expound.types import Answer, Interpretation, Prediction, Question

aliases = st.lists(st.text("abc the", max_size=6), min_size=1, max_size=3).map(tuple)
readings = st.lists(aliases.map(lambda answers: Interpretation("?", answers)), min_size=1, max_size=5)


def str_em(interpretations: list[Interpretation], text: str, *, abstained: bool = False) -> float:
    question = Question("1", "?", interpretations=tuple(interpretations))
    return StrEm().count(question, Prediction("1", "?", "test", Answer(text), abstained=abstained))


def test_each_reading_counts_once_by_any_of_its_aliases() -> None:
    found, lost = Interpretation("?", ("1964", "sixty-four")), Interpretation("?", ("Dami Im",))
    assert str_em([found, lost], "In 1964, or sixty four.") == 50


def test_an_alias_of_only_articles_is_found_in_an_empty_answer_but_not_in_an_abstention() -> None:
    assert str_em([Interpretation("?", ("The",))], "") == 100
    assert str_em([Interpretation("?", ("The",))], "", abstained=True) == 0


def test_a_question_without_readings_has_no_score() -> None:
    assert math.isnan(str_em([], "an answer"))


def test_the_metric_prints_as_the_text_that_creates_it() -> None:
    assert repr(StrEm()) == "StrEm()"


@given(readings, st.text("abc the.", max_size=30))
def test_scores_stay_between_0_and_100_in_any_order(items: list[Interpretation], text: str) -> None:
    assert 0 <= str_em(items, text) == str_em(items[::-1], text) <= 100


@given(readings)
def test_an_answer_that_lists_the_short_answers_is_perfect(items: list[Interpretation]) -> None:
    assert str_em(items, "; ".join(alias for item in items for alias in item.answers)) == 100


def test_the_example_in_the_documentation_is_true() -> None:
    assert doctest.testmod(str_em_module).attempted > 0
    assert doctest.testmod(str_em_module).failed == 0
