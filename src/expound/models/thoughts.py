"""Models that think before they answer: their thoughts are left out, and they get room for them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from expound.models.engine import Completion

# What small thinking models took for questions on a few sentences was between 300 and 3,000 tokens.
THOUGHT_TOKENS = 4096
_BEGIN, _END = "<think>", "</think>"

OnPiece: TypeAlias = Callable[[str], None]


def without_thoughts(text: str) -> str:
    """A reply, or as much of it as is there, without what the model thinks first.

    >>> without_thoughts("<think>Who was it?</think> Charles X."), without_thoughts("<think>Who was")
    ('Charles X.', '')
    """
    if _END in text:  # some templates write the beginning into the prompt
        return text.rpartition(_END)[2].lstrip()
    start = text.lstrip()[: len(_BEGIN)]
    # It may yet become a thought: until it is clear, nothing is shown.
    return "" if start and _BEGIN.startswith(start) else text


def has_thoughts(text: str) -> bool:
    """Whether a reply has thoughts in it."""
    return text.lstrip().startswith(_BEGIN) or _END in text


class Pieces:
    """Hands on what is new: a reply that is begun again repeats what was heard before. Thoughts are not heard."""

    def __init__(self, on_text: OnPiece | None, most_characters: int = sys.maxsize) -> None:
        self.text, self.has_thoughts = "", False
        self._raw, self._heard, self._on_text, self._most = "", "", on_text, most_characters

    def begin(self) -> None:
        self.text, self._raw, self.has_thoughts = "", "", False
        if self._on_text:
            self._on_text("")  # raises when nobody waits for the reply any more

    def add(self, piece: str) -> None:
        self._raw += piece
        self.has_thoughts = self.has_thoughts or has_thoughts(self._raw)
        self._take(without_thoughts(self._raw))

    def finish(self) -> None:
        """What looked as if it might become a thought is text."""
        if not self.has_thoughts:
            self._take(self._raw)

    @property
    def is_full(self) -> bool:
        """Whether the text is as long as it may be."""
        return len(self.text) >= self._most

    def _take(self, text: str) -> None:
        self.text = text[: self._most]
        # Only what goes on from what was heard: a reply that was begun anew and differs is told at its end.
        if self._on_text and len(self.text) > len(self._heard) and self.text.startswith(self._heard):
            self._on_text(self.text[len(self._heard) :])
            self._heard = self.text


class Room:
    """How many tokens a model needs for its thoughts: none until it is seen to think."""

    def __init__(self) -> None:
        self.tokens, self._is_known = 0, False
        self._guard = threading.Lock()

    def most(self, prompt_tokens: int, reply_tokens: int) -> tuple[int, int]:
        """The tokens, read and written, that a reply may take; a model of which nothing is known may be asked twice."""
        if self._is_known:
            return prompt_tokens, reply_tokens + self.tokens
        return 2 * prompt_tokens, 2 * reply_tokens + THOUGHT_TOKENS

    def ask(self, most_tokens: int, most_room: int, call: Callable[[int], Completion]) -> Completion:
        """The reply of at most so many tokens; asked again with room when its thoughts took the place of the answer."""
        room = min(self.tokens, most_room)
        reply = call(most_tokens + room)
        wider = min(THOUGHT_TOKENS, most_room)
        self._is_known = True
        # Cut off without an answer: thinking has used up the room.
        if not (reply.is_cut and (reply.has_thoughts or not reply.text.strip())) or wider <= room:
            return reply
        with self._guard:
            # From now on there is room from the start.
            self.tokens = THOUGHT_TOKENS
        return _both(reply, call(most_tokens + wider))


def _both(first: Completion, second: Completion) -> Completion:
    """The second reply, with what the two took."""
    return replace(
        second,
        prompt_tokens=first.prompt_tokens + second.prompt_tokens,
        completion_tokens=first.completion_tokens + second.completion_tokens,
        seconds=first.seconds + second.seconds,
        calls=first.calls + second.calls,
    )
