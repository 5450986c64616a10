"""Stretches of a text are widened to whole words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.text.whole_words import take_whole_words


@pytest.mark.parametrize(
    ("cut", "whole"), [("272", "272K"), ("rkshop", "workshop"), ("questions", "questions"), ("(", "(")]
)
def test_the_rest_of_a_cut_word_is_taken(cut: str, whole: str) -> None:
    text = "some 272K questions (of a workshop)"
    start = text.index(cut)
    assert take_whole_words(text, start, start + len(cut)) == whole


@given(st.text(alphabet="ab .", min_size=1, max_size=30), st.data())
def test_nothing_is_lost_and_no_blank_is_gained(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    whole = take_whole_words(text, start, end)
    assert text[start:end] in whole
    assert whole.count(" ") == text[start:end].count(" ")
