"""Content words: stems, coverage, what texts have in common."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.text.words import centralities, content_stems, coverage


def test_stop_words_and_endings_go() -> None:
    assert content_stems("The kings of France were ruling, and the king's rule ended.") == [
        "king",
        "franc",
        "rule",
        "end",
    ]


def test_coverage_counts_content_words() -> None:
    assert coverage("Who founded the city of Rome?", "Rome was founded by Romulus.") == pytest.approx(2 / 3)
    assert coverage("who was it", "anything") == 0.0


def test_a_text_that_shares_words_is_central() -> None:
    first, second, odd = centralities(["red green blue", "red green yellow", "cats dogs"])
    assert first == second > odd == 0


@given(st.lists(st.text(alphabet="abc ", max_size=20), max_size=6))
def test_centrality_lies_between_0_and_1(texts: list[str]) -> None:
    assert all(0 <= value <= 1 for value in centralities(texts))
