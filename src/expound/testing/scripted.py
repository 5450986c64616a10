"""A text model that says what it was told to: for tests of everything that asks one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from expound.protocols import OnText
from expound.types import Prompt

Replies: TypeAlias = Sequence[str] | Callable[[Prompt], str]
Weigh: TypeAlias = Callable[[Prompt, Sequence[str]], Sequence[float]]


class ScriptedModel:
    """A `TextModel` without weights. `calls` has every prompt in the order it was asked.

    `replies` are given one after the other, or made by a function. The same prompt gets the same reply again. When
    nothing else weighs them, the option that the reply begins with has weight 1 and the others 0.
    """

    def __init__(
        self,
        replies: Replies = (),
        *,
        weigh: Weigh | None = None,
        name: str = "scripted",
        capability: str = "reader",
        context: int = 4096,
    ) -> None:
        self.name, self.capability, self.context = name, capability, context
        self.calls: list[Prompt] = []
        self._script, self._weigh = replies, weigh
        self._given: dict[Prompt, str] = {}

    def complete(self, prompts: Sequence[Prompt], *, on_text: OnText | None = None) -> list[str]:
        texts = [self._reply(prompt) for prompt in prompts]
        if on_text:
            for place, text in enumerate(texts):
                for piece in re.findall(r"\s*\S+|\s+$", text):
                    on_text(place, piece)
        return texts

    def weigh(self, prompts: Sequence[Prompt], options: Sequence[str]) -> list[tuple[float, ...]]:
        if self._weigh is None:
            replies = [self._reply(prompt) for prompt in prompts]
            return [tuple(float(reply.startswith(option)) for option in options) for reply in replies]
        self.calls.extend(prompts)
        return [tuple(self._weigh(prompt, options)) for prompt in prompts]

    def fits(self, prompt: Prompt) -> bool:
        """A word is a token here."""
        return len(f"{prompt.system} {prompt.text}".split()) + prompt.max_tokens <= self.context

    def _reply(self, prompt: Prompt) -> str:
        self.calls.append(prompt)
        if prompt not in self._given:
            self._given[prompt] = self._script(prompt) if callable(self._script) else self._next(prompt)
        return self._given[prompt]

    def _next(self, prompt: Prompt) -> str:
        assert not callable(self._script)
        if len(self._given) >= len(self._script):
            raise AssertionError(f"the script has {len(self._script)} replies, and one more is asked for: {prompt!r}")
        return self._script[len(self._given)]
