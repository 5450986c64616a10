"""Replies as they come over the line: a stream of events, or one JSON object from a server that does not stream."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from expound.errors import EndpointFailed
from expound.models.connection import MayPass, message_in
from expound.models.thoughts import Pieces

if TYPE_CHECKING:
    import httpx

# No reply has so many: a count beyond it is a server's mistake, and would be paid for in the ledger.
_MOST_TOKENS = 1_000_000_000
# A token is four characters on average; a reply with four times as many is one of a server that knows no limit.
_CHARACTERS_A_TOKEN = 16
# An event with a token and the twenty likeliest others has about 4,000 bytes.
_BYTES_A_TOKEN = 8_000
# For thoughts that a server does not count, and for signs of life while it reads.
_BYTES_BESIDES = 4_000_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a server may send for a reply of so many tokens."""

    tokens: int

    @property
    def characters(self) -> int:
        """The longest text; what is longer is cut off."""
        # Sixteen more: a reply of few tokens may have long ones.
        return _CHARACTERS_A_TOKEN * (self.tokens + 16)

    @property
    def bytes(self) -> int:
        """The most that is read of it."""
        return _BYTES_BESIDES + _BYTES_A_TOKEN * self.tokens


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply, or one event of its stream; `finish` is empty until it ends."""

    text: str = ""
    usage: Mapping[str, int] = field(default_factory=dict)
    first_tokens: Mapping[str, float] = field(default_factory=dict)
    finish: str = ""
    has_thoughts: bool = False


def read_reply(response: httpx.Response, pieces: Pieces, bounds: Bounds) -> Reply:
    """The whole reply; its pieces are handed on as they come. A text that is too long is cut off."""
    import httpx

    reply = Reply()
    try:
        for event in _events(response, bounds):
            pieces.add(event.text)
            reply = Reply(
                text=pieces.text,
                usage=event.usage or reply.usage,
                first_tokens=reply.first_tokens or event.first_tokens,
                finish=reply.finish or event.finish,  # the farewell comes after the reason
                has_thoughts=reply.has_thoughts or event.has_thoughts,
            )
            if pieces.is_full:
                reply = replace(reply, finish="length")
                break
    except httpx.RequestError:
        if not reply.finish:  # else only the farewell is missing
            raise
    if not reply.finish:
        raise MayPass("the stream ended in the middle")
    pieces.finish()
    return replace(reply, text=pieces.text, has_thoughts=reply.has_thoughts or pieces.has_thoughts)


def read_whole(response: httpx.Response, bounds: Bounds) -> bytes:
    """All that a server sends, if it is not too much."""
    return b"".join(_within(response, bounds))


def _events(response: httpx.Response, bounds: Bounds) -> Iterator[Reply]:
    """What is in a stream of events, or in the one object of a server that does not stream."""
    # Asked for a stream, some servers give the whole reply at once.
    if "json" in response.headers.get("content-type", ""):
        body = read_whole(response, bounds)
        with is_well_formed():
            whole = event_in(body)
        yield replace(whole, finish=whole.finish or "stop")
        return
    for line in _lines(_within(response, bounds)):
        # Comments and event names of the protocol say nothing here.
        if line.startswith(b"data:"):
            with is_well_formed():
                event = event_in(line.removeprefix(b"data:").strip())
            yield event


def _within(response: httpx.Response, bounds: Bounds) -> Iterator[bytes]:
    """The chunks of an answer, up to its bound; a server that sends more is not asked again."""
    left = bounds.bytes
    for chunk in response.iter_bytes():
        left -= len(chunk)
        if left < 0:
            sent, server = f"{bounds.bytes / 1e6:,.1f} MB", response.url.copy_with(query=None)
            raise EndpointFailed(f"{server} sent more than {sent} for a reply of at most {bounds.tokens:,} tokens")
        yield chunk


def event_in(data: bytes) -> Reply:
    """One event of a stream, or the whole reply."""
    if data == b"[DONE]":
        # Servers that give no reason for their end still say this.
        return Reply(finish="stop")
    event = json.loads(data)
    if event.get("error"):
        raise MayPass(f"the server says: {message_in(event)}")
    counts = (event.get("usage") or {}).items()
    usage = {name: count for name, count in counts if isinstance(count, int) and 0 <= count < _MOST_TOKENS}
    # The last event of a stream counts tokens and has no choice.
    choice = (event["choices"] or [{}])[0]
    said = choice.get("delta") or choice.get("message") or {}
    return Reply(
        text=_clean(said.get("content") or ""),
        usage=usage,
        first_tokens=_first_tokens(choice.get("logprobs") or {}),
        finish=str(choice.get("finish_reason") or ""),
        # Two names for the same: which one depends on the server.
        has_thoughts=bool(said.get("reasoning_content") or said.get("reasoning")),
    )


def _clean(content: str) -> str:
    """Half a surrogate pair can be in JSON, but in no file."""
    return content.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _first_tokens(logprobs: Mapping[str, Any]) -> dict[str, float]:
    """The probabilities of what the reply could begin with."""
    positions = logprobs.get("content") or []
    # Only the first place is asked for, and only its tokens are weighed.
    return {entry["token"]: math.exp(entry["logprob"]) for entry in positions[0]["top_logprobs"]} if positions else {}


@contextmanager
def is_well_formed() -> Iterator[None]:
    """Take what cannot be read as JSON of the known shape for a failure that may pass."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, ArithmeticError, RecursionError) as error:
        raise MayPass(f"malformed JSON ({type(error).__name__})") from None


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines that end with a newline and nothing else: text may hold other characters that end lines elsewhere."""
    begun: list[bytes] = []
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        begun.append(first)
        if others:  # joined only when a line ends: a line may come a byte at a time
            yield b"".join(begun)
            yield from others[:-1]
            begun = others[-1:]
    yield b"".join(begun)
