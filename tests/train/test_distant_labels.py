"""What counts as an answer: the string, its sentence, and enough of the question around it."""

from __future__ import annotations

import pytest

from expound.train.data.dataset_files import Factoid
from expound.train.data.distant_labels import (
    Labelling,
    SortedSentences,
    drop_repeats,
    is_rare,
    sort_sentences,
    usable_answers,
)
from expound.train.data.passage_index import CandidateSentence, PassageIndex
from train.toytown import PASSAGES, RIVER, TOWER

BUILT = "The tower of Zorblax was built by Mira Okonedo."
SWAM = "Quend. Mira Okonedo once swam in it for charity."


def sort_found(index: PassageIndex, factoid: Factoid) -> SortedSentences:
    return sort_sentences(factoid, index.retrieved_sentences(f"{TOWER} {RIVER} mira", 15), index, Labelling())


def texts(scored: list[tuple[float, CandidateSentence]]) -> set[str]:
    return {sentence.text for _, sentence in scored}


def test_a_sentence_with_the_answer_that_is_about_the_question_is_right(index: PassageIndex) -> None:
    found = sort_found(index, Factoid(TOWER, ("Mira Okonedo",), "nq_open"))
    assert texts(found.positives) == {f"Zorblax. {BUILT}"}


def test_a_sentence_with_the_answer_about_something_else_is_doubtful(index: PassageIndex) -> None:
    found = sort_found(index, Factoid(TOWER, ("Mira Okonedo",), "nq_open"))
    assert texts(found.doubtful) == {SWAM}


def test_an_answer_in_the_title_alone_is_neither_right_nor_wrong(index: PassageIndex) -> None:
    found = sort_found(index, Factoid(TOWER, ("Mira Okonedo",), "nq_open"))
    assert texts(found.in_title) == {
        "Mira Okonedo. She drew her first plans at the age of nine.",
        "Mira Okonedo. Her house stands empty today.",
    }


def test_every_other_sentence_is_wrong(index: PassageIndex) -> None:
    found = sort_found(index, Factoid(TOWER, ("Mira Okonedo",), "nq_open"))
    assert len(found.negatives) == 6
    assert not any("Okonedo" in text for text in texts(found.negatives))


def test_the_human_long_answer_can_make_a_sentence_right(index: PassageIndex) -> None:
    long_answer = "Mira Okonedo swam in the Quend once, for charity."
    found = sort_found(index, Factoid(TOWER, ("Mira Okonedo",), "asqa", long_answer))
    assert SWAM in texts(found.positives)


def test_without_an_answer_nothing_is_right(index: PassageIndex) -> None:
    found = sort_found(index, Factoid(TOWER, (), "nq_open"))
    assert not found.positives
    assert not found.doubtful


def test_a_repeated_sentence_counts_once(index: PassageIndex) -> None:
    sentences = index.passages[0].sentences
    assert list(drop_repeats([*sentences, *sentences])) == list(sentences)


def test_words_of_the_question_and_yes_or_no_are_no_answers() -> None:
    answers = ("The Tower", "yes", "No", "", "Mira Okonedo", "mira okonedo!")
    assert usable_answers(Factoid(TOWER, answers, "nq_open")) == ["mira okonedo"]


@pytest.fixture
def large_index() -> PassageIndex:
    """The town among so many other sentences that a word can be rare."""
    filler = [
        {"id": str(n), "title": "", "text": f"Some filler{n} stands next to {n} trees.", "source": "toy"}
        for n in range(200)
    ]
    return PassageIndex([*PASSAGES, *filler], skip_sources=frozenset())


def test_an_answer_is_rare_if_its_words_are(large_index: PassageIndex) -> None:
    assert is_rare("market near harbour", large_index)
    assert not is_rare("trees", large_index)


@pytest.mark.parametrize(("answer", "is_right"), [("market near the harbour", True), ("large", False)])
def test_a_common_answer_needs_more_of_the_question(large_index: PassageIndex, answer: str, is_right: bool) -> None:
    rules = Labelling(coverage=0.4, coverage_for_common_answers=1.0)
    factoid = Factoid("what does the town of zorblax have today", (answer,), "nq_open")
    found = sort_sentences(factoid, large_index.passages[0].sentences, large_index, rules)
    assert len(found.positives) == is_right
    assert len(found.doubtful) == (not is_right)


def test_coverage_is_the_share_of_the_questions_rarity(index: PassageIndex) -> None:
    assert index.coverage(TOWER, index.words(BUILT)) == 1.0
    assert index.coverage(TOWER, frozenset()) == 0.0
    assert index.coverage("who is it", index.words(BUILT)) == 0.0
    assert 0 < index.coverage(TOWER, index.words("a tower")) < 1


def test_a_rare_word_covers_more_than_a_common_one(index: PassageIndex) -> None:
    assert index.rarity("tower") > index.rarity("zorblax")
    assert index.rarity("unheard") == pytest.approx(index.rarity("unseen"))


def test_the_best_passage_comes_first(index: PassageIndex) -> None:
    assert [passage.id for passage in index.search(TOWER, 1)] == ["town"]
    assert index.search("", 5) == []
