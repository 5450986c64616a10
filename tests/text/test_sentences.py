"""Sentences end where a reader would say they do."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.text.sentences import sentence_spans, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Smith met Mr. Jones. They spoke.", ["Dr. Smith met Mr. Jones.", "They spoke."]),
        ("It costs 3.5 km. That is far.", ["It costs 3.5 km.", "That is far."]),
        ("George W. Bush won. He was 54.", ["George W. Bush won.", "He was 54."]),
        ("J. K. Rowling wrote it.", ["J. K. Rowling wrote it."]),
        ("He eats vitamin C. The rest is fat.", ["He eats vitamin C.", "The rest is fat."]),
        ("It left at 5 p.m. The next came at 6 a.m. sharp.", ["It left at 5 p.m.", "The next came at 6 a.m. sharp."]),
        ('She said "Stop." Then she left.', ['She said "Stop."', "Then she left."]),
        ("See No. 5 there. No. Never.", ["See No. 5 there.", "No.", "Never."]),
        ("Fan et al. (2019) tried it. Ng et al. The end.", ["Fan et al. (2019) tried it.", "Ng et al.", "The end."]),
        ("It is no filter.⁶ Only 5 m².¹² Done.", ["It is no filter.⁶", "Only 5 m².¹²", "Done."]),
        ("Heading\nText follows", ["Heading", "Text follows"]),
        ("He paused... and went on. Done.", ["He paused... and went on.", "Done."]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


@given(st.text(alphabet="aB. !?\n\"'()x1", max_size=200))
def test_nothing_but_space_is_lost(text: str) -> None:
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())


@given(st.text(max_size=200))
def test_spans_are_in_order_and_do_not_overlap(text: str) -> None:
    ends = [0]
    for start, end in sentence_spans(text):
        assert ends[-1] <= start < end <= len(text)
        ends.append(end)


def test_a_long_line_takes_linear_time() -> None:
    started = time.process_time()
    split_sentences("A. b " * 200_000)
    assert time.process_time() - started < 20
