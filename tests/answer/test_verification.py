"""Every sentence is proved, mended or left out: nothing that the cited passage does not have is ever said."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answer.two_kings import CHARLES, EVIDENCE, LOUIS
from expound.answer.verification import (
    find_uncovered,
    has_facts,
    is_whole,
    proof_of,
    repeats,
    verify,
    without_repetition,
)
from expound.testing import evidence_of
from expound.text.answer_types import DATE, names
from expound.types import Interpretation, Sentence

PASSAGES = {item.number: f"{item.passage.title}. {item.passage.text}" for item in EVIDENCE}


def said(text: str, number: int = 1) -> Sentence:
    return Sentence(text, text, (number,))


def test_a_sentence_in_other_words_is_proved_by_the_passage_that_has_them() -> None:
    written = "Until 2 August 1830, the ruler of France was Charles X."
    assert verify(written, EVIDENCE) == Sentence(written, CHARLES, (1,))


def test_the_source_is_the_sentence_that_proves_it_not_the_one_that_names_its_subject() -> None:
    found = verify("Charles X died in exile in 1836.", EVIDENCE)
    assert found == Sentence("Charles X died in exile in 1836.", "He died in exile in 1836.", (1,))


def test_a_joining_word_at_the_beginning_needs_no_proof() -> None:
    written = "However, the ruler of France from 9 August 1830 was Louis Philippe I."
    assert verify(written, EVIDENCE) == Sentence(written, LOUIS, (2,))


@pytest.mark.parametrize(
    "written",
    [
        "Napoleon was the ruler of France until 2 August 1830.",
        "Charles IX was the ruler of France until 2 August 1830.",
        "Charles X was the ruler of Spain until 2 August 1830.",
        "Charles X was the ruler of France until 2 July 1830.",
        "Charles X was the ruler of France until 3 August 1830.",
        "Charles X was the ruler of France until 2 August 1831.",
        "Charles X was the third ruler of France until 2 August 1830.",
        "Charles X was the ruler of France for two years until August 1830.",
    ],
)
def test_a_foreign_name_number_or_date_is_mended_from_the_evidence(written: str) -> None:
    assert verify(written, EVIDENCE) == Sentence(CHARLES, CHARLES, (1,))


def test_names_are_not_put_together_from_pieces() -> None:
    evidence = evidence_of("Una Hale met Tom Pike in the harbour.", titles=["Harbour"])
    found = verify("Una Pike met Tom Hale in the harbour.", evidence)
    assert found == said("Una Hale met Tom Pike in the harbour.")


def test_a_date_is_not_put_together_from_pieces() -> None:
    source = "It opened on 2 August 1830 and closed on 9 May 1848."
    assert has_facts(source, "It closed in May 1848.")
    assert not has_facts(source, "It closed on 2 May 1848.")
    assert not has_facts(source, "It closed in August 1848.")


def test_a_mended_sentence_names_its_subject_or_is_left_out() -> None:
    assert verify("Charles died in exile in Graz.", EVIDENCE) == Sentence(
        "[Charles X] died in exile in 1836.", "He died in exile in 1836.", (1,)
    )
    lost = evidence_of("These were found in the old harbour.", titles=["Harbour"])
    assert verify("Nine were found in the old harbour.", lost) is None


@pytest.mark.parametrize("written", ["The moon of Neptune is heavy.", "", "...", "1.", "It is the.", "- ", "**"])
def test_what_is_far_from_the_evidence_or_says_nothing_is_left_out(written: str) -> None:
    assert verify(written, EVIDENCE) is None


def test_without_evidence_nothing_is_proved() -> None:
    assert verify(CHARLES, []) is None
    assert verify("Charles X.", evidence_of("", " \n", titles=["Charles X", "Charles X"])) is None


@pytest.mark.parametrize(
    "written", [f"- {CHARLES}", f"* {CHARLES}", f"1. {CHARLES}", f"2) {CHARLES}", f"• {CHARLES}", f"## {CHARLES}"]
)
def test_list_markup_is_removed(written: str) -> None:
    assert verify(written, EVIDENCE) == said(CHARLES)


def test_emphasis_and_the_model_s_own_citations_are_removed() -> None:
    written = "**Charles X** was the `ruler` of __France__ until 2 August 1830 [1][2, 3]."
    assert verify(written, EVIDENCE) == said(CHARLES)


def test_a_heading_or_an_item_of_a_list_is_no_sentence() -> None:
    assert verify("Charles X: ruler of France until 2 August 1830", EVIDENCE) == said(CHARLES)
    assert verify("The Danube", EVIDENCE) == Sentence(
        "The Danube flows through ten countries.", "The Danube flows through ten countries.", (3,)
    )


def test_a_sentence_that_goes_round_is_mended() -> None:
    written = "Charles X was the ruler of France, the ruler of France, the ruler of France, the ruler of France."
    assert verify(written, EVIDENCE) == said(CHARLES)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("He left.", True),
        ('He said "go."', True),
        ("Did he?) ", True),
        ('the "King"', False),
        ("He l", False),
        ("", False),
    ],
)
def test_a_sentence_ends_with_a_stop(text: str, whole: bool) -> None:
    assert is_whole(text) is whole


WORDS = st.sampled_from(
    """Charles X Louis Philippe I Napoleon France Spain ruler was the of until from in 2 9 August July 1830 1831 third
    ten two eleven died exile Danube flows countries called Citizen King Black Sea 1836 <|im_end|> [1] - ** # . ,
    "Zorro" """.split()
)
WRITTEN = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)


@given(WRITTEN | WRITTEN.map(lambda text: f"{text}.") | st.text(max_size=80))
def test_whatever_is_written_all_names_numbers_and_dates_stand_in_the_cited_passage(written: str) -> None:
    sentence = verify(written, EVIDENCE)
    if sentence is None:
        return
    [number] = sentence.citations
    source, folded = PASSAGES[number], PASSAGES[number].casefold()
    assert sentence.source_text in source
    assert all(name.casefold() in folded for name in names(sentence.text) if " of " not in name)
    assert all(word.casefold() in folded for word in re.findall(r"\b[A-Z]\w*", sentence.text) if len(word) > 3)
    assert all(digits in source for digits in re.findall(r"\d+", sentence.text))
    assert all(date.group() in source for date in DATE.finditer(sentence.text))
    assert is_whole(sentence.text)


def test_a_repeated_sentence_is_said_once() -> None:
    again = "The ruler of France until 2 August 1830 was Charles X."
    assert without_repetition([said(CHARLES), said(again), said(LOUIS, 2)]) == [said(CHARLES), said(LOUIS, 2)]
    assert without_repetition([said("He left."), said("He left.")]) == [said("He left.")]


def test_sentences_alike_but_for_a_name_are_no_repetition() -> None:
    young = "Jonathan Taylor Thomas voices Simba in the animated film The Lion King of 1994."
    adult = "Matthew Broderick voices Simba in the animated film The Lion King of 1994."
    assert without_repetition([said(young), said(adult)]) == [said(young), said(adult)]


@given(st.lists(st.sampled_from([CHARLES, LOUIS, "He left.", "He died in exile in 1836."]), max_size=6))
def test_leaving_repetition_out_twice_changes_nothing_and_keeps_the_order(texts: list[str]) -> None:
    kept = without_repetition([said(text) for text in texts])
    assert without_repetition(kept) == kept
    assert [sentence.text for sentence in kept] == list(dict.fromkeys(texts))


def test_the_first_sentence_repeats_nothing() -> None:
    assert not repeats(said(CHARLES), [])
    assert not repeats(said("Yes."), [said("No.")])


def test_readings_are_covered_by_whole_words_and_any_alias() -> None:
    four, king = Interpretation("How many?", ("4",), (1,)), Interpretation("Who?", ("the King", "Charles X"), (1,))
    assert find_uncovered([said("Charles X left in 1945.")], [four, king]) == [four]


def test_the_proof_of_a_reading_stands_in_its_own_evidence() -> None:
    reading = Interpretation("Who was the ruler of France in 1830, from 9 August?", ("Louis Philippe I",), (2,))
    assert proof_of(reading, EVIDENCE) == Sentence(LOUIS, LOUIS, (2,))
    assert proof_of(Interpretation("Who?", ("Napoleon",), (1, 2)), EVIDENCE) is None
    assert proof_of(Interpretation("Who?", ("Charles X",), (2,)), EVIDENCE) is None
    assert proof_of(Interpretation("When?", ("183",), (1,)), EVIDENCE) is None
