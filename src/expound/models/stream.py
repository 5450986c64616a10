"""Replies as they come over the line: a stream of events, or one JSON object from a server that does not stream."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from expound.models.server import MayPass, message_in

if TYPE_CHECKING:
    import httpx

_MOST_TOKENS = 1_000_000_000

OnPiece: TypeAlias = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply, or one event of its stream."""

    text: str = ""
    usage: Mapping[str, int] = field(default_factory=dict)
    first_tokens: Mapping[str, float] = field(default_factory=dict)
    is_finished: bool = False


class Pieces:
    """Hands on what is new: a reply that is begun again repeats what was heard before."""

    def __init__(self, on_text: OnPiece | None) -> None:
        self.text, self._heard, self._on_text = "", "", on_text

    def begin(self) -> None:
        self.text = ""
        if self._on_text:
            self._on_text("")  # raises when nobody waits for the reply any more

    def add(self, piece: str) -> None:
        self.text += piece
        if self._on_text and len(self.text) > len(self._heard) and self.text.startswith(self._heard):
            self._on_text(self.text[len(self._heard) :])
            self._heard = self.text


def read_reply(response: httpx.Response, pieces: Pieces) -> Reply:
    """The whole reply; its pieces are handed on as they come."""
    import httpx

    reply = Reply()
    try:
        for event in _events(response):
            pieces.add(event.text)
            reply = Reply(
                pieces.text,
                event.usage or reply.usage,
                reply.first_tokens or event.first_tokens,
                reply.is_finished or event.is_finished,
            )
    except httpx.RequestError:
        if not reply.is_finished:  # else only the farewell is missing
            raise
    if not reply.is_finished:
        raise MayPass("the stream ended in the middle")
    return reply


def _events(response: httpx.Response) -> Iterator[Reply]:
    """What is in a stream of events, or in the one object of a server that does not stream."""
    if "json" in response.headers.get("content-type", ""):
        with well_formed():
            whole = replace(event_in(response.read()), is_finished=True)
        yield whole
        return
    for line in _lines(response.iter_bytes()):
        if line.startswith(b"data:"):
            with well_formed():
                event = event_in(line.removeprefix(b"data:").strip())
            yield event


def event_in(data: bytes) -> Reply:
    """One event of a stream, or the whole reply."""
    if data == b"[DONE]":
        return Reply(is_finished=True)
    event = json.loads(data)
    if event.get("error"):
        raise MayPass(f"the server says: {message_in(event)}")
    counts = (event.get("usage") or {}).items()
    usage = {name: count for name, count in counts if isinstance(count, int) and 0 <= count < _MOST_TOKENS}
    choice = (event["choices"] or [{}])[0]
    content = (choice.get("delta") or choice.get("message") or {}).get("content") or ""
    # Half a surrogate pair can be in JSON, but in no file.
    text = content.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return Reply(text, usage, _first_tokens(choice.get("logprobs") or {}), bool(choice.get("finish_reason")))


def _first_tokens(logprobs: Mapping[str, Any]) -> dict[str, float]:
    """The probabilities of what the reply could begin with."""
    positions = logprobs.get("content") or []
    return {entry["token"]: math.exp(entry["logprob"]) for entry in positions[0]["top_logprobs"]} if positions else {}


@contextmanager
def well_formed() -> Iterator[None]:
    """Take what cannot be read as JSON of the known shape for a failure that may pass."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, ArithmeticError, RecursionError) as error:
        raise MayPass(f"malformed JSON ({type(error).__name__})") from None


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines that end with a newline and nothing else: text may hold other characters that end lines elsewhere."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
    yield rest
