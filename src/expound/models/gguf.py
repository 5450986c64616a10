"""Text models in GGUF files: prompts to requests for llama.cpp, its chunks to replies and weights."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from expound import resources
from expound.errors import (
    BadInput,
    ContextTooLong,
    ModelFailed,
    NotEnoughMemory,
    ResourceMissing,
    UnknownName,
    nearest,
)
from expound.files import sha256_of, user_path
from expound.machine import free_memory_bytes
from expound.models.embedder import usable_cores
from expound.models.engine import Completion, Engine, Sampling
from expound.models.llama import Chunk, LlamaServer
from expound.models.thoughts import Pieces, Room
from expound.types import Prompt

# Twenty sentences or ten passages with the instruction; memory grows with it (some 100 MB at 1.5B).
CONTEXT = 4096
# What the chat template adds around a prompt: markers, and a system text of its own when the prompt has none.
_TEMPLATE_TOKENS = 64
# Small models lose themselves in white space where the grammar lets them.
_COMPACT = {"x-guidance": {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}}
_MAGIC = b"GGUF"
# The options of a question have nearly all the probability in far fewer tokens.
_MOST_LIKELY = 50


class Gguf:
    """A GGUF file as a text model. It is loaded at the first call and keeps the beginning that prompts share.

    `identity` has the file's sha256; `memory_bytes` is what must be free before it is loaded.
    """

    def __init__(
        self,
        file: Path,
        *,
        name: str,
        sha256: str,
        capability: str = "reader",
        memory_bytes: int = 0,
        threads: int = 0,
        adapter: Path | None = None,
    ) -> None:
        self.name, self.capability, self.identity = name, capability, f"{name} sha256:{sha256}"
        self.context = CONTEXT - _TEMPLATE_TOKENS
        self._file, self._memory_bytes, self._threads = file, memory_bytes, threads or usable_cores()
        self._adapter = adapter
        self._last_messages: list[dict[str, str]] = []
        self.room = Room()

    def complete(self, prompt: Prompt, sampling: Sampling, on_text: Callable[[str], None] | None = None) -> Completion:
        """The reply; an error that `on_text` raises ends it."""

        def call(most_tokens: int) -> Completion:
            return self._reply(_request(prompt, sampling) | {"max_tokens": most_tokens}, on_text)[0]

        # All of the context: llama.cpp itself counts what the prompt takes.
        completion = self.room.ask(prompt.max_tokens, self.context, call)
        # A reply that was cut off is broken JSON for another reason.
        if prompt.schema and not completion.is_cut:
            self._check_json(completion.text)
        return completion

    def weigh(self, prompt: Prompt, options: Sequence[str]) -> Completion:
        """The probability of each option as the beginning of the reply, judged by its first token.

        A token that begins several options and is none of them tells nothing and counts for none.
        """
        request = _request(prompt, Sampling()) | {"max_tokens": 1, "logprobs": True, "top_logprobs": _MOST_LIKELY}
        # A grammar would let the first token be a brace and nothing else.
        request.pop("grammar", None)
        completion, tokens = self._reply(request, None)
        return replace(completion, weights=option_weights(options, tokens))

    def count_tokens(self, text: str) -> int:
        """The tokens of a text, without those of the chat template."""
        return len(self._server.post("/tokenize", {"content": text})["tokens"])

    def _reply(
        self, request: dict[str, Any], on_text: Callable[[str], None] | None
    ) -> tuple[Completion, list[tuple[str, float]]]:
        """The reply, and the likeliest first tokens with their probabilities where the request asks for them."""
        start, pieces = time.perf_counter(), Pieces(on_text)
        last: Chunk = {}
        thinks = False
        first_tokens = list[tuple[str, float]]()
        # Of a prompt that was just asked only the last token would be new, and alone it is computed in another way.
        request["cache_prompt"] = request["messages"] != self._last_messages
        self._last_messages = request["messages"]
        with closing(self._server.stream(request)) as chunks:
            for chunk in chunks:
                _check(chunk, self)
                last = chunk
                first_tokens = first_tokens or _likely_tokens(chunk)
                thinks = thinks or bool(_text_of(chunk, "reasoning_content"))
                if piece := _text_of(chunk):
                    pieces.add(piece)
        pieces.finish()
        usage = last.get("usage", {})
        seconds = time.perf_counter() - start
        if not usage:
            raise ModelFailed(f"{self.name} ended in the middle of a reply")
        written = usage["completion_tokens"]
        return Completion(
            text=pieces.text,
            prompt_tokens=usage["prompt_tokens"],
            completion_tokens=written,
            seconds=seconds,
            finish="length" if written >= request["max_tokens"] else "stop",
            has_thoughts=thinks or pieces.has_thoughts,
        ), first_tokens

    def _check_json(self, text: str) -> None:
        """llama.cpp says nothing about a schema that it cannot follow, and lets the model write what it likes."""
        try:
            json.loads(text)
        except ValueError as error:
            raise ModelFailed(f"{self.name} did not write the JSON it was asked for: is the schema right?") from error

    @cached_property
    def _server(self) -> LlamaServer:
        free = free_memory_bytes()
        if free < self._memory_bytes:
            needs = f"{self._memory_bytes / 1e9:.1f} GB of memory and {free / 1e9:.1f} GB are free"
            raise NotEnoughMemory(f"{self.name} needs {needs}; close something, or take a smaller model")
        return LlamaServer(self._file, context=CONTEXT, threads=self._threads, adapter=self._adapter)


@dataclass(frozen=True)
class GgufFile:
    """A file of weights: what it is called, how it is known, and what it takes and can be trusted with."""

    path: Path
    name: str
    sha256: str
    memory_bytes: int
    capability: str = "reader"
    adapter: Path | None = None
    """A file that is added to the weights when they are loaded."""


def open_gguf(name_or_path: str, *, threads: int = 0) -> Engine:
    """The text model of that name in the table, or the one in a .gguf file; 0 threads means every usable core."""
    file = find_gguf(name_or_path)
    return Gguf(
        file.path,
        name=file.name,
        sha256=file.sha256,
        capability=file.capability,
        memory_bytes=file.memory_bytes,
        threads=threads,
        adapter=file.adapter,
    )


def find_gguf(name_or_path: str) -> GgufFile:
    """The file of that name in the table, or a .gguf file, perhaps with `+ADAPTER.gguf`; refused where it is none."""
    base, plus, adapter = name_or_path.rpartition("+")
    # A folder may have the sign in its name.
    if plus and adapter.lower().endswith(".gguf") and not user_path(name_or_path).is_file():
        return _add_adapter(find_gguf(base), user_path(adapter).absolute())
    if name_or_path.lower().endswith(".gguf"):
        file = user_path(name_or_path).absolute()
        _check_file(file)
        # The file's size is about what it takes in memory, mapped or not.
        return GgufFile(path=file, name=file.stem, sha256=sha256_of(file), memory_bytes=file.stat().st_size)
    resource = resources.find(_known(name_or_path))
    file, own = resources.path(resource.name), resources.override(resource.name)
    _check_file(file)
    return GgufFile(
        path=file,
        name=resource.name,
        # The table's hash was checked when the file was fetched; one of the user's own has to be read for it.
        sha256=sha256_of(file) if own else resource.sha256,
        capability=resource.capability,
        memory_bytes=resource.memory_bytes,
    )


def _add_adapter(file: GgufFile, adapter: Path) -> GgufFile:
    _check_file(adapter)
    # Replies are kept by the hash: with another adapter they are another model's.
    both = f"{file.sha256}+{sha256_of(adapter)}"
    return replace(file, name=f"{file.name}+{adapter.parent.name}/{adapter.name}", sha256=both, adapter=adapter)


def option_weights(options: Sequence[str], tokens: Iterable[tuple[str, float]]) -> tuple[float, ...]:
    """How much of the first token's probability falls on each option, with or without a space before it."""
    weights = dict.fromkeys(options, 0.0)
    for token, probability in tokens:
        word = token.removeprefix(" ")
        begun = [option for option in weights if word and option.startswith(word)]
        # A token that is an option counts for it, even where it begins a longer one as well.
        if word in weights:
            weights[word] += probability
        elif len(begun) == 1:
            weights[begun[0]] += probability
    return tuple(weights[option] for option in options)


