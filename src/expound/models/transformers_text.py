"""Text models on transformers: a folder with safetensors, as its makers publish them. Pickled weights are refused."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from expound.errors import ContextTooLong, ModelFailed
from expound.models.embedder import usable_cores
from expound.models.engine import Completion, Sampling
from expound.models.gguf import option_weights
from expound.models.model_folder import config_of, load_model, load_tokenizer, open_folder, sha256_of_weights
from expound.types import Prompt

CONTEXT = 4096  # as for GGUF files: memory for it grows with the length, and the folder may promise far more
_MOST_LIKELY = 50  # the options of a question have nearly all the probability in far fewer tokens


class TransformersText:
    """A causal language model, loaded at the first call. A schema is asked for in words, and the reply is checked."""

    capability = "reader"

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        self.name, self.identity = folder.name, f"{folder.name} sha256:{sha256_of_weights(folder)}"
        self.context = _context(folder)
        self._folder, self._threads = folder, threads or usable_cores()

    def complete(self, prompt: Prompt, sampling: Sampling, on_text: Callable[[str], None] | None = None) -> Completion:
        """The reply; an error that `on_text` raises ends it."""
        import torch

        start, ids = time.perf_counter(), self._prompt_ids(prompt)
        torch.manual_seed(sampling.seed)
        # `top_k` 0 turns off the library's own cut at 50.
        drawn = {"do_sample": True, "temperature": sampling.temperature, "top_p": sampling.top_p, "top_k": 0}
        with torch.inference_mode():
            output = self._model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=prompt.max_tokens,
                pad_token_id=self._tokenizer.eos_token_id,
                streamer=_Streamer(self._decode, on_text) if on_text else None,
                **(drawn if sampling.temperature else {"do_sample": False}),
            )
        reply = output[0, ids.shape[1] :]
        completion = Completion(
            text=self._decode(reply),
            prompt_tokens=ids.shape[1],
            completion_tokens=len(reply),
            seconds=time.perf_counter() - start,
        )
        # A reply that was cut off is broken JSON for another reason.
        if prompt.schema and len(reply) < prompt.max_tokens:
            self._check_json(completion.text)
        return completion

    def weigh(self, prompt: Prompt, options: Sequence[str]) -> Completion:
        """The probability of each option as the beginning of the reply, judged by its first token."""
        import torch

        start, ids = time.perf_counter(), self._prompt_ids(prompt)
        with torch.inference_mode():
            chances = torch.softmax(self._model(ids).logits[0, -1].float(), dim=-1)
        likely = chances.topk(min(_MOST_LIKELY, len(chances)))
        tokens = [(self._decode([token]), float(chance)) for chance, token in zip(*likely, strict=True)]
        weights = option_weights(options, tokens)
        return Completion(
            text=tokens[0][0],
            prompt_tokens=ids.shape[1],
            completion_tokens=1,
            seconds=time.perf_counter() - start,
            weights=weights,
        )

    def count_tokens(self, text: str) -> int:
        """The tokens of a text, without those of the chat template."""
        return len(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def _prompt_ids(self, prompt: Prompt) -> Any:
        text = f"{prompt.text}\n\nReply with JSON of this schema: {prompt.schema}" if prompt.schema else prompt.text
        if self._tokenizer.chat_template:
            messages = [{"role": "system", "content": prompt.system}] if prompt.system else []
            messages.append({"role": "user", "content": text})
            text = self._tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
        elif prompt.system:
            text = f"{prompt.system}\n\n{text}"
        # The template has written the special tokens already.
        ids = self._tokenizer(text, return_tensors="pt", add_special_tokens=False)["input_ids"]
        if ids.shape[1] >= self.context:
            counts = f"{ids.shape[1]} tokens and {self.name} has room for {self.context}"
            raise ContextTooLong(f"a prompt has {counts}; shorten it")
        return ids

    def _decode(self, ids: Any) -> str:
        return str(self._tokenizer.decode(ids, skip_special_tokens=True))

    def _check_json(self, text: str) -> None:
        try:
            json.loads(text)
        except ValueError as error:
            raise ModelFailed(f"{self.name} did not write the JSON it was asked for") from error

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self._folder)

    @cached_property
    def _model(self) -> Any:
        return load_model(self._folder, "AutoModelForCausalLM", threads=self._threads)


class _Streamer:
    """Hands on what is new in the decoded reply; a character of several tokens waits for its last one."""

    def __init__(self, decode: Callable[[Any], str], on_text: Callable[[str], None]) -> None:
        self._decode, self._on_text = decode, on_text
        self._ids: list[int] | None = None
        self._shown = 0

    def put(self, value: Any) -> None:
        if self._ids is None:  # the prompt comes first
            self._ids = []
            return
        self._ids += value.reshape(-1).tolist()
        text = self._decode(self._ids)
        # A character of several bytes is not whole yet.
        if not text.endswith("\ufffd"):
            self._show(text)

    def end(self) -> None:
        self._show(self._decode(self._ids or []))

    def _show(self, text: str) -> None:
        if new := text[self._shown :]:
            self._on_text(new)
        self._shown = len(text)


def open_transformers(folder: str, *, threads: int = 0) -> TransformersText:
    """The text model in a folder with config.json, tokenizer and safetensors; 0 threads means every usable core."""
    return TransformersText(open_folder(folder), threads=threads)


def _context(folder: Path) -> int:
    config = config_of(folder)
    return min(CONTEXT, int(config.get("max_position_embeddings") or config.get("n_positions") or CONTEXT))
