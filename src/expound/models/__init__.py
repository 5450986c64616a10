"""The only door to weights: embedder, static vectors, sentence ranker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.models.cache import ReplyCache
    from expound.models.decoder import Decoding
    from expound.models.embedder import MiniLM
    from expound.models.engine import Sampling
    from expound.models.gguf import open_gguf
    from expound.models.kept_replies import Cleared, clear_replies
    from expound.models.ledger import Prices
    from expound.models.model_table import describe_model, list_models
    from expound.models.ranker import CrossEncoder
    from expound.models.reader import SpanReader, default_reader
    from expound.models.readers import open_reader
    from expound.models.shipped import default_passage_ranker, default_ranker, default_static
    from expound.models.static import StaticEmbedder
    from expound.models.text import choose_model, open_text_model
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "cache": "ReplyCache",
            "decoder": "Decoding",
            "embedder": "MiniLM",
            "engine": "Sampling",
            "gguf": "open_gguf",
            "kept_replies": "Cleared clear_replies",
            "ledger": "Prices",
            "model_table": "describe_model list_models",
            "ranker": "CrossEncoder",
            "reader": "SpanReader default_reader",
            "readers": "open_reader",
            "shipped": "default_passage_ranker default_ranker default_static",
            "static": "StaticEmbedder",
            "text": "choose_model open_text_model",
        },
    )

__all__ = [
    "Cleared",
    "CrossEncoder",
    "Decoding",
    "MiniLM",
    "Prices",
    "ReplyCache",
    "Sampling",
    "SpanReader",
    "StaticEmbedder",
    "choose_model",
    "clear_replies",
    "default_passage_ranker",
    "default_ranker",
    "default_reader",
    "default_static",
    "describe_model",
    "list_models",
    "open_gguf",
    "open_reader",
    "open_text_model",
]
