"""Penn Treebank words: what the Stanford tokenizer gave, and what must hold of any text."""

from __future__ import annotations

import doctest
import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from expound.text import ptb
from expound.text.normal import normalize_answer
from expound.text.ptb import ptb_words
from golden import golden

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "ptb.json").read_text(encoding="utf-8"))
LINE_SEPARATORS = ("\n", "\r", "\r\n", "\v", "\f", "\x85", "\u2028", "\u2029")

odd_texts = st.text("aN'’.,-/&?! :;()\"`@#$%19_é", max_size=20)


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: case["text"][:30])
def test_words_match_the_official_tokenizer(case: dict[str, str]) -> None:
    assert " ".join(ptb_words(case["text"])) == case["words"]


def test_words_match_the_golden_texts() -> None:
    for text, words, normal in golden("ambigqa/ptb_tokenizer")["items"]:
        found = " ".join(ptb_words(text))
        assert found == words.strip(), text
        assert normalize_answer(found) == normal, text


def test_a_contraction_is_two_words() -> None:
    assert ptb_words("Don't! You cannot.") == ["do", "n't", "you", "can", "not"]


def test_an_abbreviation_keeps_its_full_stop_and_a_sentence_does_not() -> None:
    assert ptb_words("Mr. Smith left the U.S. yesterday.") == ["mr.", "smith", "left", "the", "u.s.", "yesterday"]


def test_the_longest_rule_counts() -> None:
    assert ptb_words("gonna") == ["gon", "na"]
    assert ptb_words("gonna's") == ["gonna", "'s"]
    assert ptb_words("gonnas") == ["gonnas"]


def test_only_part_of_the_punctuation_is_dropped() -> None:
    assert ptb_words("What?! (No...) -- 50%") == ["what", "?!", "-lrb-", "no", "-rrb-", "50", "%"]


@pytest.mark.parametrize("separator", LINE_SEPARATORS)
def test_every_line_separator_is_a_space(separator: str) -> None:
    assert ptb_words(f"Who won{separator}the cup?{separator}") == ["who", "won", "the", "cup"]


def test_without_words_there_are_none() -> None:
    assert ptb_words("") == ptb_words(" \n") == ptb_words('. , "" ... ?') == []


@given(odd_texts | st.text(max_size=40))
@example("-----")
@example("\xad")
def test_words_are_never_empty_and_hold_no_space(text: str) -> None:
    for word in ptb_words(text):
        assert word
        assert " " not in word
        assert "\n" not in word


@given(st.lists(st.text("abcdefgh", min_size=1), max_size=8))
def test_plain_words_stay_as_they_are(words: list[str]) -> None:
    assert ptb_words(" ".join(words)) == words
    assert ptb_words("  ".join(words).upper() + " ") == words


@given(odd_texts, odd_texts)
def test_lines_are_split_one_by_one(one: str, other: str) -> None:
    # What stands between them keeps rules for numbers and abbreviations from seeing both.
    assert ptb_words(f"{one} ]\n[ {other}") == [*ptb_words(f"{one} ]"), *ptb_words(f"[ {other}")]


def test_the_example_in_the_documentation_is_true() -> None:
    assert doctest.testmod(ptb).attempted > 0
    assert doctest.testmod(ptb).failed == 0
