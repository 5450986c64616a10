"""The best span of a document becomes the right sentences of a training group, the rest the wrong ones."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.score.eli5_metrics import Eli5Rouge
from expound.train.data.best_spans import SpanRules, best_span, draw_rows, iter_span_groups, span_group
from expound.train.data.leak_guard import LeakGuard
from expound.types import Answer, Passage, Prediction, Question

DOCUMENT = (
    "Ships sail far. Jellyfish have a net of nerves. The net feels the water around it. Waves come and go. "
    "The moon is bright. Sand is warm in summer."
)
ANSWER = "A net of nerves feels the water, so jellyfish need no brain"
QUESTION = Question("q", "How do jellyfish live without the moon?", (ANSWER,), evidence=(Passage("p", DOCUMENT),))


def rng() -> random.Random:
    return random.Random(7)


def test_neighbours_that_share_most_with_the_answer_are_the_span() -> None:
    sentences = ["Ships sail.", "Jellyfish have a net of nerves.", "The net feels the water.", "Waves come."]
    assert best_span(sentences, ANSWER) == range(1, 3)
    assert best_span(sentences, ANSWER, SpanRules(sentences=1)) == range(1, 2)


def test_of_equal_spans_the_shortest_and_first_is_taken() -> None:
    assert best_span(["Dogs bark.", "Dogs bark.", "Cats sleep."], "Dogs bark.") == range(1)


def test_nothing_in_common_gives_no_span_and_no_group() -> None:
    assert best_span(["Ships sail."], "Quo vadis") == range(0)
    assert best_span([], ANSWER) == range(0)
    assert span_group("Why?", DOCUMENT, "Quo vadis", rng=rng()) is None
    assert span_group("Why?", DOCUMENT, "...", rng=rng()) is None


def test_a_group_has_the_span_against_the_rest() -> None:
    group = span_group("How do jellyfish live?", DOCUMENT, ANSWER, rng=rng())
    assert group is not None
    assert group.question == "how do jellyfish live"
    assert group.positives == ("Jellyfish have a net of nerves.", "The net feels the water around it.")
    assert len(group.negatives) == 4
    assert not set(group.positives) & set(group.negatives)


def test_a_document_with_too_little_beside_the_span_gives_no_group() -> None:
    assert span_group("Why?", "Jellyfish have a net of nerves. Waves come.", ANSWER, rng=rng()) is None


def test_questions_of_a_dataset_become_groups_unless_they_are_blocked() -> None:
    [group] = iter_span_groups([QUESTION, Question("no answer", "Why is it so?")], LeakGuard(), seed=1)
    assert group.origin == "span"
    assert not list(iter_span_groups([QUESTION], LeakGuard([QUESTION.text]), seed=1))


sentences = st.lists(
    st.lists(st.sampled_from("net water brain sun of the".split()), min_size=1, max_size=5).map(" ".join), max_size=8
)


@given(sentences, st.integers(1, 5))
def test_no_span_is_better_than_the_best(found: list[str], most: int) -> None:
    def rouge(rows: range) -> float:
        text = " ".join(found[row] for row in rows)
        return Eli5Rouge("1").count(Question("", "", (ANSWER,)), Prediction("", "", "", Answer(text)))

    best = best_span(found, ANSWER, SpanRules(sentences=most))
    assert len(best) <= most
    spans = [range(a, b) for a in range(len(found)) for b in range(a + 1, min(len(found), a + most) + 1)]
    assert max(map(rouge, spans), default=0.0) == (rouge(best) if best else 0.0)


@pytest.mark.parametrize("words", [1, 12, 400])
@given(found=sentences)
def test_a_training_document_keeps_the_span_and_its_limit(words: int, found: list[str]) -> None:
    span = range(min(1, len(found)), min(2, len(found)))
    kept = draw_rows(found, span, words, rng=rng())
    assert set(span) <= set(kept)
    assert kept == sorted(kept)
    assert kept == list(span) or sum(len(found[row].split()) for row in kept) < words
