"""The text rules of the labels: frozen, because the shipped model was trained with them."""

from __future__ import annotations

import pytest

from expound.text import normal, sentences, titled
from expound.train.data.label_texts import (
    clean_question,
    contains_answer,
    is_fragment,
    normalise,
    pair_text,
    split_sentences,
)


def test_a_hyphen_parts_words_and_curly_quotes_go() -> None:
    assert normalise("The “Spider-Man” film’s cast, 10,000 strong") == "spider man films cast 10000 strong"


def test_an_answer_is_found_at_word_boundaries_only() -> None:
    assert contains_answer("he went to party", ["party"])
    assert not contains_answer("he went to party", ["art"])
    assert not contains_answer("he went to party", [])


def test_a_question_is_written_as_in_natural_questions() -> None:
    assert clean_question("  Who built  the Tower? ") == "who built the tower"


def test_the_title_comes_first_unless_the_sentence_starts_with_it() -> None:
    assert pair_text("Quend", "It is a river.") == "Quend. It is a river."
    assert pair_text("quend", "Quend is a river.") == "Quend is a river."
    assert pair_text("", "It is a river.") == "It is a river."


def test_sentences_end_before_a_capital_but_not_after_an_abbreviation() -> None:
    assert split_sentences("Dr. Okonedo came. She left ca. 1880. Nobody knew.") == [
        "Dr. Okonedo came.",
        "She left ca. 1880.",
        "Nobody knew.",
    ]


def test_footnote_marks_and_headings_are_dropped() -> None:
    assert split_sentences("She came.[3] == Life == Then\nshe left.") == ["She came.", "Then she left."]


@pytest.mark.parametrize(
    "sentence", ["and then it ended there.", "Too short.", "It has no end here", "word " * 71 + "."]
)
def test_a_fragment_is_recognised(sentence: str) -> None:
    assert is_fragment(sentence)


def test_a_whole_sentence_is_no_fragment() -> None:
    assert not is_fragment("The Quend is a river in the north.")


def test_the_rules_of_the_product_differ_which_is_why_these_exist() -> None:
    assert normal.normalize_answer("Spider-Man") != normalise("Spider-Man")
    assert normal.contains_answer("party", ["art"]) != contains_answer("party", ["art"])
    assert titled.add_title("quend", "Quend is a river.") != pair_text("quend", "Quend is a river.")
    assert sentences.split_sentences("One\ntwo.") != split_sentences("One\ntwo.")
