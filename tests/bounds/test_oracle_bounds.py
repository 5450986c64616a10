"""Oracles: the beam equals its definition, the answers come close to the references and cite their sources."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.answer.tfidf import DIGITS, table_of
from expound.bounds.beam import Rows, search
from expound.bounds.oracle import Oracle, OracleSentences
from expound.errors import UserError
from expound.plugins import parse
from expound.testing import evidence_of
from expound.types import Interpretation, Question

EVIDENCE = evidence_of(
    "Ships sail on the wide sea. Charles X ruled the land until August 1830.",
    "Louis Philippe ruled the land since August 1830. Rain fell on the hills. Ships sail on the wide sea.",
)
QUESTION = Question(
    "1",
    "Who ruled?",
    references=("Charles X ruled until August 1830. Louis Philippe ruled since.",),
    interpretations=(Interpretation("Who first?", ("Charles X",)), Interpretation("Who then?", ("Louis Philippe",))),
)
words = st.sampled_from("cat dog sun rain tree moon".split())
sentences = st.lists(st.lists(words, min_size=1, max_size=5).map(" ".join), max_size=7)


def test_the_oracle_of_eli5_finds_the_reference_s_sentences_in_their_order() -> None:
    answer = OracleSentences().answer_to(QUESTION, EVIDENCE)
    assert [sentence.text for sentence in answer.sentences] == [
        "Charles X ruled the land until August 1830.",
        "Louis Philippe ruled the land since August 1830.",
    ]
    assert [sentence.citations for sentence in answer.sentences] == [(1,), (2,)]


def test_it_can_look_at_the_support_document_alone() -> None:
    assert OracleSentences(over="support").answer_to(QUESTION, EVIDENCE).text
    far = Question("2", "Where do ships sail?", references=("Rain fell on the hills.",))
    long = evidence_of("Ships sail on the sea. One is red. Two are blue. Three are green. Rain fell on the hills.")
    assert OracleSentences().answer_to(far, long).text == "Rain fell on the hills."
    assert OracleSentences(over="support").answer_to(far, long).text == "Ships sail on the sea."


def test_any_of_several_references_may_be_the_one() -> None:
    question = Question("3", "What?", references=("Nothing of it.", "Rain fell on the hills."))
    assert OracleSentences().answer_to(question, EVIDENCE).text == "Rain fell on the hills."


def test_the_greedy_oracle_covers_both_readings_within_its_words() -> None:
    answer = Oracle(words=20, splitter="rules").answer_to(QUESTION, EVIDENCE)
    assert {sentence.citations for sentence in answer.sentences} == {(1,), (2,)}
    assert len(answer.text.split()) <= 20


@pytest.mark.parametrize("made", [OracleSentences(), Oracle(splitter="rules")])
def test_without_evidence_there_is_no_answer(made: Oracle | OracleSentences) -> None:
    assert made.answer_to(QUESTION, []).text == ""
    assert type(made)(**parse(repr(made)).arguments) == made


@pytest.mark.parametrize("options", [{"beam": 0}, {"sentences": 0}, {"over": "moon"}, {"kind": "9"}])
def test_impossible_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UserError):
        OracleSentences(**options)


@given(sentences, st.lists(words, max_size=6).map(" ".join), st.integers(1, 4), st.integers(1, 5))
def test_the_beam_equals_its_definition(texts: list[str], reference: str, beam: int, most: int) -> None:
    assert search(table_of(texts), reference, beam=beam, most=most) == defined(texts, reference, beam, most)


def defined(texts: list[str], reference: str, beam: int, most: int) -> list[Rows]:
    """Every set's similarity from its words, every time."""
    counts = [Counter(text.split()) for text in texts]
    idf = {
        word: math.log((1 + len(texts)) / (1 + frequency)) + 1
        for word, frequency in Counter(word for count in counts for word in count).items()
    }
    wanted = {word: number * idf[word] for word, number in Counter(reference.split()).items() if word in idf}

    def similarity(rows: Rows) -> float:
        weights = {word: number * idf[word] for word, number in sum((counts[row] for row in rows), Counter()).items()}
        product = sum(weight * wanted.get(word, 0) for word, weight in weights.items())
        return round(product / (math.hypot(*weights.values()) * math.hypot(*wanted.values())), DIGITS)

    states: list[Rows] = [()]
    found: list[Rows] = []
    candidates = [row for row, count in enumerate(counts) if any(word in wanted for word in count)]
    for _ in range(min(most, len(candidates))):
        options = {tuple(sorted((*state, row))) for state in states for row in candidates if row not in state}
        states = sorted(options, key=lambda rows: (-similarity(rows), rows))[:beam]
        found += states
    return found
