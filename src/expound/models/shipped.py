"""The small models that ship with expound: rankers of sentences and of passages, and static vectors."""

from __future__ import annotations

from pathlib import Path

from expound import resources
from expound.protocols import Embedder, Ranker

RANKER_FILE = Path(__file__).with_name("ranker.onnx")
PASSAGE_RANKER_FILE = Path(__file__).with_name("passage_ranker.onnx")
STATIC_FILE = Path(__file__).with_name("static.npz")


def default_ranker() -> Ranker | None:
    """The ranker that ships with expound; None while its tokenizer is not installed."""
    if not (RANKER_FILE.exists() and resources.is_installed("minilm-tokenizer")):
        return None
    from expound.models.ranker import CrossEncoder

    return CrossEncoder(RANKER_FILE, resources.path("minilm-tokenizer"))


def default_passage_ranker() -> Ranker | None:
    """The ranker of passages that ships with expound; None while its tokenizer is not installed."""
    if not (PASSAGE_RANKER_FILE.exists() and resources.is_installed("minilm-tokenizer")):
        return None
    from expound.models.ranker import CrossEncoder

    # One at a time: its numbers are rounded for a whole batch, so that a passage would be judged by its neighbours
    # (models/passage_ranker.md). A passage with its headings has room in 256 tokens.
    tokenizer = resources.path("minilm-tokenizer")
    return CrossEncoder(PASSAGE_RANKER_FILE, tokenizer, most_tokens=256, batch=1, name="ms-marco-minilm-l12")


def default_static() -> Embedder | None:
    """The static vectors that ship with expound; None while their tokenizer is not installed."""
    if not (STATIC_FILE.exists() and resources.is_installed("minilm-tokenizer")):
        return None
    from expound.models.static import StaticEmbedder

    return StaticEmbedder(STATIC_FILE, resources.path("minilm-tokenizer"))
