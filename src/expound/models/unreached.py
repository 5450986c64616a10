"""A text model whose server does not answer yet: it is looked for again with every call, until it is there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeAlias

from expound.protocols import OnText, TextModel
from expound.types import Prompt

Reach: TypeAlias = Callable[..., TextModel]
"""Opens the model, or raises `EndpointFailed` after so many `tries`; None are as many as patience has."""


class Unreached:
    """A `TextModel` that nobody knows the name of: what would need it fails as the server does.

    The first call waits for the server as for any other; the next ones find out whether it is back.
    """

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._model: TextModel | None = None
        self._tries: int | None = None
        # Calls go out side by side: one of them looks for the server.
        self._guard = threading.Lock()

    @property
    def name(self) -> str:
        """The model's, once it is known."""
        return self._model.name if self._model else "a text model that was not reached"

    @property
    def capability(self) -> str:
        """What the model can be trusted with, which its name says."""
        return self._reached().capability

    def complete(self, prompts: Sequence[Prompt], *, on_text: OnText | None = None) -> list[str]:
        """The model's replies."""
        return self._reached().complete(prompts, on_text=on_text)

    def weigh(self, prompts: Sequence[Prompt], options: Sequence[str]) -> list[tuple[float, ...]]:
        """The model's weights of the options."""
        return self._reached().weigh(prompts, options)

    def fits(self, prompt: Prompt) -> bool:
        """Whether the model has room for it."""
        return self._reached().fits(prompt)

    def _reached(self) -> TextModel:
        with self._guard:
            if self._model is None:
                tries, self._tries = self._tries, 1
                self._model = self._reach(tries=tries)
            return self._model
