"""The only door to weights: embedder, sentence ranker, sentence scorer."""

from __future__ import annotations

from pathlib import Path

from expound import resources
from expound.protocols import Ranker

RANKER_FILE = Path(__file__).with_name("ranker.onnx")


def default_ranker() -> Ranker | None:
    """The ranker that ships with expound; None while its tokenizer is not installed."""
    if not (RANKER_FILE.exists() and resources.is_installed("minilm-tokenizer")):
        return None
    from expound.models.ranker import CrossEncoder

    return CrossEncoder(RANKER_FILE, resources.path("minilm-tokenizer"))
