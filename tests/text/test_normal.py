"""Normalisation of short answers, and finding them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.text.normal import contains_answer, normalize_answer


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The U.S.", "us"),
        ("a co-op", "coop"),
        ("10,000  men", "10000 men"),
        ("An apple\ta day", "apple day"),
        ("the, a! An?", ""),
        ("“Curly” – signs stay", "“curly” – signs stay"),
        ("theatre anthem", "theatre anthem"),
    ],
)
def test_answers_are_normalised_as_squad_does(text: str, expected: str) -> None:
    assert normalize_answer(text) == expected


def test_any_alias_will_do() -> None:
    assert contains_answer("It was Simon & Garfunkel.", ["Paul Simon", "Simon Garfunkel", "simon  garfunkel"])
    assert not contains_answer("It was Paul.", ["Paul Simon"])


def test_words_need_no_boundaries() -> None:
    assert contains_answer("a party", ["art"])


def test_an_alias_of_nothing_is_found_everywhere() -> None:
    assert contains_answer("", ["The"])


def test_without_aliases_nothing_is_found() -> None:
    assert not contains_answer("anything", [])


@given(st.text())
def test_an_answer_is_found_in_itself(text: str) -> None:
    assert contains_answer(text, [text])


@given(st.text(st.characters(codec="ascii")))
def test_normalising_removes_punctuation_capitals_and_outer_spaces(text: str) -> None:
    normal = normalize_answer(text)
    assert normal == normal.lower().strip()
    assert all(letter.isalnum() or letter.isspace() or not letter.isprintable() for letter in normal)
