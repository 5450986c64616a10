"""Classifiers of texts in folders of the transformers library: a few logits for two texts, or for one."""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from expound.models.embedder import usable_cores
from expound.models.model_folder import load_model, load_tokenizer, open_folder

# What BERT and RemBERT read; the longer text is cut first.
_MOST_TOKENS = 512


class PairScorer:
    """Two texts to the logits of a trained head; loaded at the first call."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def logits(self, first: str, second: str | None = None) -> list[float]:
        """The head's numbers for a pair, or for one text."""
        import torch

        inputs = self._tokenizer(
            first, second, truncation="longest_first", max_length=self._most_tokens, return_tensors="pt"
        )
        with torch.inference_mode():
            found: list[float] = self._model(**inputs).logits[0].tolist()
        return found

    @property
    def _most_tokens(self) -> int:
        places = int(self._model.config.max_position_embeddings)
        return min(_MOST_TOKENS, places)

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self._folder)

    @cached_property
    def _model(self) -> Any:
        return load_model(self._folder, "AutoModelForSequenceClassification", threads=usable_cores())


@lru_cache(maxsize=4)
def open_pair_scorer(folder: str) -> PairScorer:
    """The classifier of a folder, opened once."""
    return PairScorer(open_folder(folder))
