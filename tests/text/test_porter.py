"""Stems are those of NLTK's Porter stemmer, which ROUGE scores depend on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.text.porter import _IRREGULAR, _NOT_SNOWBALL, _stem_by_rule, stem
from golden import golden

# NLTK 3.9.1, PorterStemmer(), default mode.
STEMS = {
    "caresses": "caress", "ponies": "poni", "ties": "tie", "cats": "cat", "feed": "feed", "agreed": "agre",
    "plastered": "plaster", "bled": "bled", "motoring": "motor", "sing": "sing", "conflated": "conflat",
    "hopping": "hop", "falling": "fall", "filing": "file", "happy": "happi", "enjoy": "enjoy", "relational": "relat",
    "conditional": "condit", "vietnamization": "vietnam", "sensibiliti": "sensibl", "geology": "geolog",
    "triplicate": "triplic", "hopeful": "hope", "electrical": "electr", "revival": "reviv", "adoption": "adopt",
    "adjustment": "adjust", "probate": "probat", "rate": "rate", "controlling": "control", "rolling": "roll",
    "dying": "die", "skies": "sky", "sky": "sky", "news": "news", "died": "die", "cried": "cri", "generically": "gener",
    "as": "as", "The": "the", "x1ing": "x1ing",
}  # fmt: skip


@pytest.mark.parametrize(("word", "expected"), STEMS.items())
def test_stems_match_nltk(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize("words", ["tokens", "raw"])
def test_stems_match_the_golden_list(words: str) -> None:
    lines = golden("rouge_score/porter_stems")[words].strip("\n").split("\n")
    pairs = [line.split("\t") for line in lines]
    assert [(word, stem(word)) for word, _ in pairs] == [(word, expected) for word, expected in pairs]


# Beginnings and ends that the rules care about, between any letters.
pieces = ["use", "sky", "trekk", "buzz", "y", "i", "l", "li", "s", "es", "ed", "ing", "ies", "eed", "ational", "ator"]
endings = ["ative", "iveness", "biliti", "icate", "ful", "ness", "al", "er", "ion", "ment", "ate", "ize", "e", "ll"]
plain_words = st.lists(st.text("aeiouybcdhkltwxz19", max_size=3) | st.sampled_from(pieces + endings), max_size=5)


@given(plain_words.map("".join))
def test_compiled_and_written_rules_agree(word: str) -> None:
    assert stem(word) == _IRREGULAR.get(word, _stem_by_rule(word))


@pytest.mark.parametrize("word", ["used", "using", "oneness", "enjoyed", "cry", "died", "trekking", "geology", "don't"])
def test_words_that_snowball_stems_otherwise_are_left_to_the_written_rules(word: str) -> None:
    assert _NOT_SNOWBALL.search(word)


@given(st.text(st.characters(codec="ascii", categories=["Ll"]), max_size=30))
def test_a_stem_is_never_longer_than_its_word(word: str) -> None:
    assert len(stem(word)) <= len(word)


def test_a_word_of_a_million_letters_takes_no_time() -> None:
    assert stem("y" * 1_000_000 + "ing")
