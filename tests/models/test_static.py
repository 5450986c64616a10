"""Static vectors: unit length, one text at a time or many, near where MiniLM says near."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from expound.models.shipped import STATIC_FILE, default_static
from expound.models.static import StaticEmbedder


@pytest.fixture
def static(embedder_files: dict[str, Path]) -> StaticEmbedder:
    return StaticEmbedder(STATIC_FILE, embedder_files["minilm-tokenizer"])


def test_vectors_have_length_one(static: StaticEmbedder) -> None:
    vectors = static.embed(["The Danube flows through ten countries.", "x"])
    assert vectors.shape == (2, static.dimensions)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_text_without_words_is_near_nothing(static: StaticEmbedder) -> None:
    assert not static.embed([""]).any()
    assert static.embed([]).shape == (0, static.dimensions)


def test_a_batch_never_changes_a_vector(static: StaticEmbedder) -> None:
    texts = [f"Sentence number {number} is about {'rivers ' * (number % 9)}." for number in range(150)]
    alone = np.concatenate([static.embed([text]) for text in texts])
    assert np.allclose(static.embed(texts), alone, atol=1e-6)


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("How do I undo the last commit?", "Reverting changes in git", "The film was shot in Spain"),
        ("Which countries does the Danube flow through?", "A river of Europe", "A cake with chocolate"),
    ],
)
def test_what_is_alike_is_near(static: StaticEmbedder, text: str, near: str, far: str) -> None:
    vectors = static.embed([text, near, far])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_without_the_tokenizer_there_are_no_static_vectors() -> None:
    assert default_static() is None
