"""The only door to weights: embedder, rankers of sentences and of passages, sentence scorer."""

from __future__ import annotations

from pathlib import Path

from expound import resources
from expound.protocols import Ranker

RANKER_FILE = Path(__file__).with_name("ranker.onnx")
DOCUMENT_RANKER_FILE = Path(__file__).with_name("document_ranker.onnx")
DOCUMENT_TOKENS = 192


def default_ranker() -> Ranker | None:
    """The ranker that ships with expound; None while its tokenizer is not installed."""
    if not (RANKER_FILE.exists() and resources.is_installed("minilm-tokenizer")):
        return None
    from expound.models.ranker import CrossEncoder

    return CrossEncoder(RANKER_FILE, resources.path("minilm-tokenizer"))


def default_document_ranker() -> Ranker | None:
    """The ranker of whole passages; None while its file or its tokenizer is not there."""
    if not (DOCUMENT_RANKER_FILE.exists() and resources.is_installed("minilm-tokenizer")):
        return None
    from expound.models.ranker import CrossEncoder

    tokenizer = resources.path("minilm-tokenizer")
    return CrossEncoder(DOCUMENT_RANKER_FILE, tokenizer, most_tokens=DOCUMENT_TOKENS, name="expound-document-ranker")
