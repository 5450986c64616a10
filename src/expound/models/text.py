"""Text models: an engine behind a cache, a ledger and, for addresses, several calls at once."""

from __future__ import annotations

import copy
import os
import threading
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from typing import Any, TypeAlias

from expound import resources
from expound.files import user_path
from expound.models.account import Account
from expound.models.cache import ReplyCache, reply_key
from expound.models.engine import GREEDY, Completion, Engine, Sampling
from expound.models.ledger import Forecast, Ledger, Prices, forecast_calls, forecast_tokens
from expound.models.local_servers import local_servers
from expound.models.remarks import Say, to_stderr
from expound.models.side_by_side import Listener, work_through
from expound.protocols import OnText, TextModel
from expound.types import Prompt

CAPABILITIES = ("reader", "writer")

Ask: TypeAlias = Callable[[Prompt, Callable[[str], None]], Completion]


class CachedModel:
    """A `TextModel`: asks its engine only what the cache does not have, and keeps each reply before it is used."""

    def __init__(
        self,
        engine: Engine,
        *,
        sampling: Sampling = GREEDY,
        jobs: int = 1,
        cache: ReplyCache | None = None,
        ledger: Ledger | None = None,
        capability: str = "",
    ) -> None:
        self.engine, self.sampling, self.jobs = engine, sampling, max(1, jobs)
        self.name, self.capability = engine.name, capability or engine.capability
        self.cache = cache or ReplyCache()
        self.ledger = ledger or Ledger()
        # Counts calls of all callers together: two steps of one question
        # must not double what the server is asked at once.
        self._free = threading.Semaphore(self.jobs)

    def complete(self, prompts: Sequence[Prompt], *, on_text: OnText | None = None) -> list[str]:
        """The replies. Pieces come as they are written, one at a time; a reply from the cache is one piece."""

        def ask(prompt: Prompt, on_piece: Callable[[str], None]) -> Completion:
            return self.engine.complete(prompt, self.sampling, on_piece)

        keys = [reply_key(self.engine.identity, prompt, self.sampling) for prompt in prompts]
        return [reply.text for reply in self._replies("complete", keys, prompts, ask, on_text=on_text)]

    def weigh(self, prompts: Sequence[Prompt], options: Sequence[str]) -> list[tuple[float, ...]]:
        """The weights of the options as the beginning of each reply; they do not depend on the sampling."""

        def ask(prompt: Prompt, _on_piece: Callable[[str], None]) -> Completion:
            return self.engine.weigh(prompt, options)

        identity = self.engine.identity
        # Weights are those of the model itself, whatever the replies are drawn by.
        keys = [reply_key(identity, prompt, GREEDY, kind="weigh", options=options) for prompt in prompts]
        return [reply.weights for reply in self._replies("weigh", keys, prompts, ask, on_text=None)]

    def fits(self, prompt: Prompt) -> bool:
        """Whether prompt and reply have room in the engine's context."""
        return self._prompt_tokens(prompt) + prompt.max_tokens <= self.engine.context

    def forecast_calls(self, calls: int) -> Forecast:
        """What so many calls take if they are like this model's latest."""
        pace = self.cache.pace(self.engine.identity)
        return forecast_calls(calls, pace=pace, prices=self.ledger.prices, jobs=self.jobs)

    def forecast(self, prompts: Sequence[Prompt]) -> Forecast:
        """What these prompts take at most: each reply fills its room, and one that is kept takes nothing."""
        keys = {reply_key(self.engine.identity, prompt, self.sampling): prompt for prompt in prompts}
        asked = [prompt for key, prompt in keys.items() if self._find_kept(key) is None]
        tokens = sum(map(self._prompt_tokens, asked)), sum(prompt.max_tokens for prompt in asked)
        pace = self.cache.pace(self.engine.identity)
        return forecast_tokens(
            *tokens,
            calls=len(asked),
            from_cache=len(prompts) - len(asked),
            pace=pace,
            prices=self.ledger.prices,
            jobs=self.jobs,
        )

    def drawn_by(self, sampling: Sampling) -> CachedModel:
        """The same model, cache and accounts, with words drawn otherwise: its weights are loaded once for all."""
        drawn = copy.copy(self)
        drawn.sampling = sampling
        return drawn

    def _prompt_tokens(self, prompt: Prompt) -> int:
        return self.engine.count_tokens(f"{prompt.system}\n{prompt.text}" if prompt.system else prompt.text)

    def _replies(
        self, kind: str, keys: Sequence[str], prompts: Sequence[Prompt], ask: Ask, on_text: OnText | None
    ) -> list[Completion]:
        """One reply a key; equal keys are asked once."""
        # The same question twice in a batch is paid for once.
        places: dict[str, list[int]] = {}
        for place, key in enumerate(keys):
            places.setdefault(key, []).append(place)
        replies: dict[str, Completion] = {}
        listener = Listener(on_text)

        def work(key: str) -> None:
            at = places[key]
            replies[key] = self._reply(kind, key, prompts[at[0]], ask=ask, listener=listener, places=at)
            for _ in at[1:]:
                # The others of the same key cost nothing.
                self.ledger.found()

        try:
            work_through(work, list(places), self.jobs)
        except BaseException:
            # Replies that are being written elsewhere end with the next piece.
            listener.stop()
            raise
        return [replies[key] for key in keys]

    def _reply(
        self, kind: str, key: str, prompt: Prompt, ask: Ask, listener: Listener, places: Sequence[int]
    ) -> Completion:
        found = self._find_kept(key)
        if found is None:
            with self.cache.claimed(key):
                found = self._find_kept(key)  # another thread or process may just have asked
                if found is None:
                    call = partial(ask, prompt, lambda text: listener.hear(places, text))
                    return self._ask(kind, key, call, self._most_cost(kind, prompt))
        self.ledger.found()
        listener.hear(places, found.text)
        return found

    def _find_kept(self, key: str) -> Completion | None:
        """The reply that is kept, unless it says nothing: such were kept once."""
        found = self.cache.get(key)
        return found if found and found.is_worth_keeping else None

    def _ask(self, kind: str, key: str, call: Callable[[], Completion], most_cost: float) -> Completion:
        with self._free, self.ledger.held(most_cost):
            reply = call()
            # An empty or filtered reply may come out otherwise the next time.
            if reply.is_worth_keeping:
                self.cache.put(key, reply, kind=kind, engine=self.engine.identity)
            # After keeping: what was paid for is on disk before it is counted.
            self.ledger.asked(reply)
        return reply

    def _most_cost(self, kind: str, prompt: Prompt) -> float:
        """What a call may cost at most; nobody needs to know where there is no limit."""
        if not self.ledger.has_limit:
            return 0.0
        # A model without probabilities is asked once more, to choose in words.
        room, times = getattr(self.engine, "room", None), 2 if kind == "weigh" else 1
        tokens = self._prompt_tokens(prompt) * times, prompt.max_tokens * times
        return self.ledger.prices.cost(*(room.most(*tokens) if room else tokens))


