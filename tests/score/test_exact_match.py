"""Exact match with any reference, or the first."""

from __future__ import annotations

import math

from expound.score.exact_match import ExactMatch
from expound.types import Answer, Prediction, Question


def test_any_reference_or_the_first_only() -> None:
    question = Question("1", "?", references=("December 1972", "14 December 1972 UTC"))
    prediction = Prediction("1", "?", "test", Answer("the 14 December, 1972 UTC"))
    assert ExactMatch().count(question, prediction) == 100
    assert ExactMatch(first=True).count(question, prediction) == 0
    assert (ExactMatch().name, ExactMatch(first=True).name) == ("em_any", "em_first")


def test_without_a_reference_there_is_no_value() -> None:
    assert math.isnan(ExactMatch().count(Question("1", "?"), Prediction("1", "?", "test", Answer("x"))))
