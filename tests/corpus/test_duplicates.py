"""Texts that say the same words are found, others are not."""

from __future__ import annotations

from expound.corpus.duplicates import are_near, fingerprint, shingles, sketch, words_of

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