def _known(name: str) -> str:
    names = [resource.name for resource in resources.RESOURCES.values() if resource.capability]
    if name in names:
        return name
    hint = nearest(name, names, otherwise=f"there are: {', '.join(names)}, or name a .gguf file")
    raise UnknownName(f"no text model named {name!r}; {hint}")


def _check_file(file: Path) -> None:
    """llama.cpp says the same of a missing, a cut and a foreign file."""
    if not file.is_file():
        raise ResourceMissing(f"there is no file {file}")
    with file.open("rb") as opened:
        if opened.read(len(_MAGIC)) != _MAGIC:
            raise BadInput(f"{file} is not a GGUF file")


def _request(prompt: Prompt, sampling: Sampling) -> dict[str, Any]:
    system = [{"role": "system", "content": prompt.system}] if prompt.system else []
    request: dict[str, Any] = {
        "messages": [*system, {"role": "user", "content": prompt.text}],
        "max_tokens": prompt.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "seed": sampling.seed,
        # llama.cpp would cut the tail of the probabilities in ways of its own.
        "top_k": 0 if sampling.temperature else 1,
        "min_p": 0.0,
        "stream": True,
        "stream_options": {"include_usage": True},
        "return_progress": True,
    }
    if prompt.schema:
        request["grammar"] = f"%llguidance {{}}\nstart: %json {json.dumps(json.loads(prompt.schema) | _COMPACT)}"
    return request


def _check(chunk: Chunk, model: Gguf) -> None:
    error = chunk.get("error")
    if not error:
        return
    if error.get("type") == "exceed_context_size_error":
        tokens = error.get("n_prompt_tokens", "too many")
        raise ContextTooLong(f"a prompt has {tokens} tokens and {model.name} has room for {model.context}; shorten it")
    raise ModelFailed(f"{model.name} refused a prompt: {error.get('message', error)}")


def _text_of(chunk: Chunk, kind: str = "content") -> str:
    return "".join(choice["delta"].get(kind) or "" for choice in chunk.get("choices", ()))


def _likely_tokens(chunk: Chunk) -> list[tuple[str, float]]:
    logprobs = [choice["logprobs"] for choice in chunk.get("choices", ()) if choice.get("logprobs")]
    likely = logprobs[0]["content"][0]["top_logprobs"] if logprobs and logprobs[0]["content"] else []
    return [(entry["token"], math.exp(entry["logprob"])) for entry in likely]
