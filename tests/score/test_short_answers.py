"""Exact match and token F1 of short answers."""

from __future__ import annotations

import doctest
import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.score import short_answers
from expound.score.short_answers import best_token_f1, exact, token_f1
from expound.text.normal import normalize_answer
from golden import SHARED, TOLERANCE, golden

texts = st.text("ab the.", max_size=20)


@pytest.mark.parametrize(
    ("prediction", "gold", "expected"),
    [
        ("the U.S.", "US", 1),
        ("1,000", "1000", 1),
        ("red fox", "a quick red fox", 4 / 5),
        ("fox fox", "fox", 2 / 3),
        ("fox", "dog", 0),
        ("", "fox", 0),
        ("the", "An!", 1),
    ],
)
def test_f1_is_the_share_of_common_tokens(prediction: str, gold: str, expected: float) -> None:
    assert token_f1(prediction, gold) == pytest.approx(expected, abs=TOLERANCE)


def test_two_answers_without_a_token_agree_for_squad_and_not_for_kilt() -> None:
    assert token_f1("the", "") == 1
    assert token_f1("the", "", both_empty=0.0) == 0


def test_values_match_the_official_squad_scorer() -> None:
    case = golden("squad2/mixed")
    articles = json.loads(gzip.decompress((SHARED / "data" / case["data_file"]).read_bytes()))["data"]
    paragraphs = [
        p for article in articles if article["title"] in case["article_titles"] for p in article["paragraphs"]
    ]
    questions = {item["id"]: item for paragraph in paragraphs for item in paragraph["qas"]}
    for id, (is_exact, f1) in case["expected"]["per_item"].items():
        golds = [item["text"] for item in questions[id]["answers"] if normalize_answer(item["text"])] or [""]
        prediction = case["predictions"][id]
        assert exact(prediction, golds) == is_exact, id
        assert best_token_f1(prediction, golds) == pytest.approx(f1, abs=TOLERANCE), id


def test_the_closest_gold_answer_counts() -> None:
    assert best_token_f1("red fox", ["dog", "the red fox", "fox"]) == 1
    assert exact("Red fox.", ["dog", "red fox"])


def test_without_a_gold_answer_nothing_is_right() -> None:
    assert not exact("fox", [])
    assert best_token_f1("fox", []) == 0


@given(texts, texts)
def test_f1_is_bounded_and_does_not_care_which_side_is_gold(one: str, other: str) -> None:
    assert 0 <= token_f1(one, other) <= 1
    assert token_f1(one, other) == token_f1(other, one)


@given(texts, texts)
def test_an_exact_answer_has_f1_1(one: str, other: str) -> None:
    assert token_f1(one, one) == 1
    assert not exact(one, [other]) or token_f1(one, other) == 1


@given(texts, st.lists(texts, min_size=1, max_size=4))
def test_the_order_of_gold_answers_does_not_matter(prediction: str, golds: list[str]) -> None:
    assert best_token_f1(prediction, golds) == best_token_f1(prediction, golds[::-1])
    assert exact(prediction, golds) == exact(prediction, golds[::-1])


def test_the_examples_in_the_documentation_are_true() -> None:
    assert doctest.testmod(short_answers).attempted > 0
    assert doctest.testmod(short_answers).failed == 0
