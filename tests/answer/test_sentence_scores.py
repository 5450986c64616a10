"""Sentence scores: fragments are left out, signs add up, nothing is computed twice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from expound.answer.sentence_scores import SentenceWeights, SignScorer, is_whole
from expound.models import default_ranker
from expound.models.embedder import MiniLM
from expound.testing import WordEmbedder, WordRanker, evidence_of

EVIDENCE = evidence_of(
    "of the river Danube. The Danube flows through ten countries. It ends in the Black Sea and",
    "Jellyfish live in every ocean of the world.",
)
QUESTION = "Which countries does the Danube flow through?"


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("The Danube flows through ten countries.", True),
        ('"Stop," she said to the driver.', True),
        ("of the river Danube and so on.", False),
        ("It ends in the Black Sea and", False),
        ("Too short.", False),
        ('I am just looking to send a good message."', False),
        ("Word " * 70 + "end.", False),
        ("One a; two b; three c; four d; five e.", False),
    ],
)
def test_only_whole_sentences_count(text: str, whole: bool) -> None:
    assert is_whole(text) is whole


@pytest.mark.parametrize("scorer", [SignScorer(), SignScorer(WordEmbedder()), SignScorer(WordEmbedder(), WordRanker())])
def test_the_answering_sentence_comes_first(scorer: SignScorer) -> None:
    assert scorer.score(QUESTION, EVIDENCE)[0].text == "The Danube flows through ten countries."


def test_the_ranker_sees_only_the_most_promising() -> None:
    class Counting(WordRanker):
        seen = 0

        def rank(self, question: str, texts: object) -> list[float]:
            assert isinstance(texts, list)
            self.seen = len(texts)
            return super().rank(question, texts)

    ranker = Counting()
    many = evidence_of(" ".join(f"The Danube has arm number {n} here." for n in range(50)))
    SignScorer(WordEmbedder(), ranker, ranked=16).score(QUESTION, many)
    assert ranker.seen == 16


def test_asking_the_same_again_computes_nothing() -> None:
    embedder = WordEmbedder()
    scorer = SignScorer(embedder)
    first = scorer.score(QUESTION, EVIDENCE)
    calls = len(embedder.calls)
    assert scorer.score(QUESTION, EVIDENCE) == first
    assert len(embedder.calls) == calls


def test_no_evidence_gives_no_sentences() -> None:
    assert SignScorer().score(QUESTION, []) == []


def test_the_real_embedder_knows_what_is_alike(embedder_files: dict[str, Path]) -> None:
    embedder = MiniLM(embedder_files["minilm"], embedder_files["minilm-tokenizer"])
    vectors = embedder.embed(["The new movie is awesome", "The new movie is so great", "The cat sits outside"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[1] == pytest.approx(0.892, abs=0.01)  # sentence-transformers, fp32: 0.8939
    assert vectors[0] @ vectors[2] < 0.3


def test_the_batch_does_not_change_a_vector(embedder_files: dict[str, Path]) -> None:
    embedder = MiniLM(embedder_files["minilm"], embedder_files["minilm-tokenizer"])
    texts = [f"A sentence of some length {'with more words ' * n}" for n in range(11)]
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert np.allclose(together, alone, atol=1e-5)
    assert embedder.embed([]).shape == (0, 384)


def test_the_real_ranker_prefers_the_answer(embedder_files: dict[str, Path]) -> None:
    ranker = default_ranker()
    assert ranker is not None
    right, near, far = ranker.rank(
        "how many countries does the danube flow through",
        [
            "Danube. The Danube passes through or along the border of ten countries.",
            "Danube. The headstreams Breg and Brigach join at Donaueschingen.",
            "Jellyfish. Jellyfish live without a brain.",
        ],
    )
    assert right > near > far


def test_the_batch_does_not_change_a_rank(embedder_files: dict[str, Path]) -> None:
    ranker = default_ranker()
    assert ranker is not None
    texts = [f"Danube. The Danube is long {'and very wide ' * n}." for n in range(11)]
    together = ranker.rank("how long is the danube", texts)
    assert together == pytest.approx([ranker.rank("how long is the danube", [text])[0] for text in texts], abs=1e-3)


def test_an_endless_question_can_be_ranked(embedder_files: dict[str, Path]) -> None:
    ranker = default_ranker()
    assert ranker is not None
    assert len(ranker.rank("why oh why " * 150, ["The Danube is long.", "The Nile is longer."])) == 2
    assert ranker.rank("why", []) == []


def test_static_vectors_choose_what_the_embedder_sees() -> None:
    embedder = WordEmbedder()
    many = evidence_of(
        " ".join(f"The weather on day number {n} was fine." for n in range(40)) + " The Danube passes ten countries."
    )
    scored = SignScorer(embedder, static=WordEmbedder(), seen=8, weights=SentenceWeights(central=0)).score(
        QUESTION, many
    )
    assert "The Danube passes ten countries." in [sentence.text for sentence in scored]
    assert len(scored) == 8
    assert len([text for text in embedder.calls if "weather on day" in text and len(text) < 100]) == 7
