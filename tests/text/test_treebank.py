"""Treebank words: NLTK's tokens, and time in proportion to the text."""

from __future__ import annotations

import doctest
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.text import treebank as treebank_module
from expound.text.treebank import treebank_words
from linear_time import takes_time_in_proportion

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "treebank.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: case["sentence"])
def test_words_match_nltk(case: dict[str, Any]) -> None:
    assert treebank_words(case["sentence"]) == case["words"]


@given(st.text("ab1.,:;'\"`()[]<>-?!*@ \t\n“”’é", max_size=40))
def test_no_letter_is_lost_and_no_word_is_empty(text: str) -> None:
    words = treebank_words(text)
    assert all(words)
    assert not any(character.isspace() for word in words for character in word)
    kept = [character for word in words for character in word if character.isalnum()]
    assert kept == [character for character in text if character.isalnum()]


@pytest.mark.parametrize(
    "piece", ["a", " ", ".", ". ", "a' ", "'", '"', "`", ",", "can", "gonna ", "a.)", " 't", "\x00"]
)
def test_a_long_line_takes_time_in_proportion(piece: str) -> None:
    assert takes_time_in_proportion(lambda text: treebank_words(f"{text}x"), piece, 20_000)


def test_the_example_in_the_documentation_is_true() -> None:
    assert doctest.testmod(treebank_module).attempted > 0
    assert doctest.testmod(treebank_module).failed == 0
