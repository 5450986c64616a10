"""QA-EM, QA-F1, QA-Hit and DR."""

from __future__ import annotations

import doctest
import math
from collections.abc import Mapping

import pytest

from expound.errors import BadInput, UserError
from expound.score import asqa_qa, score
from expound.score.asqa_qa import Dr, QaAnswer
from expound.score.rouge import Rouge
from expound.types import Answer, Interpretation, Prediction, Question

READINGS = (Interpretation("In 1964?", ("Simon & Garfunkel", "Simon")), Interpretation("In 2016?", ("Dami Im",)))
QUESTION = Question("1", "Who sang it?", references=("Dami Im sang it.",), interpretations=READINGS)


def said(*answers: str | tuple[str, ...], text: str = "Dami Im sang it.") -> Prediction:
    return Prediction("1", "", "test", Answer(text), meta={"short_answers": dict(enumerate(answers))})


def test_the_example_in_the_docstring_holds() -> None:
    assert doctest.testmod(asqa_qa).failed == 0


@pytest.mark.parametrize(
    ("answers", "em", "f1", "hit"),
    [
        (("the Simon", "dami im"), 100, 100, 100),
        (("Paul Simon", "Dami Im"), 50, 100 * (2 / 3 + 1) / 2, 0),
        ((("nobody", "Simon"), ""), 50, 50, 0),
        (("", ""), 0, 0, 0),
    ],
)
def test_the_best_answer_and_alias_count(
    answers: tuple[str | tuple[str, ...], ...], em: float, f1: float, hit: float
) -> None:
    values = [QaAnswer(kind).count(QUESTION, said(*answers)) for kind in ("em", "f1", "hit")]
    assert values == pytest.approx([em, f1, hit])


def test_without_short_answers_there_is_no_value() -> None:
    assert math.isnan(QaAnswer().count(QUESTION, Prediction("1", "", "test", Answer("text"))))
    assert math.isnan(QaAnswer().count(Question("1", "?"), said("x")))


def test_a_missing_short_answer_is_named() -> None:
    with pytest.raises(BadInput, match="'1_1'"):
        QaAnswer().count(QUESTION, said("Simon"))


def test_indexes_may_be_texts_as_in_json() -> None:
    meta: Mapping[str, object] = {"short_answers": {"0": "Simon", "1": ["Dami Im"]}}
    assert QaAnswer("hit").count(QUESTION, Prediction("1", "", "test", Answer(), meta=meta)) == 100


def test_dr_is_the_root_of_the_product_of_the_means() -> None:
    other = Question("2", "?", references=("Nobody knows.",), interpretations=READINGS[:1])
    wrong = Prediction("2", "", "test", Answer("Nobody can say."), meta={"short_answers": {0: ("Garfunkel",)}})
    dr, f1, rouge = score([said("", "Dami Im"), wrong], [QUESTION, other], [Dr(Rouge()), QaAnswer("f1"), Rouge()])
    assert dr.value == pytest.approx(math.sqrt(f1.value * rouge.value))
    assert dr.low <= dr.value <= dr.high
    assert dr.per_question["1"] == pytest.approx(math.sqrt(f1.per_question["1"] * rouge.per_question["1"]))


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UserError, match="em, f1, hit"):
        QaAnswer("recall")
