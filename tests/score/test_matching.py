"""Matching predictions to questions while both are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.errors import BadInput, UserError
from expound.score.pairs import Matcher
from expound.types import Answer, Prediction, Question


def question(id: str) -> Question:
    return Question(id, f"question {id}")


def prediction(id: str) -> Prediction:
    return Prediction(id, "", "test", Answer(f"answer {id}"))


ids = st.lists(st.sampled_from("abcdefgh"), unique=True)


@given(ids, ids)
def test_every_id_is_paired_or_listed(asked: list[str], answered: list[str]) -> None:
    matcher = Matcher(map(question, asked), map(prediction, answered))
    pairs = sorted(matcher)
    assert [pair.question.id for pair in pairs] == [id for id in asked if id in answered]
    assert all(asked[pair.position] == pair.question.id == pair.prediction.id for pair in pairs)
    assert matcher.ids == asked
    assert sorted(matcher.unanswered) == sorted(set(asked) - set(answered))
    assert sorted(matcher.unknown) == sorted(set(answered) - set(asked))


@given(st.permutations("abcde"), st.permutations("abcde"), st.sampled_from("abcde"))
def test_a_second_prediction_is_refused_wherever_it_stands(asked: list[str], answered: list[str], twice: str) -> None:
    for stream in ([*answered, twice], [twice, *answered]):
        with pytest.raises(BadInput, match=f"two predictions have the id {twice};"):
            list(Matcher(map(question, asked), map(prediction, stream)))


def test_a_second_question_is_refused() -> None:
    with pytest.raises(BadInput, match="two questions have the id a;"):
        list(Matcher(map(question, "aba"), map(prediction, "ab")))


def test_files_in_one_order_are_matched_without_waiting() -> None:
    pairs = iter(Matcher(map(question, "abc"), map(prediction, "abc")))
    assert next(pairs).position == 0


def test_long_lists_of_missing_ids_are_cut() -> None:
    matcher = Matcher(map(question, "abcdefgh"), map(prediction, "a"))
    list(matcher)
    with pytest.raises(UserError, match="7 of 8 questions have no prediction: b, c, d, e, f, …"):
        matcher.check()
