"""Scoring a set of predictions: means, intervals, signatures, and ids that do not fit."""

from __future__ import annotations

import math

import pytest

from expound.errors import BadInput, UserError
from expound.score import score
from expound.score.length import Length
from expound.score.rouge import Rouge
from expound.score.str_em import StrEm
from expound.types import Answer, Interpretation, Prediction, Question
from expound.version import __version__

QUESTIONS = [Question(str(n), f"question {n}", references=(f"answer {n}", "other")) for n in range(8)]
PREDICTIONS = [Prediction(item.id, item.text, "test", Answer("word " * int(item.id))) for item in QUESTIONS]


def test_the_value_is_the_mean_of_the_questions() -> None:
    [result] = score(PREDICTIONS, QUESTIONS, [Length()])
    assert result.value == 3.5
    assert result.low < 3.5 < result.high
    assert result.per_question == {str(n): float(n) for n in range(8)}


def test_every_number_has_its_signature() -> None:
    length, rouge = score(PREDICTIONS, QUESTIONS, [Length(), Rouge()], seed=3)
    assert length.signature == f"length|refs:2|n:8|seed:3|v:{__version__}"
    assert rouge.signature == f"rouge_lsum|profile:rouge_score|refs:2|n:8|seed:3|v:{__version__}"


def test_the_order_of_predictions_does_not_matter() -> None:
    there, back = (score(order, QUESTIONS, [Length(), Rouge()]) for order in (PREDICTIONS, PREDICTIONS[::-1]))
    assert there == back


def test_a_missing_prediction_is_refused_by_name() -> None:
    with pytest.raises(UserError, match="7 of 8 questions have no prediction: 1, 2, 3, 4, 5, …"):
        score(PREDICTIONS[:1], QUESTIONS, [Length()])


def test_a_prediction_for_another_split_is_refused_by_name() -> None:
    with pytest.raises(UserError, match="1 predictions are for no question of the dataset: 7"):
        score(PREDICTIONS, QUESTIONS[:-1], [Length()])


def test_missing_ones_can_be_allowed_and_are_counted() -> None:
    [result] = score(PREDICTIONS[2:4], QUESTIONS, [Length()], allow_missing=True)
    assert (result.value, result.n) == (2.5, 2)
    assert "|missing:6|" in result.signature


def test_nothing_in_common_is_refused_even_then() -> None:
    with pytest.raises(UserError, match="nothing to score"):
        score(PREDICTIONS[1:], QUESTIONS[:1], [Length()], allow_missing=True)


def test_the_same_id_twice_is_refused() -> None:
    with pytest.raises(BadInput, match="two predictions have the id 0;"):
        score([*PREDICTIONS, PREDICTIONS[0]], QUESTIONS, [Length()])


def test_what_cannot_be_scored_is_left_out_and_counted() -> None:
    readable = Question("8", "?", references=("a", "b"), interpretations=(Interpretation("?", ("yes",)),))
    yes = Prediction("8", "?", "test", Answer("yes"))
    [result] = score([*PREDICTIONS, yes], [*QUESTIONS, readable], [StrEm()])
    assert (result.value, result.n, list(result.per_question)) == (100, 1, ["8"])
    assert "|unscored:8|n:1|" in result.signature


def test_a_metric_that_fits_no_question_has_no_value() -> None:
    [result] = score(PREDICTIONS, QUESTIONS, [StrEm()])
    assert result.n == 0
    assert math.isnan(result.value)
