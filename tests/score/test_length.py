"""Length in words."""

from __future__ import annotations

import pytest

from expound.score.length import Length
from expound.types import Answer, Prediction, Question


@pytest.mark.parametrize(("text", "words"), [("", 0), (" \n", 0), ("One two,  three.\nFour", 4), ("U.S. – it's", 3)])
def test_words_are_what_spaces_separate(text: str, words: int) -> None:
    assert Length().count(Question("1", "?"), Prediction("1", "?", "test", Answer(text))) == words


def test_the_metric_prints_as_the_text_that_creates_it() -> None:
    assert repr(Length()) == "Length()"
