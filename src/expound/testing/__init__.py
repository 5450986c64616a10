"""Fakes and a toy world, for our tests and for those of plug-in authors."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from expound.text.words import content_stems, coverage
from expound.types import Evidence, Passage, ScoredSentence

if TYPE_CHECKING:
    from expound.protocols import Vectors

__all__ = [
    "TOY_ARTICLES",
    "FixedScorer",
    "WordEmbedder",
    "WordRanker",
    "evidence_of",
    "write_jsonl",
    "write_toy_folder",
]

TOY_ARTICLES = {
    "Charles X": "Charles X was the King of France until 2 August 1830. He died in exile in 1836.",
    "Louis Philippe I": "Louis Philippe I was the King of France from 9 August 1830. He was called the Citizen King.",
    "Danube": "The Danube flows through ten countries. It ends in the Black Sea.",
    "Jellyfish": "Jellyfish live without a brain because a nerve net runs through the body. They drift in every ocean.",
    "Contrail": "A contrail forms because water vapour from the engine freezes in cold air.",
}


class WordEmbedder:
    """Vectors that count words: texts with the same words are near each other. Needs no weights."""

    name = "fake-words"

    def __init__(self, dimensions: int = 256) -> None:
        self.dimensions = dimensions
        self.calls: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        self.calls.extend(texts)
        vectors = np.full((len(texts), self.dimensions), 1e-6, dtype=np.float32)
        for row, text in enumerate(texts):
            for stem in content_stems(text):
                vectors[row, crc32(stem.encode()) % self.dimensions] += 1
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


class WordRanker:
    """Logits by shared words: a stand-in for the cross-encoder."""

    name = "fake-ranker"

    def rank(self, question: str, texts: Sequence[str]) -> list[float]:
        wanted = set(content_stems(question))
        return [8 * len(wanted & set(content_stems(text))) / max(1, len(wanted)) - 4 for text in texts]


class FixedScorer:
    """A scorer that returns given sentences, for tests of what is done with them; texts are near that share words."""

    def __init__(self, *sentences: ScoredSentence) -> None:
        self.sentences = list(sentences)

    def score(self, question: str, evidence: Sequence[Evidence]) -> list[ScoredSentence]:
        return self.sentences

    def similarities(self, question: str, texts: Sequence[str]) -> list[float]:
        return [coverage(question, text) for text in texts]


def evidence_of(*texts: str, titles: Sequence[str] = ()) -> list[Evidence]:
    """Evidence made of plain texts, numbered from 1."""
    named = list(titles) + [f"Title {number}" for number in range(len(titles) + 1, len(texts) + 1)]
    return [
        Evidence(Passage(f"p{number}", text, title), number, 1.0 / number)
        for number, (text, title) in enumerate(zip(texts, named, strict=False), start=1)
    ]


def write_toy_folder(folder: Path) -> Path:
    """The toy articles as Markdown files."""
    folder.mkdir(parents=True, exist_ok=True)
    for title, text in TOY_ARTICLES.items():
        (folder / f"{title.lower().replace(' ', '-')}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    return folder


def write_jsonl(file: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    """Rows as JSON Lines."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file
