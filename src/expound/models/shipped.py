"""The small models that ship with expound: sentence ranker and static vectors."""

from __future__ import annotations

from pathlib import Path

from expound import resources
from expound.protocols import Embedder, Ranker

RANKER_FILE = Path(__file__).with_name("ranker.onnx")
STATIC_FILE = Path(__file__).with_name("static.npz")


def default_ranker() -> Ranker | None:
    """The ranker that ships with expound; None while its tokenizer is not installed."""
    if not (RANKER_FILE.exists() and resources.is_installed("minilm-tokenizer")):
        return None
    from expound.models.ranker import CrossEncoder

    return CrossEncoder(RANKER_FILE, resources.path("minilm-tokenizer"))


def default_static() -> Embedder | None:
    """The static vectors that ship with expound; None while their tokenizer is not installed."""
    if not (STATIC_FILE.exists() and resources.is_installed("minilm-tokenizer")):
        return None
    from expound.models.static import StaticEmbedder

    return StaticEmbedder(STATIC_FILE, resources.path("minilm-tokenizer"))
