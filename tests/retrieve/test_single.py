"""Searching by words alone and by meaning alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from expound.corpus import library
from expound.errors import UserError
from expound.retrieve.single import Dense, Lexical
from expound.testing import WordEmbedder, write_toy_folder

QUESTION = "Which countries does the Danube flow through?"


@pytest.fixture
def corpus(tmp_path: Path) -> library.Corpus:
    return library.add([write_toy_folder(tmp_path / "toys")], name="toys")[0]


def test_words_find_the_passage_and_number_it(corpus: library.Corpus) -> None:
    evidence = Lexical([corpus]).retrieve(QUESTION, k=3)
    assert evidence[0].passage.title == "Danube"
    assert [item.number for item in evidence] == list(range(1, len(evidence) + 1))
    assert [item.score for item in evidence] == sorted((item.score for item in evidence), reverse=True)


def test_two_corpora_are_ranked_together(corpus: library.Corpus) -> None:
    assert len(Lexical([corpus, corpus]).retrieve(QUESTION, k=3)) == 3


def test_meaning_needs_an_embedder_and_vectors(corpus: library.Corpus) -> None:
    with pytest.raises(UserError, match="expound models get minilm"):
        Dense([corpus]).retrieve(QUESTION, k=3)
    with pytest.raises(UserError, match="expound index build toys --vectors"):
        Dense([corpus], WordEmbedder()).retrieve(QUESTION, k=3)
