"""Passages made searchable: by their words (tantivy) and by their meaning (faiss)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.index.dense import DenseIndex, build_dense
    from expound.index.lexical import LexicalIndex
    from expound.index.vectors import CachedEmbedder, CachedRanker, VectorStore
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "dense": "DenseIndex build_dense",
            "lexical": "LexicalIndex",
            "vectors": "CachedEmbedder CachedRanker VectorStore",
        },
    )

__all__ = [
    "CachedEmbedder",
    "CachedRanker",
    "DenseIndex",
    "LexicalIndex",
    "VectorStore",
    "build_dense",
]
