"""Baselines that quote: whole passages, sentences by TF-IDF or by a reader, and the question itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expound.answer.reader_sentences import ReaderSentences
from expound.answer.repeat_question import RepeatQuestion
from expound.answer.sentence_scores import SignScorer
from expound.answer.tfidf_sentences import TfidfSentences
from expound.answer.top_passages import TopPassages
from expound.errors import UserError
from expound.plugins import parse
from expound.testing import FixedScorer, WordEmbedder, evidence_of
from expound.types import ScoredSentence

QUESTION = "Why do jellyfish have no brain?"
EVIDENCE = evidence_of(
    "The sea is very deep there. Jellyfish have a net of nerves and no brain.",
    "Ships sail on the sea. A brain costs much energy. Jellyfish have a net of nerves and no brain.",
)


def scored(text: str, number: int, position: int, score: float) -> ScoredSentence:
    return ScoredSentence(text, number, position, score, 0.5, 0.5)


def test_the_first_passages_are_the_answer_whole_and_cited() -> None:
    answer = TopPassages(k=2).answer(QUESTION, EVIDENCE)
    assert answer.text == " ".join(item.passage.text for item in EVIDENCE)
    assert [sentence.citations for sentence in answer.sentences] == [(1,), (1,), (2,), (2,), (2,)]


def test_a_passage_can_be_cut_to_about_a_number_of_words() -> None:
    assert TopPassages(most_words=8).answer(QUESTION, EVIDENCE).text == "The sea is very deep there."


def test_the_question_is_repeated() -> None:
    answer = RepeatQuestion(times=5).answer(QUESTION, [])
    assert answer.text == " ".join([QUESTION] * 5)
    assert len(answer.sentences) == 5


def test_tfidf_takes_the_nearest_sentences_in_their_order_and_none_twice() -> None:
    answer = TfidfSentences(sentences=2).answer(QUESTION, EVIDENCE)
    assert [sentence.text for sentence in answer.sentences] == [
        "Jellyfish have a net of nerves and no brain.",
        "A brain costs much energy.",
    ]
    assert [sentence.citations for sentence in answer.sentences] == [(1,), (2,)]


def test_tfidf_can_go_by_words_and_by_the_support_document() -> None:
    assert (
        TfidfSentences(most_words=10).answer(QUESTION, EVIDENCE).text == "Jellyfish have a net of nerves and no brain."
    )
    assert "Jellyfish" in TfidfSentences(sentences=1, over="support").answer(QUESTION, EVIDENCE).text


def test_the_reader_chooses_and_the_source_orders() -> None:
    scorer = FixedScorer(
        scored("Ships sail on the sea.", 2, 0, 0.9),
        scored("A brain costs much energy.", 2, 1, 0.1),
        scored("The sea is very deep there.", 1, 0, 0.5),
    )
    answer = ReaderSentences(scorer, sentences=2).answer(QUESTION, EVIDENCE)
    assert answer.text == "The sea is very deep there. Ships sail on the sea."
    assert [sentence.citations for sentence in answer.sentences] == [(1,), (2,)]


def test_the_reader_of_a_support_document_cites_the_evidence() -> None:
    answer = ReaderSentences(SignScorer(WordEmbedder()), over="support").answer(QUESTION, EVIDENCE)
    assert answer.sentences
    assert all(item.text in EVIDENCE[item.citations[0] - 1].passage.text for item in answer.sentences)


class LongestFirst:
    """A ranker that likes long sentences."""

    name = "longest"

    def rank(self, question: str, texts: Sequence[str]) -> list[float]:
        return [float(len(text)) for text in texts]


def test_a_model_of_ones_own_scores_every_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "ranker.onnx"
    model.write_bytes(b"")
    reader = ReaderSentences(FixedScorer(), sentences=2, model=str(model))
    monkeypatch.setitem(vars(reader), "ranker", LongestFirst())
    answer = reader.answer(QUESTION, EVIDENCE)
    assert [sentence.citations for sentence in answer.sentences] == [(1,), (2,)]
    assert {sentence.text for sentence in answer.sentences} == {"Jellyfish have a net of nerves and no brain."}


def test_a_file_that_is_no_ranker_is_named(tmp_path: Path) -> None:
    for name in ("ranker.onnx", "tokenizer.json"):
        (tmp_path / name).write_text("no model")
    with pytest.raises(UserError, match=r"ranker\.onnx does not work as a ranker"):
        ReaderSentences(FixedScorer(), model=str(tmp_path / "ranker.onnx")).answer(QUESTION, EVIDENCE)


def test_the_tokenizer_is_the_one_beside_the_model(tmp_path: Path) -> None:
    for name in ("ranker.onnx", "tokenizer.json"):
        (tmp_path / name).write_bytes(b"")
    assert ReaderSentences(FixedScorer(), model=str(tmp_path / "ranker.onnx")).ranker.name


@pytest.mark.parametrize(
    "made",
    [
        TopPassages(k=3),
        RepeatQuestion(times=5),
        TfidfSentences(sentences=5, over="support"),
        ReaderSentences(FixedScorer(), sentences=3),
    ],
)
def test_the_spec_is_the_repr(made: Any) -> None:
    spec = parse(repr(made))
    hidden = {"scorer": made.scorer} if isinstance(made, ReaderSentences) else {}
    assert spec.name == type(made).__name__
    assert type(made)(**hidden, **spec.arguments) == made


@pytest.mark.parametrize(
    "made", [TopPassages(), TfidfSentences(), TfidfSentences(over="support"), ReaderSentences(FixedScorer())]
)
def test_no_evidence_gives_no_answer(made: Any) -> None:
    assert made.answer(QUESTION, []).text == ""


@pytest.mark.parametrize(
    "make",
    [
        lambda: TopPassages(k=0),
        lambda: RepeatQuestion(times=0),
        lambda: TfidfSentences(sentences=0),
        lambda: TfidfSentences(over="moon"),
        lambda: ReaderSentences(FixedScorer(), sentences=0),
        lambda: ReaderSentences(FixedScorer(), model="nowhere.onnx"),
    ],
)
def test_impossible_options_are_refused(make: Any) -> None:
    with pytest.raises(UserError):
        make()


@given(st.integers(1, 9))
def test_tfidf_never_says_more_than_it_may(sentences: int) -> None:
    answer = TfidfSentences(sentences=sentences).answer(QUESTION, EVIDENCE)
    assert len(answer.sentences) <= sentences
    assert all(item.source_text in EVIDENCE[item.citations[0] - 1].passage.text for item in answer.sentences)
