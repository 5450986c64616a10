"""From logits to an answer: what the official evaluation would say, on logits small enough to work out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from expound.models.reader_windows import Window
from expound.models.span_search import MOST_ANSWER_TOKENS, N_BEST, Read, best_span, likeliest

CONTEXT = "Mira built it in 1830"
OFFSETS = ((0, 4), (5, 10), (11, 13), (14, 16), (17, 21))
# [CLS] who built [SEP] Mira built it in 1830 [SEP]
FIRST = 4


Logits = Sequence[float] | NDArray[np.float64]


def read(starts: Logits, ends: Logits, *, offsets: Sequence[tuple[int, int]] = OFFSETS) -> Read:
    """A window of ten tokens with these logits."""
    window = Window(tuple(range(FIRST + len(offsets) + 1)), FIRST, tuple(offsets))
    return Read(window, np.array(starts, np.float32), np.array(ends, np.float32))


def row(**logits: float) -> list[float]:
    """Logits by token; those that are not named are 0."""
    return [logits.get(token, 0) for token in "null who asked sep mira built it preposition year end".split()]


@dataclass(frozen=True)
class Case:
    """Logits and the answer worked out by hand."""

    claim: str
    starts: list[float]
    ends: list[float]
    text: str
    score: float
    null_score: float = 0


CASES = [
    Case("the highest sum is the answer", row(mira=5, built=1, year=2), row(mira=4, built=1, year=3), "Mira", 9),
    Case("an end before its start does not count", row(mira=1, year=5), row(mira=6, year=1), "Mira", 7),
    Case("the end may be another word", row(preposition=5, year=1), row(year=4), "in 1830", 9),
    Case("words of the question are no answer", row(who=9, asked=9, mira=1), row(who=9, asked=9, mira=1), "Mira", 2),
    Case("the separators are no answer", row(sep=9, end=9, mira=1), row(sep=9, end=9, mira=1), "Mira", 2),
    Case("a higher null score silences", row(null=4, mira=3), row(null=4, mira=3), "", 6, 8),
    Case("an equal null score does not", row(null=4, mira=5), row(null=4, mira=3), "Mira", 8, 8),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.claim)
def test_the_answer_is_the_one_worked_out_by_hand(case: Case) -> None:
    span = best_span(CONTEXT, [read(case.starts, case.ends)])
    assert (span.text, span.score, span.null_score) == (case.text, case.score, case.null_score)
    assert CONTEXT[span.start : span.end] == span.text


def test_the_threshold_shifts_the_choice() -> None:
    case = CASES[5]
    reads = [read(case.starts, case.ends)]
    assert best_span(CONTEXT, reads, threshold=2.0).text == "Mira"
    assert best_span(CONTEXT, reads, threshold=1.9).text == ""


def test_the_lowest_null_score_of_the_windows_counts() -> None:
    silent = read(row(null=9), row(null=9))
    sure = read(row(null=1, year=3), row(null=1, year=3))
    span = best_span(CONTEXT, [silent, sure])
    assert (span.text, span.null_score) == ("1830", 2.0)


def test_a_start_outside_the_twenty_likeliest_is_not_tried() -> None:
    offsets = [(place, place + 1) for place in range(30)]
    starts, ends = np.zeros(35), np.full(35, -9.0)
    starts[FIRST + 5 :] = 1.0  # 30 tokens, the first 20 of which fill the list
    ends[FIRST + 2] = 50.0
    spans = best_span("x" * 30, [read(starts, ends, offsets=offsets)], threshold=np.inf)
    # The end at the third token is the likeliest by far, but no start before it is on the list.
    assert (spans.start, spans.score) == (5, -8.0)


def test_an_answer_has_at_most_thirty_tokens() -> None:
    offsets = [(place, place + 1) for place in range(40)]
    starts, ends = np.zeros(45), np.zeros(45)
    starts[FIRST], ends[FIRST + MOST_ANSWER_TOKENS - 1], ends[FIRST + MOST_ANSWER_TOKENS] = 5, 5, 9
    span = best_span("x" * 40, [read(starts, ends, offsets=offsets)])
    assert (span.start, span.end, span.score) == (0, MOST_ANSWER_TOKENS, 10.0)


def test_a_context_without_tokens_has_no_answer() -> None:
    span = best_span("", [read((0,) * 5, (0,) * 5, offsets=())], threshold=np.inf)
    assert (span.text, span.start, span.end, span.score) == ("", 0, 0, -np.inf)


def test_equal_logits_keep_reading_order() -> None:
    assert likeliest(np.zeros(30)) == list(range(N_BEST))


_LOGITS = st.lists(st.integers(-50, 50).map(float), min_size=10, max_size=10)


@given(_LOGITS, _LOGITS)
def test_no_span_of_a_short_window_scores_higher(starts: list[float], ends: list[float]) -> None:
    span = best_span(CONTEXT, [read(starts, ends)], threshold=np.inf)
    places = range(FIRST, FIRST + len(OFFSETS))
    assert span.score == max(starts[a] + ends[b] for a in places for b in places if a <= b)
