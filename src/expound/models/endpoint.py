"""Any OpenAI-compatible address as an engine: vLLM, the llama.cpp server, Ollama, hosted ones."""

from __future__ import annotations

import json
import math
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from expound.errors import ContextTooLong, EndpointRefused, UserError
from expound.models.address import parse_address, short
from expound.models.connection import BadRequest
from expound.models.dialect import recall_dialect, remember_dialect
from expound.models.engine import GREEDY, Completion, Sampling
from expound.models.gguf import option_weights
from expound.models.remarks import Say
from expound.models.server import PATIENT, Patience, Server
from expound.models.stream import Bounds, Reply, is_well_formed, read_reply, read_whole
from expound.models.thoughts import OnPiece, Pieces, Room
from expound.types import Prompt

# A guess, since the interface has no way to ask; EXPOUND_CONTEXT tells better.
DEFAULT_CONTEXT = 8192
# English has about four, code and other languages fewer: rather too many tokens are counted than too few.
_BYTES_PER_TOKEN = 3.5
_TOP_TOKENS = 20  # the most that OpenAI's interface allows
_MOST_LISTED_TOKENS = 1000  # the room for the list of models, measured like a reply's
# One of 1.5 billion parameters invents when it writes; between it and 7 billion nothing was measured.
_LARGEST_READER = 3e9
_PARAMETERS = re.compile(r"(?<![a-z\d.])(\d+(?:\.\d+)?)([mb])(?![a-z\d])", re.IGNORECASE)


def open_endpoint(address: str, *, tries: int | None = None, say: Say | None = None) -> Endpoint:
    """The engine of an address; its model is named behind `#` or by EXPOUND_MODEL, or it is the server's only one.

    `tries` is how often a server is asked which one that is.
    """
    # The environment is read when a model is opened, so that tests and runs can differ in it.
    patience = replace(PATIENT, whole_seconds=_call_seconds())
    place = parse_address(address)
    asking = replace(patience, tries=tries or patience.tries)
    model = place.model or os.environ.get("EXPOUND_MODEL", "") or only_model(Server(place, asking, say=say))
    return Endpoint(address, model, patience, say=say)


def only_model(server: Server) -> str:
    """The model of a server that has one."""

    def attempt(seconds: float) -> list[str]:
        with server.answer("GET", "models", seconds=seconds) as response:
            body = read_whole(response, Bounds(_MOST_LISTED_TOKENS))
        with is_well_formed():
            return [str(entry["id"]) for entry in json.loads(body)["data"]]

    found = server.patiently(attempt)
    if len(found) != 1:
        listed = short(", ".join(found)) or "none"
        raise EndpointRefused(f"name a model as {server.url}#MODEL; the server has: {listed}")
    return found[0]


def capability_of(model: str) -> str:
    """What a model can be trusted with, by the parameters in its name: a small one reads.

    >>> capability_of("smollm2:135m"), capability_of("qwen2.5-7b-instruct"), capability_of("gpt-4o")
    ('reader', 'writer', 'writer')
    """
    # The largest number: "qwen2.5-7b" names a version before its size.
    sizes = [float(number) * (1e9 if unit in "bB" else 1e6) for number, unit in _PARAMETERS.findall(model)]
    return "reader" if sizes and max(sizes) <= _LARGEST_READER else "writer"


