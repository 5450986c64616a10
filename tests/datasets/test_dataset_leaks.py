"""No evaluation question is left among the questions to train on."""

from __future__ import annotations

import string
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.datasets.ambignq import AmbigNq
from expound.datasets.asqa import Asqa
from expound.datasets.leaks import question_key, without_leaks
from expound.datasets.nq_open import NqOpen
from expound.types import Interpretation, Question
from golden import SHARED

DATA = SHARED / "data"


def ids(questions: Iterable[Question]) -> list[str]:
    return [question.id for question in questions]


@pytest.mark.parametrize("asked", ["Who won the cup?", "who won cup", "WHO WON - the cup!", "Who  won the “cup”?"])
def test_another_spelling_of_the_same_question_is_removed(asked: str) -> None:
    train = [Question("leak", asked), Question("fine", "Who lost the cup?")]
    assert ids(without_leaks(train, [[Question("x", "who won the cup")]])) == ["fine"]


def test_the_readings_of_an_evaluation_question_are_removed_too() -> None:
    readings = (Interpretation("Who won in 1990?|Who was the winner of 1990?", ("Ann",)),)
    other = (Interpretation("Who won in 1991?", ("Bo",)),)
    evaluation = [Question("x", "Who won?", interpretations=readings, annotations=(readings, other))]
    train = [
        Question(str(number), asked)
        for number, asked in enumerate(
            ("who won", "who won in 1990", "who was winner of 1990", "who won in 1991", "who won in 1992")
        )
    ]
    assert ids(without_leaks(train, [evaluation])) == ["4"]


def test_several_evaluation_sets_count_and_none_removes_nothing() -> None:
    train = [Question("1", "one"), Question("2", "two"), Question("3", "three")]
    assert ids(without_leaks(train, [[Question("x", "One?")], [Question("y", "Two?")]])) == ["3"]
    assert ids(without_leaks(train, [])) == ["1", "2", "3"]


def test_questions_without_letters_are_not_all_the_same() -> None:
    assert question_key("?") != question_key("…")
    assert question_key("谁赢了？") == question_key("谁赢了")


@given(st.text())
def test_no_question_escapes_its_own_guard(asked: str) -> None:
    assert not list(without_leaks([Question("1", asked)], [[Question("2", asked)]]))


def plain(asked: str) -> str:
    """How the overlap was counted when the data were collected."""
    return " ".join(asked.lower().translate(str.maketrans("", "", string.punctuation)).split())


@pytest.mark.parametrize(
    ("evaluation", "known"),
    [
        (Asqa(DATA / "asqa" / "asqa_dev_748.json.gz"), 429),
        (AmbigNq(DATA / "ambignq" / "ambignq_dev_light_1644.json.gz"), 913),
    ],
)
def test_nq_open_loses_the_dev_questions_of_asqa_and_ambignq(evaluation: Asqa | AmbigNq, known: int) -> None:
    path = DATA / "nq_open" / "nq_open_train_subset_49800.jsonl.gz"
    if not path.exists():
        pytest.skip("needs ../shared/data")
    train = list(NqOpen(path))
    asked = {plain(question.text) for question in evaluation}
    assert len(asked & {plain(question.text) for question in train}) == known
    kept = list(without_leaks(train, [evaluation]))
    assert not asked & {plain(question.text) for question in kept}
    assert known <= len(train) - len(kept) < 1.1 * known
