"""What can be behind a text model: one call at a time, without memory; cache, retries and counting stand around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from expound.types import Prompt


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is drawn; at temperature 0 it is always the most probable one."""

    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0


GREEDY = Sampling()


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply, or the weights of the options, and what it took.

    `finish` is why it ended: `stop`, `length` (there was no room for more) or `content_filter`.
    """

    text: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    weights: tuple[float, ...] = ()
    finish: str = "stop"
    has_thoughts: bool = False
    calls: int = 1

    @property
    def is_cut(self) -> bool:
        """Whether it ended for want of room."""
        return self.finish == "length"

    @property
    def is_withheld(self) -> bool:
        """Whether the server's filter ended it."""
        return self.finish == "content_filter"

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing."""
        return not any(self.weights) if self.weights else not self.text.strip()

    @property
    def is_worth_keeping(self) -> bool:
        """Whether it may be given again: the next attempt at an empty or a withheld reply may succeed."""
        return not (self.is_empty or self.is_withheld)


class Engine(Protocol):
    """Something that writes: a local file of weights or an address."""

    name: str
    """Shown to people."""
    identity: str
    """Part of the cache key: name and sha256 of the file, or address and model."""
    capability: str
    """`reader` or `writer`."""
    context: int
    """Tokens that prompt and reply may have together."""

    def complete(
        self, prompt: Prompt, sampling: Sampling, on_text: Callable[[str], None] | None = None
    ) -> Completion: ...

    def weigh(self, prompt: Prompt, options: Sequence[str]) -> Completion:
        """The `weights` of the options, one each."""
        ...

    def count_tokens(self, text: str) -> int: ...