def open_text_model(
    name: str,
    *,
    threads: int = 0,
    sampling: Sampling = GREEDY,
    jobs: int = 4,
    account: Account | None = None,
    tries: int | None = None,
    say: Say | None = None,
) -> TextModel:
    """The model behind a name of the table, a GGUF file, a folder of safetensors or an http(s) address.

    `reader:` or `writer:` before it says what the model is trusted with. `jobs` calls run at once when it is an
    address, `threads` threads when it is local; `account` hears what is spent, `say` gets remarks. `tries` is how often
    a server is asked for the name of its only model.
    """
    capability, name = split_capability(name)
    settings: dict[str, Any] = {"sampling": sampling, "capability": capability, "cache": ReplyCache(say=say)}
    if not is_address(name):
        return CachedModel(_open_local(name, threads), ledger=Ledger(account=account), **settings)
    from expound.models.endpoint import open_endpoint

    engine = open_endpoint(name, tries=tries, say=say)
    if not capability and engine.capability == "reader":
        (say or to_stderr)(f"{engine.model} is small and only reads; writer:{name} lets it write")
    return CachedModel(engine, jobs=jobs, ledger=Ledger(Prices.from_environment(), account), **settings)


def split_capability(name: str) -> tuple[str, str]:
    """What a name declares its model to be, and the name itself.

    >>> split_capability("reader:http://host#m"), split_capability("weights.gguf")
    (('reader', 'http://host#m'), ('', 'weights.gguf'))
    """
    capability, colon, rest = name.partition(":")
    return (capability, rest) if colon and capability in CAPABILITIES else ("", name)


def is_address(name: str) -> bool:
    """Whether a name is a server's."""
    return name.startswith(("http://", "https://"))


def choose_model(name: str = "auto", *, say: Say | None = None, **options: Any) -> TextModel | None:
    """The model that `auto`, `none`, a name or an address stands for; None when there is none.

    `auto` takes the address in EXPOUND_ENDPOINT, else the largest text model of the table that is installed, else the
    model of a server that runs on this machine, and says so. The options are those of `open_text_model`.
    """
    if name == "auto":
        name = os.environ.get("EXPOUND_ENDPOINT", "") or next(iter(_list_installed()), "") or _running() or "none"
    return None if name == "none" else open_text_model(name, say=say, **options)


def _running() -> str:
    """The address of a model that a server on this machine has. Nothing goes there without a line that says so."""
    for server in local_servers():
        there = f"{server.maker}, which runs on this machine ({server.url})"
        if not find_spec("httpx"):
            to_stderr(f"not asking {there}: that needs httpx; run: pip install 'expound[llm]'")
        elif server.chosen:
            # Not by `say`: this line is said even to who wants to hear nothing.
            to_stderr(f"asking {server.chosen.partition('#')[2]} of {there}; --model none asks no model")
            return server.chosen
        else:
            to_stderr(f"not asking {there}: name one of its models, as in --model {server.url}#{server.models[0]}")
    return ""


def _open_local(name: str, threads: int) -> Engine:
    if user_path(name).is_dir():
        from expound.models.transformers_text import open_transformers

        return open_transformers(name, threads=threads)
    from expound.models.gguf import open_gguf

    return open_gguf(name, threads=threads)


def _list_installed() -> list[str]:
    """The table's text models that are on this machine, largest first."""
    models = [resource for resource in resources.RESOURCES.values() if resource.capability in ("reader", "writer")]
    largest_first = sorted(models, key=lambda resource: -resource.size_bytes)
    return [resource.name for resource in largest_first if resources.is_installed(resource.name)]
