"""Probabilities of a text's tokens by a folder of the transformers library: a causal model, or one that reads first."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from expound.errors import UserError
from expound.models.embedder import usable_cores
from expound.models.likelihood import MOST_TOKENS, NEW_LINE, place_tokens
from expound.models.model_folder import config_of, load_model, load_tokenizer, sha256_of_weights


class _FolderModel:
    """What both kinds of folders have in common; loaded at the first call."""

    maker = ""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def weights(self) -> str:
        """The sha256 of its weights."""
        return sha256_of_weights(self._folder)

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self._folder)

    @cached_property
    def _model(self) -> Any:
        return load_model(self._folder, self.maker, threads=usable_cores())

    def _ids(self, text: str, *, marks: bool) -> list[int]:
        found: list[int] = self._tokenizer(text, add_special_tokens=marks)["input_ids"]
        return found

    @property
    def _room(self) -> int:
        config = config_of(self._folder)
        # GPT-2 and T5 call it `n_positions`.
        return min(MOST_TOKENS, int(config.get("max_position_embeddings") or config.get("n_positions") or MOST_TOKENS))


class GoOn(_FolderModel):
    """A causal model, such as GPT-2."""

    maker = "AutoModelForCausalLM"

    def log_probabilities(self, text: str, given: str = "") -> list[float]:
        """Of every token of the text after what is given; without it, of every token but the first."""
        import torch

        # Marks once, at the very beginning: a second one would say that a new text begins.
        read = self._ids(given + NEW_LINE, marks=True) if given else []
        before, after = place_tokens(read, self._ids(text, marks=not given), self._room)
        if len(before) + len(after) < 2:
            return []
        with torch.inference_mode():
            logits = self._model(torch.tensor([before + after])).logits[0, :-1].log_softmax(-1)
        # The first token of all has nothing before it that it could be predicted from.
        first = max(len(before), 1)
        wanted = torch.tensor((before + after)[first:])
        found: list[float] = logits[first - 1 :].gather(1, wanted[:, None])[:, 0].tolist()
        return found


class ReadThenWrite(_FolderModel):
    """An encoder with a decoder, such as T0 or BART: it reads what is given, and the text is what it would write."""

    maker = "AutoModelForSeq2SeqLM"

    def log_probabilities(self, text: str, given: str = "") -> list[float]:
        """Of every token of the text, its end mark included."""
        import torch

        if not given:
            raise UserError(
                f"{self._folder.name} reads a text before it writes: it has no perplexity; take a causal model"
            )
        read = self._ids(given, marks=True)
        # The end mark stays: without it the encoder would wait for more.
        read = [*read[: self._room - 1], read[-1]] if len(read) > self._room else read
        labels = torch.tensor([self._ids(text, marks=True)[: self._room]])
        with torch.inference_mode():
            logits = self._model(input_ids=torch.tensor([read]), labels=labels).logits[0].log_softmax(-1)
        found: list[float] = logits.gather(1, labels[0][:, None])[:, 0].tolist()
        return found
