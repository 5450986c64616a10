"""A server over HTTP: asked again after failures that may pass, one clear line for others, and the key kept safe."""

from __future__ import annotations

import json
import os
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

from expound.errors import EndpointFailed, EndpointRefused, NotAnEndpoint, UserError

if TYPE_CHECKING:
    import httpx

KEY_VARIABLES = ("EXPOUND_API_KEY", "OPENAI_API_KEY")
LONGEST_WAIT_SECONDS = 120.0
_MOST_ERROR_BYTES = 64_000
_SHOWN = 200

Result = TypeVar("Result")


class MayPass(Exception):
    """A failure that another attempt may not have; `wait` is what the server asks for, in seconds."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class BadRequest(EndpointRefused):
    """The server does not take a request of this shape."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a server, and how often to ask it again."""

    tries: int = 6
    connect_seconds: float = 10.0
    silent_seconds: float = 300.0
    """Between two pieces: a server without a graphics card reads a long prompt for minutes before it writes."""
    first_wait_seconds: float = 0.5

    def wait(self, attempt: int, asked_for: float | None) -> float:
        """Twice as long every time, not in step with others; what the server asks for, if it says so."""
        if asked_for is not None:
            return asked_for
        doubled: float = self.first_wait_seconds * 2**attempt
        return min(LONGEST_WAIT_SECONDS, doubled) * random.uniform(0.5, 1.0)


PATIENT = Patience()


class Server:
    """Where requests go. The key is read from the environment for each of them and kept nowhere."""

    def __init__(self, address: str, patience: Patience = PATIENT) -> None:
        self.url, self.patience = base_url(address), patience

    def patiently(self, attempt: Callable[[], Result]) -> Result:
        """What the attempt gives, tried again after failures that may pass."""
        reason = ""
        for number in range(self.patience.tries):
            try:
                return attempt()
            except MayPass as failure:
                reason = short(without_key(str(failure)))
                if (failure.wait or 0) > LONGEST_WAIT_SECONDS:
                    raise EndpointFailed(
                        f"{self.url} wants to be left alone for {failure.wait:.0f} s: {reason}"
                    ) from None
                if number + 1 < self.patience.tries:
                    time.sleep(self.patience.wait(number, failure.wait))
        raise EndpointFailed(f"{self.url} failed {self.patience.tries} times, at last with: {reason}")

    @contextmanager
    def answer(self, method: str, path: str, payload: Mapping[str, Any] | None = None) -> Iterator[httpx.Response]:
        """The server's answer to a request; a failure is an `ExpoundError`, or `MayPass`."""
        client = self._client
        import httpx

        body = None if payload is None else json.dumps(payload).encode("ascii")
        try:
            with client.stream(method, f"{self.url}/{path}", content=body, headers=_headers()) as response:
                self._check(response)
                yield response
        except httpx.TooManyRedirects:
            raise NotAnEndpoint(f"{self.url} redirects without end") from None
        except httpx.TimeoutException as error:
            raise MayPass(f"no answer in time ({type(error).__name__})") from None
        except httpx.RequestError as error:
            raise MayPass(str(error) or type(error).__name__) from None

    @cached_property
    def _client(self) -> httpx.Client:
        try:
            import httpx
        except ImportError as error:
            raise UserError("addresses of text models need httpx; run: pip install 'expound[llm]'") from error
        try:
            httpx.URL(self.url).host.encode("idna")
        except (httpx.InvalidURL, UnicodeError) as error:
            raise NotAnEndpoint(f"{self.url} is not an address: {error}") from None
        seconds = self.patience.silent_seconds
        # Redirects are followed; httpx leaves the key out of requests to any other host or port.
        return httpx.Client(
            timeout=httpx.Timeout(seconds, connect=self.patience.connect_seconds),
            limits=httpx.Limits(max_connections=None),
            follow_redirects=True,
        )

    def _check(self, response: httpx.Response) -> None:
        """Raise what an answer other than a good one means."""
        status = response.status_code
        if status in (408, 429) or status >= 500:
            raise MayPass(f"{status} {_said(response)}".strip(), _retry_after(response.headers.get("retry-after", "")))
        if status in (401, 403):
            # The server's words are not shown: some repeat the key.
            name = _key_variable()
            fault = f"refuses the key in {name}" if name else f"wants a key; set {KEY_VARIABLES[0]}"
            raise EndpointRefused(f"{self.url} {fault} ({status})")
        if "html" in response.headers.get("content-type", ""):
            raise NotAnEndpoint(f"{self.url} answers with a web page; it is not the address of a text model")
        if status == 404:
            reason = _said(response) or "no such page"
            raise EndpointRefused(f"{response.url} cannot be found (404): {reason}; are the address and #MODEL right?")
        if status >= 300:
            raise BadRequest(f"{self.url} refuses the request ({status}): {_said(response)}")


def base_url(address: str) -> str:
    """The address up to its version: `http://host:8000` and `http://host:8000/v1/chat/completions` are the same."""
    try:
        parts = urlsplit(address)
        is_address = bool(parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port))
    except ValueError:
        is_address = False
    if is_address and (parts.username or parts.password or parts.query):
        raise UserError(f"an address has no name, password or query in it; the key belongs into {KEY_VARIABLES[0]}")
    if not is_address:
        raise UserError(f"{short(address)} is not an address; write it as http://host:8000 or https://host/v1#MODEL")
    path = parts.path.rstrip("/").removesuffix("/chat/completions")
    has_version = any(re.fullmatch(r"v\d+\w*", step) for step in path.split("/"))
    return urlunsplit((parts.scheme, parts.netloc, path if has_version else f"{path}/v1", "", ""))


def _headers() -> dict[str, str]:
    key = _key()
    if not (key.isascii() and key.isprintable()):  # said here, because the error of the HTTP library would show it
        raise UserError(f"{_key_variable()} holds a character that cannot be in a key")
    return {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})


def _key() -> str:
    return os.environ.get(_key_variable(), "").strip()


def _key_variable() -> str:
    return next((name for name in KEY_VARIABLES if os.environ.get(name, "").strip()), "")


def without_key(text: str) -> str:
    """The text, where a server repeats the key, without it."""
    key = _key()
    return text.replace(key, "…") if key else text


def _said(response: httpx.Response) -> str:
    """The server's reason in one short line, without the key."""
    body = b""
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > _MOST_ERROR_BYTES:
            break
    if "html" in response.headers.get("content-type", ""):
        return ""
    try:
        return short(without_key(message_in(json.loads(body))))
    except (ValueError, RecursionError):
        return short(without_key(body.decode("utf-8", "replace")))


def message_in(event: Any) -> str:
    """The message in an error object; servers differ in how deep it lies."""
    while isinstance(event, Mapping) and (inner := event.get("error") or event.get("message") or event.get("detail")):
        event = inner
    return event if isinstance(event, str) else json.dumps(event)


def short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"


def _retry_after(value: str) -> float | None:
    """Seconds, given as such or as a date."""
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return None