class Endpoint:
    """A server with `/v1/chat/completions`."""

    def __init__(self, address: str, model: str, patience: Patience = PATIENT, *, say: Say | None = None) -> None:
        self.server, self.model = Server(parse_address(address), patience, say=say), model
        self.capability = capability_of(model)
        self.name, self.identity = f"{model} at {self.server.url}", f"{self.server.address}#{model}"
        self.context = _context()
        self._gives_probabilities, self.room = True, Room()
        self._dialect = recall_dialect(self.identity)

    def complete(self, prompt: Prompt, sampling: Sampling, on_text: OnPiece | None = None) -> Completion:
        """The reply; pieces come as the server writes them."""
        # What is left for thoughts, should the model turn out to think.
        free = self.context - self.count_tokens(prompt.system + prompt.text) - prompt.max_tokens

        def call(most_tokens: int) -> Completion:
            return self._ask(prompt, self._payload(prompt, sampling) | {"max_tokens": most_tokens}, on_text)[0]

        return self.room.ask(prompt.max_tokens, max(0, free), call)

    def weigh(self, prompt: Prompt, options: Sequence[str]) -> Completion:
        """By the probabilities of the reply's first token; where a server has none, its choice has weight 1."""
        weighed = self._by_probabilities(prompt, options)
        # No option was among the likeliest tokens: the model is asked to choose in words.
        return weighed if weighed and not weighed.is_empty else self._by_choice(prompt, options)

    def count_tokens(self, text: str) -> int:
        """About as many as most tokenizers make of it, rather a few more."""
        return math.ceil(len(text.encode("utf-8", "replace")) / _BYTES_PER_TOKEN)

    def _by_probabilities(self, prompt: Prompt, options: Sequence[str]) -> Completion | None:
        if not self._gives_probabilities:
            return None
        first_token = {"max_tokens": 1, "logprobs": True, "top_logprobs": _TOP_TOKENS}
        try:
            completion, tokens = self._ask(prompt, self._payload(prompt, GREEDY) | first_token)
        except BadRequest:
            tokens = {}
        # Once refused or left out, it is not asked for again.
        self._gives_probabilities = bool(tokens)
        return replace(completion, weights=option_weights(options, tokens.items())) if tokens else None

    def _by_choice(self, prompt: Prompt, options: Sequence[str]) -> Completion:
        choice = {"type": "string", "enum": list(options)}
        schema = {"type": "object", "properties": {"choice": choice}, "required": ["choice"]}
        reply = self.complete(replace(prompt, schema=json.dumps(schema | {"additionalProperties": False})), GREEDY)
        return replace(reply, weights=tuple(float(option == _read_choice(reply.text)) for option in options))

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
        # "strict" makes the server hold the model to it; without it the schema is advice.
        shape = {"name": "reply", "strict": True, "schema": json.loads(prompt.schema)}
        return payload | {"response_format": {"type": "json_schema", "json_schema": shape}}

    def _ask(
        self, prompt: Prompt, payload: Mapping[str, Any], on_text: OnPiece | None = None
    ) -> tuple[Completion, Mapping[str, float]]:
        """The reply, and the probabilities of its first tokens if they were asked for; in words the server takes."""
        dialect = self._dialect
        # A server names one thing at a time that it does not take; each round knows one more.
        while True:
            try:
                asked = self._ask_once(prompt, dialect.translated(payload), payload["max_tokens"], on_text)
            except BadRequest as error:
                other = dialect.after(str(error))
                if other is None:
                    raise _explain_refusal(error) from None
                dialect = other
            else:
                if dialect != self._dialect:
                    self._dialect = dialect
                    remember_dialect(self.identity, dialect)
                return asked

    def _ask_once(
        self, prompt: Prompt, payload: Mapping[str, Any], most_tokens: int, on_text: OnPiece | None
    ) -> tuple[Completion, Mapping[str, float]]:
        bounds = Bounds(most_tokens)
        pieces = Pieces(on_text, bounds.characters)

        def attempt(seconds: float) -> tuple[Completion, Mapping[str, float]]:
            # What was heard of a failed attempt is not said again.
            pieces.begin()
            began = time.monotonic()
            with self.server.answer("POST", "chat/completions", payload, seconds=seconds) as response:
                reply = read_reply(response, pieces, bounds)
            return self._completion(prompt, reply, time.monotonic() - began), reply.first_tokens

        return self.server.patiently(attempt)

    def _completion(self, prompt: Prompt, reply: Reply, seconds: float) -> Completion:
        """The reply with its tokens, estimated where the server does not count them."""
        asked = reply.usage.get("prompt_tokens") or self.count_tokens(prompt.system + prompt.text)
        written = reply.usage.get("completion_tokens") or self.count_tokens(reply.text)
        return Completion(
            text=reply.text,
            prompt_tokens=asked,
            completion_tokens=written,
            seconds=seconds,
            finish=reply.finish,
            has_thoughts=reply.has_thoughts,
        )


def _explain_refusal(error: BadRequest) -> EndpointRefused | ContextTooLong:
    # Servers word it differently, but all speak of the context.
    if "context" in str(error).lower():
        return ContextTooLong(f"{error}; shorten it, or set EXPOUND_CONTEXT to the server's")
    return error


def _read_choice(text: str) -> str:
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


def _call_seconds() -> float:
    value = os.environ.get("EXPOUND_CALL_SECONDS", "") or str(PATIENT.whole_seconds)
    try:
        seconds = float(value)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise UserError(f"EXPOUND_CALL_SECONDS is {value!r}; it should be the seconds that one call may take")
    return seconds
