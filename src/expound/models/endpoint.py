"""Any OpenAI-compatible address as an engine: vLLM, the llama.cpp server, Ollama, hosted ones."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote, urlsplit

from expound.errors import ContextTooLong, EndpointRefused, UserError
from expound.models.engine import GREEDY, Completion, Sampling
from expound.models.gguf import option_weights
from expound.models.server import PATIENT, BadRequest, Patience, Server, short
from expound.models.stream import OnPiece, Pieces, Reply, read_reply, well_formed
from expound.types import Prompt

DEFAULT_CONTEXT = 8192
_BYTES_PER_TOKEN = 3.5
_TOP_TOKENS = 20


def open_endpoint(address: str) -> Endpoint:
    """The engine of an address; its model is named behind `#` or by EXPOUND_MODEL, or it is the server's only one."""
    model = unquote(urlsplit(address).fragment) or os.environ.get("EXPOUND_MODEL", "")
    return Endpoint(address, model or Endpoint(address, "").only_model())


class Endpoint:
    """A server with `/v1/chat/completions`."""

    capability = "writer"

    def __init__(self, address: str, model: str, patience: Patience = PATIENT) -> None:
        self.server, self.model = Server(address, patience), model
        self.name, self.identity = f"{model} at {self.server.url}", f"{self.server.url}#{model}"
        self.context = _context()
        self._gives_probabilities = True

    def complete(self, prompt: Prompt, sampling: Sampling, on_text: OnPiece | None = None) -> Completion:
        """The reply; pieces come as the server writes them."""
        return self._ask(prompt, self._payload(prompt, sampling), on_text)[0]

    def weigh(self, prompt: Prompt, options: Sequence[str]) -> Completion:
        """By the probabilities of the reply's first token; where a server has none, its choice has weight 1."""
        return self._by_probabilities(prompt, options) or self._by_choice(prompt, options)

    def count_tokens(self, text: str) -> int:
        """About as many as most tokenizers make of it, rather a few more."""
        return math.ceil(len(text.encode("utf-8", "replace")) / _BYTES_PER_TOKEN)

    def only_model(self) -> str:
        """The model of a server that has one."""

        def attempt() -> list[str]:
            with self.server.answer("GET", "models") as response, well_formed():
                return [str(entry["id"]) for entry in json.loads(response.read())["data"]]

        found = self.server.patiently(attempt)
        if len(found) != 1:
            listed = short(", ".join(found)) or "none"
            raise EndpointRefused(f"name a model as {self.server.url}#MODEL; the server has: {listed}")
        return found[0]

    def _by_probabilities(self, prompt: Prompt, options: Sequence[str]) -> Completion | None:
        if not self._gives_probabilities:
            return None
        first_token = {"max_tokens": 1, "logprobs": True, "top_logprobs": _TOP_TOKENS}
        try:
            completion, tokens = self._ask(prompt, self._payload(prompt, GREEDY) | first_token)
        except BadRequest:
            tokens = {}
        self._gives_probabilities = bool(tokens)
        return replace(completion, weights=option_weights(options, tokens.items())) if tokens else None

    def _by_choice(self, prompt: Prompt, options: Sequence[str]) -> Completion:
        choice = {"type": "string", "enum": list(options)}
        schema = {"type": "object", "properties": {"choice": choice}, "required": ["choice"]}
        asked = replace(prompt, schema=json.dumps(schema | {"additionalProperties": False}))
        reply, _ = self._ask(prompt, self._payload(asked, GREEDY))
        return replace(reply, weights=tuple(float(option == _chosen(reply.text)) for option in options))

    def _payload(self, prompt: Prompt, sampling: Sampling) -> dict[str, Any]:
        messages = [{"role": "system", "content": prompt.system}] if prompt.system else []
        payload = {
            "model": self.model,
            "messages": [*messages, {"role": "user", "content": prompt.text}],
            "max_tokens": prompt.max_tokens,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "seed": sampling.seed,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if not prompt.schema:
            return payload
        shape = {"name": "reply", "strict": True, "schema": json.loads(prompt.schema)}
        return payload | {"response_format": {"type": "json_schema", "json_schema": shape}}

    def _ask(
        self, prompt: Prompt, payload: Mapping[str, Any], on_text: OnPiece | None = None
    ) -> tuple[Completion, Mapping[str, float]]:
        """The reply, and the probabilities of its first tokens if they were asked for."""
        pieces = Pieces(on_text)

        def attempt() -> tuple[Completion, Mapping[str, float]]:
            pieces.begin()
            began = time.monotonic()
            with self.server.answer("POST", "chat/completions", payload) as response:
                reply = read_reply(response, pieces)
            return self._completion(prompt, reply, time.monotonic() - began), reply.first_tokens

        try:
            return self.server.patiently(attempt)
        except BadRequest as error:
            if "context" in str(error).lower():
                raise ContextTooLong(f"{error}; shorten it, or set EXPOUND_CONTEXT to the server's") from error
            raise

    def _completion(self, prompt: Prompt, reply: Reply, seconds: float) -> Completion:
        """The reply with its tokens, estimated where the server does not count them."""
        asked = reply.usage.get("prompt_tokens") or self.count_tokens(prompt.system + prompt.text)
        written = reply.usage.get("completion_tokens") or self.count_tokens(reply.text)
        return Completion(reply.text, asked, written, seconds)


def _chosen(text: str) -> str:
    """The choice in a reply, also of a server that does not keep to a schema."""
    try:
        return str(json.loads(text)["choice"])
    except (ValueError, KeyError, TypeError):
        return text.strip()


def _context() -> int:
    value = os.environ.get("EXPOUND_CONTEXT", "") or str(DEFAULT_CONTEXT)
    if not value.isdecimal() or not int(value):
        raise UserError(
            f"EXPOUND_CONTEXT is {value!r}; it should be the tokens that prompt and reply may have together"
        )
    return int(value)
