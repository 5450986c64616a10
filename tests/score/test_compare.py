"""Comparing systems: paired differences, corrected p-values, wins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from expound.errors import UserError
from expound.score.comparison import compare
from expound.score.length import Length
from expound.score.str_em import StrEm
from expound.types import Interpretation, Prediction, Question

if TYPE_CHECKING:
    from expound.protocols import Numbers

QUESTIONS = [Question(str(n), "?", interpretations=(Interpretation("?", (f"x{n}x",)),)) for n in range(30)]
RIGHT = {str(n): f"it is x{n}x" for n in range(30)}
HALF = {str(n): f"it is x{n}x" if n % 2 else "it is not" for n in range(30)}
WRONG = {str(n): "nothing" for n in range(30)}


@dataclass(frozen=True)
class SquareOfMean:
    """A pooled metric for tests: the mean length, squared."""

    name = "square"

    def count(self, question: Question, prediction: Prediction) -> tuple[float, ...]:
        return (Length().count(question, prediction),)

    def pool(self, counts: Numbers, weights: Numbers) -> Numbers:
        squared: Numbers = (weights @ counts[:, 0] / weights.sum(axis=1)) ** 2
        return squared

    def each(self, counts: Numbers) -> Numbers:
        squared: Numbers = counts[:, 0] ** 2
        return squared


def test_a_better_system_wins_with_an_interval_and_a_p_value() -> None:
    [found] = compare({"right": RIGHT, "half": HALF}, QUESTIONS, [StrEm()], samples=2000)
    assert (found.a, found.b, found.a_value, found.b_value, found.difference) == ("right", "half", 100, 50, 50)
    assert 25 < found.low < 50 < found.high < 75
    assert (found.wins, found.ties, found.losses, found.n) == (15, 15, 0, 30)
    assert found.p_value == found.p_holm < 0.01
    assert found.signature.startswith("str_em|")


def test_three_systems_are_corrected_for_three_comparisons() -> None:
    found = compare({"right": RIGHT, "half": HALF, "wrong": WRONG}, QUESTIONS, [StrEm()], samples=500)
    assert [(item.a, item.b) for item in found] == [("right", "half"), ("right", "wrong"), ("half", "wrong")]
    assert all(item.p_holm >= item.p_value for item in found)
    assert min(item.p_holm for item in found) == pytest.approx(3 * min(item.p_value for item in found))


def test_a_system_does_not_differ_from_itself() -> None:
    for metric in (StrEm(), SquareOfMean()):
        [found] = compare({"a": HALF, "b": dict(HALF)}, QUESTIONS, [metric], samples=50)
        assert (found.difference, found.low, found.high, found.p_value, found.ties) == (0, 0, 0, 1, 30)


def test_a_number_that_is_no_mean_is_compared_by_its_own_pool() -> None:
    [found] = compare({"right": RIGHT, "wrong": WRONG}, QUESTIONS, [SquareOfMean()], samples=500)
    assert (found.a_value, found.b_value, found.difference) == (9, 1, 8)
    assert found.wins == 30
    assert found.p_value < 0.01


def test_only_questions_that_both_answer_are_compared() -> None:
    some = {id: answer for id, answer in RIGHT.items() if int(id) < 20}
    with pytest.raises(UserError, match="10 of 30 questions have no prediction"):
        compare({"some": some, "wrong": WRONG}, QUESTIONS, [StrEm()])
    [found] = compare({"some": some, "wrong": WRONG}, QUESTIONS, [StrEm()], allow_missing=True, samples=50)
    assert found.n == 20
    assert not math.isnan(found.p_value)


def test_one_system_is_no_comparison() -> None:
    with pytest.raises(UserError, match="two or more"):
        compare({"right": RIGHT}, QUESTIONS, [StrEm()])
