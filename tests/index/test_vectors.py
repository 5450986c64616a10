"""Vectors are computed once and kept; the nearest are found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from expound.errors import Damaged
from expound.index import dense
from expound.index.dense import DenseIndex, build_dense
from expound.index.vectors import CachedEmbedder, CachedRanker, VectorStore
from expound.testing import WordEmbedder, WordRanker


def test_a_vector_is_computed_once_also_across_openings(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    for _ in range(2):
        cached = CachedEmbedder(embedder, VectorStore(tmp_path / "v.sqlite"))
        vectors = cached.embed(["one two", "three", "one two"])
        assert vectors.shape == (3, 256)
    assert embedder.calls == ["one two", "three"]


def test_kept_vectors_equal_fresh_ones(tmp_path: Path) -> None:
    cached = CachedEmbedder(WordEmbedder(), VectorStore(tmp_path / "v.sqlite"))
    assert np.allclose(cached.embed(["a fox"]), WordEmbedder().embed(["a fox"]), atol=1e-3)
    assert np.array_equal(cached.embed(["a fox"]), cached.embed(["a fox"]))


class CountingRanker(WordRanker):
    def __init__(self) -> None:
        self.judged: list[str] = []

    def rank(self, question: str, texts: Sequence[str]) -> list[float]:
        self.judged += texts
        return super().rank(question, texts)


def test_a_pair_is_judged_once_also_across_openings(tmp_path: Path) -> None:
    ranker = CountingRanker()
    for _ in range(2):
        cached = CachedRanker(ranker, VectorStore(tmp_path / "r.sqlite"), version="1")
        assert cached.rank("a fox?", ["a fox ran", "a cow"]) == WordRanker().rank("a fox?", ["a fox ran", "a cow"])
    assert ranker.judged == ["a fox ran", "a cow"]


def test_another_question_or_other_weights_are_judged_anew(tmp_path: Path) -> None:
    ranker, store = CountingRanker(), VectorStore(tmp_path / "r.sqlite")
    CachedRanker(ranker, store, version="1").rank("a fox?", ["a fox ran"])
    CachedRanker(ranker, store, version="1").rank("a cow?", ["a fox ran"])
    CachedRanker(ranker, store, version="2").rank("a fox?", ["a fox ran"])
    assert len(ranker.judged) == 3


def batches(count: int, dimensions: int) -> tuple[np.ndarray, list[tuple[list[int], np.ndarray]]]:
    random = np.random.default_rng(7)
    vectors = random.normal(size=(count, dimensions)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors, [
        (list(range(start + 1, min(start + 64, count) + 1)), vectors[start : start + 64])
        for start in range(0, count, 64)
    ]


def test_a_vector_finds_itself(tmp_path: Path) -> None:
    vectors, parts = batches(200, 16)
    assert build_dense(tmp_path / "d.faiss", parts, total=200) == 200
    index = DenseIndex(tmp_path / "d.faiss")
    assert [index.search(vectors[n], k=1)[0][0] for n in (0, 99, 199)] == [1, 100, 200]


def test_a_large_corpus_gets_a_compressed_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "FLAT_UP_TO", 1000)
    monkeypatch.setattr(dense, "_PROBES", 200)
    vectors, parts = batches(2000, 16)
    build_dense(tmp_path / "d.faiss", parts, total=2000)
    index = DenseIndex(tmp_path / "d.faiss")
    found = [index.search(vectors[n], k=1)[0][0] == n + 1 for n in range(0, 2000, 100)]
    assert sum(found) >= 19


def test_a_damaged_index_is_named(tmp_path: Path) -> None:
    (tmp_path / "d.faiss").write_bytes(b"garbage")
    with pytest.raises(Damaged, match=r"d\.faiss"):
        DenseIndex(tmp_path / "d.faiss")
