"""A server that speaks like an OpenAI-compatible endpoint, and misbehaves as it is told to."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

Reply = Callable[[str], str]
_LONGEST_SECONDS = 120.0  # a test that forgets to open the gate fails in the end and does not hang


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What happens to one request.

    `kind` is `stream` (a good reply in pieces), `whole` (a good reply as one object), `status` (an error of that
    number), `malformed` (broken JSON), `half` (a stream that ends in the middle), `stall` (silence after the first
    piece), `disconnect` (no answer at all), `html` (a web page), `redirect` (to the address in `text`) or `error` (an
    error inside the stream). Until the client hangs up go on: `endless` (pieces of text), `comments` (signs of life and
    nothing else), `drip` (a reply, a byte at a time), `slow_head` (the same before the reply begins) and `flood` (one
    object of any size).
    """

    kind: str = "stream"
    status: int = 200
    text: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    """Waited before the answer; with `stall`, the length of the silence."""
    finish: str = "stop"
    """Why a good reply ends."""
    thoughts: str = ""
    """What comes before a good reply, apart from it."""


STREAM = Behaviour()


@dataclass(frozen=True, slots=True)
class Request:
    """What the server was asked."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def prompt(self) -> str:
        """The text of the last message."""
        return str(self.body["messages"][-1]["content"])

    @property
    def most_tokens(self) -> int | None:
        """The limit of the reply, by either of its names."""
        return self.body.get("max_tokens") or self.body.get("max_completion_tokens")


class FakeEndpoint:
    """A local endpoint for a `with` block. `requests` has all it was asked, `answered` the prompts it answered well.

    The behaviours of the script are used up one by one by chat requests; after them every reply is good. `reply` makes
    the text from the prompt's; `logprobs` are the first tokens it offers; `models` what it lists, made by `owner`.
    A request with one of the settings that it `refuses` gets the words for it; one with less room than it `thinks`
    gets thoughts alone. It counts `prompt_tokens` for every prompt, and answers when so many requests as are to be
    `together` wait for an answer. With a `certificate` it speaks TLS.
    """

    def __init__(
        self,
        *script: Behaviour,
        reply: Reply = str.upper,
        models: Sequence[str] = ("fake-model",),
        logprobs: Mapping[str, float] | None = None,
        owner: str = "",
        refuses: Mapping[str, str] | None = None,
        thinks: int = 0,
        prompt_tokens: int = 7,
        together: int = 1,
        certificate: Path | None = None,
    ) -> None:
        self.script, self.reply, self.models, self.logprobs = list(script), reply, models, logprobs
        self.owner, self.refuses, self.thinks, self.prompt_tokens = owner, refuses or {}, thinks, prompt_tokens
        self.gate = threading.Barrier(together)
        self.requests: list[Request] = []
        self.answered: list[str] = []
        self._guard = threading.Lock()
        # Port 0: tests run beside one another, and each gets a free one.
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        # A behaviour may go on for ever: it must not keep the test from ending.
        self._server.daemon_threads = True
        self._scheme = "https" if certificate else "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(
                # In the thread of the request: a client that refuses the certificate would otherwise hold up all
                # others.
                self._server.socket,
                server_side=True,
                do_handshake_on_connect=False,
            )

    @property
    def url(self) -> str:
        """Its address, without a version."""
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}"

    @property
    def chats(self) -> list[Request]:
        """The requests for replies."""
        return [request for request in self.requests if request.method == "POST"]

    def __enter__(self) -> FakeEndpoint:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def behaviour_for(self, request: Request) -> Behaviour:
        """Write the request down; what is to happen to it."""
        with self._guard:
            self.requests.append(request)
            # Only chats use the script up: which models there are may be asked any number of times.
            return self.script.pop(0) if self.script and request.method == "POST" else STREAM


def _handler(endpoint: FakeEndpoint) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        owner = endpoint

    return Handler


class _Handler(BaseHTTPRequestHandler):
    owner: FakeEndpoint
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.owner.behaviour_for(Request("GET", self.path, dict(self.headers), {}))
        if self.path.endswith("/v1/models"):
            listed = [{"id": name, "owned_by": self.owner.owner} for name in self.owner.models]
            self._send_json({"object": "list", "data": listed})
        else:
            self._send(404, "text/html", b"<html>nothing here</html>")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        request = Request("POST", self.path, dict(self.headers), body)
        behaviour = self.owner.behaviour_for(request)
        if behaviour.kind != "stall":
            time.sleep(behaviour.seconds)
        if not urlsplit(self.path).path.endswith("/chat/completions"):
            behaviour = Behaviour("status", 404)
        refused = [words for setting, words in self.owner.refuses.items() if setting in body]
        if refused:
            behaviour = Behaviour("status", 400, text=refused[0])
        try:
            if behaviour.kind == "stream":
                # So many at once, without sleeping: a test that wants two requests in flight waits for the second,
                # however slow.
                self.owner.gate.wait(_LONGEST_SECONDS)
            getattr(self, f"_{behaviour.kind}")(request, behaviour)
        except (OSError, threading.BrokenBarrierError):
            self.close_connection = True

    def _stream(self, request: Request, behaviour: Behaviour) -> None:
        self._begin_stream()
        self._send_events(*self._events(request, behaviour))
        # Written down first: who has the farewell may look at once.
        self.owner.answered.append(request.prompt)
        self._send_line("data: [DONE]")
        self._end_stream()

    def _whole(self, request: Request, behaviour: Behaviour) -> None:
        self.owner.answered.append(request.prompt)
        message = {"role": "assistant", "content": self._text(request), "reasoning_content": behaviour.thoughts}
        choice = {"index": 0, "message": message, "finish_reason": behaviour.finish}
        choice["logprobs"] = self._logprobs(request)
        self._send_json({**self._usage(3), "choices": [choice]})

    def _status(self, request: Request, behaviour: Behaviour) -> None:
        error = {"error": {"message": behaviour.text or "as scripted"}}
        self._send_json(error, status=behaviour.status, headers=behaviour.headers)

    def _malformed(self, request: Request, behaviour: Behaviour) -> None:
        self._begin_stream()
        self._send_line('data: {"choices": [{"delta": {"content": "A')
        self._end_stream()

    def _half(self, request: Request, behaviour: Behaviour) -> None:
        self._begin_stream()
        self._send_events(*self._events(request, STREAM)[:1])
        self._end_stream()

    def _stall(self, request: Request, behaviour: Behaviour) -> None:
        self._begin_stream()
        self._send_events(*self._events(request, STREAM)[:1])
        time.sleep(behaviour.seconds)
        self.close_connection = True

    def _disconnect(self, request: Request, behaviour: Behaviour) -> None:
        self.close_connection = True

    def _html(self, request: Request, behaviour: Behaviour) -> None:
        self._send(200, "text/html; charset=utf-8", b"<!doctype html><title>Welcome</title>")

    def _redirect(self, request: Request, behaviour: Behaviour) -> None:
        status = 307 if behaviour.status == STREAM.status else behaviour.status
        self._send(status, "text/plain", b"", {"Location": behaviour.text})

    def _error(self, request: Request, behaviour: Behaviour) -> None:
        self._begin_stream()
        self._send_line("data: " + json.dumps({"error": {"message": behaviour.text or "overloaded"}}))
        self._end_stream()

    def _endless(self, request: Request, behaviour: Behaviour) -> None:
        self._begin_stream()
        while True:
            self._send_events(self._events(request, STREAM)[0])

    def _comments(self, request: Request, behaviour: Behaviour) -> None:
        self._begin_stream()
        while True:
            self._send_line(f": {behaviour.text or 'still at it'}")
            time.sleep(behaviour.seconds)

    def _drip(self, request: Request, behaviour: Behaviour) -> None:
        self._begin_stream()
        while True:
            # Always something, never enough: a limit on silence alone would wait for ever.
            self.wfile.write(b"1\r\nx\r\n")
            self.wfile.flush()
            time.sleep(0.01)

    def _slow_head(self, request: Request, behaviour: Behaviour) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while True:
            self.wfile.write(b"x")
            self.wfile.flush()
            time.sleep(0.01)

    def _flood(self, request: Request, behaviour: Behaviour) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"choices": [{"message": {"content": "')
        while True:
            self.wfile.write(b"x" * 65536)

    def _text(self, request: Request) -> str:
        return self.owner.reply(request.prompt)

    def _logprobs(self, request: Request) -> object:
        if not request.body.get("logprobs") or self.owner.logprobs is None:
            return None
        tokens = [{"token": token, "logprob": value} for token, value in self.owner.logprobs.items()]
        return {"content": [{**tokens[0], "top_logprobs": tokens}]}

    def _events(self, request: Request, behaviour: Behaviour) -> list[dict[str, Any]]:
        """The thoughts, the reply in pieces of about four characters, the end of it, and the usage."""
        thoughts = behaviour.thoughts or ("Well, " if self.owner.thinks else "")
        if self.owner.thinks and (request.most_tokens or 0) < self.owner.thinks:
            return [_event({"reasoning_content": thoughts}), _event({}, "length"), self._usage(1)]
        text, logprobs = self._text(request), self._logprobs(request)
        pieces = [text[start : start + 4] for start in range(0, len(text), 4)] or [""]
        before = [_event({"reasoning_content": thoughts})] if thoughts else []
        events = [_event({"content": piece}, logprobs=logprobs) for piece in pieces]
        return [*before, *events, _event({}, behaviour.finish), self._usage(len(pieces))]

    def _usage(self, tokens: int) -> dict[str, Any]:
        usage = {"prompt_tokens": self.owner.prompt_tokens, "completion_tokens": tokens}
        return {"choices": [], "usage": usage}

    def _begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _send_events(self, *events: Mapping[str, Any]) -> None:
        for event in events:
            self._send_line(f"data: {json.dumps(event, ensure_ascii=False)}")

    def _send_line(self, line: str) -> None:
        data = f"{line}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _end_stream(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def _send_json(self, value: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        self._send(status, "application/json", json.dumps(value).encode(), headers)

    def _send(self, status: int, kind: str, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


def _event(delta: Mapping[str, str], finish: str | None = None, *, logprobs: object = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": dict(delta), "finish_reason": finish, "logprobs": logprobs}]}
