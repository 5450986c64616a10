"""Telling languages apart, offline."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.corpus.read.language import detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The body dissolves most blood clots by itself in a process\ncalled fibrinolysis.", "en"),
        ("Der Körper löst die meisten Blutgerinnsel von selbst auf.", "de"),
        ("Le corps dissout lui-même la plupart des caillots sanguins.", "fr"),
        ("THE BODY DISSOLVES MOST BLOOD CLOTS BY ITSELF, in a process.", "en"),
        ("身体はほとんどの血栓を自然に溶かします。これは線溶と呼ばれています。", "ja"),
    ],
)
def test_languages_are_told_apart(text: str, language: str) -> None:
    found = detect_language(text)
    assert found is not None
    assert found[0] == language


@pytest.mark.parametrize("text", ["", "   ", "yes", "12345 67890 12345 67890 12345", "\n" * 100])
def test_short_texts_have_no_language(text: str) -> None:
    assert detect_language(text) is None


@given(st.text(min_size=20))
def test_odd_text_does_no_harm(text: str) -> None:
    found = detect_language(text + "\ud800\x00\n")
    assert found is None or 0 <= found[1] <= 1
