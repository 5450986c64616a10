"""Texts that say the same words are found, others are not."""

from __future__ import annotations

import re
from binascii import crc32

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from expound.corpus.duplicates import are_near, fingerprint, numbers_of, shingles, sketch, words_of

TEXT = (
    "The Danube is the second-longest river in Europe after the Volga, and it passes through ten countries "
    "on its way to the Black Sea coast of Romania."
)


def test_case_and_punctuation_do_not_matter() -> None:
    assert fingerprint(words_of("Hello, World!")) == fingerprint(words_of("hello world"))


def test_a_changed_word_keeps_texts_near() -> None:
    long_text = " ".join(f"word{number}" for number in range(90))
    changed = long_text.replace("word80", "other")
    assert are_near(shingles(words_of(long_text)), shingles(words_of(changed)))


def test_different_texts_are_not_near() -> None:
    other = "Jellyfish are soft animals that live in every ocean of the world and have no brain, no heart and no bones."
    assert not are_near(shingles(words_of(TEXT)), shingles(words_of(other)))
    assert not set(sketch(shingles(words_of(TEXT)))) & set(sketch(shingles(words_of(other))))


def test_an_empty_text_is_near_nothing() -> None:
    assert not are_near(shingles([]), shingles([]))


@given(st.text() | st.text(st.characters(max_codepoint=127)))
def test_the_fast_way_finds_the_same_words(text: str) -> None:
    assert words_of(text) == re.findall(r"\w+", text.lower())


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1)))
def test_numbers_are_the_words_with_a_digit(words: list[str]) -> None:
    assert numbers_of(words) == [word for word in words if any(character.isdigit() for character in word)]


@given(st.lists(st.sampled_from("a b c d".split()), max_size=30))
def test_shingles_are_distinct_and_rising(words: list[str]) -> None:
    found = shingles(words)
    assert found.tolist() == sorted(set(found.tolist()))
    if len(words) < 4:
        assert np.array_equal(found, np.unique(np.array([crc32(word.encode()) for word in words], dtype=np.uint32)))
