"""The kind of answer a question wants, and strings of that kind."""

from __future__ import annotations

import pytest

from expound.text.answer_types import asked_noun, counted_strings, expected_type, names, typed_strings


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who was the ruler of France in 1830?", "person"),
        ("when did the wall fall", "date"),
        ("What year did it open?", "date"),
        ("Where is the Nile?", "place"),
        ("Which city hosted the games?", "place"),
        ("How many moons has Mars?", "number"),
        ("Why are boats white?", "explanation"),
        ("How do jellyfish live without brains?", "explanation"),
        ("What is the capital of Georgia?", "place"),
        ("What is the tallest animal?", "name"),
    ],
)
def test_the_question_word_decides_the_kind(question: str, kind: str) -> None:
    assert expected_type(question) == kind


def test_dates_are_found_whole() -> None:
    text = "It ran from August 1942 to 9 May 1945, again in 1961 and until June 14, 1954."
    assert typed_strings("date", text) == ["August 1942", "9 May 1945", "1961", "June 14, 1954"]


def test_numbers_leave_dates_out() -> None:
    assert typed_strings("number", "In May 1905 some 2,850 ships and twelve tugs came.") == ["2,850", "twelve"]


def test_a_word_that_only_opens_a_sentence_is_no_name() -> None:
    assert names("Several kings met Charles X at Rambouillet.") == ["Charles X", "Rambouillet"]


def test_names_keep_their_small_words() -> None:
    assert names("The Duke of Wellington beat Ludwig van Beethoven.") == ["Duke of Wellington", "Ludwig van Beethoven"]


def test_numbered_things_are_found_by_their_noun() -> None:
    assert asked_noun("What season do they marry in?") == "season"
    assert counted_strings("season", "They marry in season 5 and in the seventh season.") == [
        "season 5",
        "seventh season",
    ]
