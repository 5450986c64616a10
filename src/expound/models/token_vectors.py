"""A vector for every token of a text, in its surroundings: by MiniLM on onnxruntime, or by any encoder's folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from expound import resources
from expound.errors import UserError
from expound.files import sha256_of
from expound.models.embedder import MOST_TOKENS, open_session, open_tokenizer, usable_cores
from expound.models.exported_encoder import INPUT, open_exported, unit_rows
from expound.models.model_folder import config_of, load_model, load_tokenizer, open_folder, sha256_of_weights
from expound.resource_table import EMBEDDER

if TYPE_CHECKING:
    from expound.protocols import Vectors


@dataclass(frozen=True)
class TokenVectors:
    """The tokens of a text with unit vectors; `is_mark` tells those that the model put there itself."""

    ids: tuple[int, ...]
    vectors: Vectors
    is_mark: tuple[bool, ...]


class TokenEncoder(Protocol):
    """Texts to vectors of their tokens."""

    @property
    def weights(self) -> str:
        """The sha256 of its weights."""
        ...

    def encode(self, text: str) -> TokenVectors: ...

    def tokens(self, text: str) -> list[int]:
        """The ids alone, which need no model."""
        ...


# References come back with every answer to them; a vector a token is a third of a megabyte a text.
_KEPT_TEXTS = 256


class MiniLmTokens:
    """The last layer of all-MiniLM-L6-v2, int8."""

    @cached_property
    def weights(self) -> str:
        """The sha256 of its weights."""
        return sha256_of(self._files[0])

    def encode(self, text: str) -> TokenVectors:
        """One text at a time: in batches of several nothing is gained on a processor."""
        import numpy as np

        # Batches gain nothing: products of one text are at the processor's limit already (recipes/LOG.md).
        encoding = self._tokenizer.encode(text)
        ids = np.array([encoding.ids], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        vectors = self._session.run(None, inputs)[0][0]
        return TokenVectors(tuple(encoding.ids), unit_rows(vectors), tuple(map(bool, encoding.special_tokens_mask)))

    def tokens(self, text: str) -> list[int]:
        """The ids alone."""
        return list(self._tokenizer.encode(text).ids)

    @cached_property
    def _files(self) -> tuple[Path, ...]:
        return tuple(map(resources.path, EMBEDDER))

    @cached_property
    def _session(self) -> Any:
        return open_session(self._files[0], usable_cores())

    @cached_property
    def _tokenizer(self) -> Any:
        return open_tokenizer(self._files[1], MOST_TOKENS, pads=False)


class FolderTokens:
    """A layer of an encoder in a folder of the transformers library; 0 is the last one."""

    def __init__(self, folder: Path, layer: int) -> None:
        layers = int(config_of(folder).get("num_hidden_layers") or 0)
        if not 0 <= layer <= layers:
            raise UserError(f"{folder} has {layers} layers, not {layer}; take one of 1 to {layers}")
        self._folder, self._layer = folder, layer

    @property
    def weights(self) -> str:
        """The sha256 of its weights."""
        return sha256_of_weights(self._folder)

    def encode(self, text: str) -> TokenVectors:
        """One text at a time: in batches of several nothing is gained on a processor."""
        # As bert-score does it: cut at what the tokenizer says its model can read.
        encoding = self._tokenizer(text.strip(), truncation=True, return_special_tokens_mask=True)
        ids: Sequence[int] = encoding["input_ids"]
        vectors = unit_rows(self._run(ids))
        return TokenVectors(tuple(ids), vectors, tuple(map(bool, encoding["special_tokens_mask"])))

    def tokens(self, text: str) -> list[int]:
        """The ids alone."""
        return list(self._tokenizer(text.strip(), truncation=True)["input_ids"])

    def _run(self, ids: Sequence[int]) -> Vectors:
        import numpy as np

        if self._session:
            faster: Vectors = self._session.run(None, {INPUT: np.array([ids], dtype=np.int64)})[0][0]
            return faster
        import torch

        with torch.inference_mode():
            found: Vectors = self._model(torch.tensor([ids])).last_hidden_state[0].numpy()
        return found

    @cached_property
    def _session(self) -> Any | None:
        most_tokens = self._tokenizer.model_max_length
        # Loaded for this alone: once there is a file, the model need not stay in memory beside it.
        return open_exported(self._folder, self._layer, self._load, most_tokens=most_tokens)

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizer = load_tokenizer(self._folder)
        most = int(config_of(self._folder).get("max_position_embeddings") or 0)
        # Tokenizers that say nothing of it have a number with thirty digits; RoBERTa's places begin at 2.
        tokenizer.model_max_length = min(tokenizer.model_max_length, most - 2 if most > 512 else most or 512)
        return tokenizer

    @cached_property
    def _model(self) -> Any:
        return self._load()

    def _load(self) -> Any:
        model = load_model(self._folder, "AutoModel", threads=usable_cores())
        if self._layer:
            # What is above the layer would be computed and thrown away.
            model.encoder.layer = model.encoder.layer[: self._layer]
        return model


@lru_cache(maxsize=4)
def open_token_encoder(folder: str = "", layer: int = 0) -> TokenEncoder:
    """The encoder of a folder; MiniLM without one."""
    return Remembering(FolderTokens(open_folder(folder), layer) if folder else MiniLmTokens())


class Remembering:
    """An encoder that has the latest texts at hand: a reference comes back with every answer to it."""

    def __init__(self, encoder: TokenEncoder) -> None:
        self._encoder, self.tokens = encoder, encoder.tokens
        self.encode = lru_cache(maxsize=_KEPT_TEXTS)(encoder.encode)

    @property
    def weights(self) -> str:
        """The sha256 of its weights."""
        return self._encoder.weights
