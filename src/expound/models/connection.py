"""HTTP to one server: redirects that stay with it, certificates, the key in its header, and what an answer means."""

from __future__ import annotations

import json
import os
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from expound.errors import EndpointRefused, NotAnEndpoint, UserError
from expound.models.address import KEY_VARIABLES, Address, short

if TYPE_CHECKING:
    import httpx

# A page of a proxy that explains itself; from anything longer nobody reads the reason.
_MOST_ERROR_BYTES = 64_000
# From http to https, from the bare name to www, from one path to another; what goes on is a circle.
_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)  # those that say where to go instead
# The others turn a request with a body into one without.
_KEEPING_THE_BODY = (307, 308)


class MayPass(Exception):
    """A failure that another attempt may not have; `wait` is what the server asks for, in seconds."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class BadRequest(EndpointRefused):
    """The server does not take a request of this shape."""


class Connection:
    """The way to a server. The key is read from the environment for each request and kept nowhere."""

    def __init__(self, address: Address, *, connect_seconds: float, silent_seconds: float) -> None:
        self.address, self.url = address, address.url
        self._connect_seconds, self._silent_seconds = connect_seconds, silent_seconds

    @contextmanager
    def answer(
        self, method: str, path: str, payload: Mapping[str, Any] | None, trace: object
    ) -> Iterator[httpx.Response]:
        """The server's good answer to a request; another is an error. `trace` hears what the connection does."""
        client = self._client
        import httpx

        # ASCII: half characters, which JSON can escape and UTF-8 cannot hold, go through.
        body = None if payload is None else json.dumps(payload).encode("ascii")
        request = client.build_request(method, self.address.at(path), content=body, headers=self._headers())
        request.extensions["trace"] = trace
        try:
            with self._follow_redirects(client, request) as response:
                self._check(response)
                yield response
        except httpx.RequestError as error:
            raise self._failure(error) from None

    @contextmanager
    def _follow_redirects(self, client: httpx.Client, request: httpx.Request) -> Iterator[httpx.Response]:
        """The answer, after redirects that stay with the server: what is in the body goes nowhere else."""
        for _ in range(_MOST_REDIRECTS):
            response = client.send(request, stream=True)
            try:
                onward = self._onward(request, response)
                if onward is None:
                    yield response
                    return
            finally:
                response.close()
            request = onward
        raise NotAnEndpoint(f"{self.url} redirects without end")

    def _onward(self, request: httpx.Request, response: httpx.Response) -> httpx.Request | None:
        """The request that a redirect asks for; None where the answer is none."""
        status = response.status_code
        if status not in _REDIRECTS or "location" not in response.headers:
            return None
        import httpx

        target = request.url.join(response.headers["location"])
        # To another server the key and the documents would go along; the user has to name it.
        if _origin(target) == _origin(request.url) and (request.method == "GET" or status in _KEEPING_THE_BODY):
            onward = httpx.Request(request.method, target, headers=request.headers, content=request.content)
            onward.extensions = request.extensions
            return onward
        # A redirect's query may hold a token.
        there = short(without_key(str(target.copy_with(query=None, fragment=None))))
        told = f"{self.url} redirects to {there} ({status}), and nothing was sent there"
        raise NotAnEndpoint(f"{told}; if you trust it, name that address")

    @cached_property
    def _client(self) -> httpx.Client:
        try:
            import httpx
        except ImportError as error:
            raise UserError("addresses of text models need httpx; run: pip install 'expound[llm]'") from error
        try:
            # Said here: httpx would raise the same in the middle of a request.
            httpx.URL(self.url).host.encode("idna")
        except (httpx.InvalidURL, UnicodeError) as error:
            raise NotAnEndpoint(f"{self.url} is not an address: {error}") from None
        try:
            return httpx.Client(
                timeout=httpx.Timeout(self._silent_seconds, connect=self._connect_seconds),
                # A connection for each request: who watches over its time has to know which one it is.
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=0),
                # A server on this machine is not asked through a proxy elsewhere.
                mounts=dict.fromkeys(("http://", "https://", "all://")) if self.address.is_loopback else None,
            )
        except OSError as error:
            file = os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR")
            raise UserError(f"SSL_CERT_FILE is {file!r}, and no certificates can be read there: {error}") from None

    def _check(self, response: httpx.Response) -> None:
        """Raise what an answer other than a good one means."""
        status = response.status_code
        # 408 and 429 ask for patience, 5xx is the server's own trouble; all else would fail again.
        if status in (408, 429) or status >= 500:
            raise MayPass(f"{status} {_said(response)}".strip(), _retry_after(response.headers.get("retry-after", "")))
        if status in (401, 403):
            # The server's words are not shown: some repeat the key.
            name = _key_variable()
            fault = f"refuses the key in {name}" if name else f"wants a key; set {KEY_VARIABLES[0]}"
            raise EndpointRefused(f"{self.url} {fault} ({status})")
        # Before 404: a page with a picture is what a wrong port answers.
        if "html" in response.headers.get("content-type", ""):
            raise NotAnEndpoint(f"{self.url} answers with a web page; it is not the address of a text model")
        if status == 404:
            reason = _said(response) or "no such page"
            raise EndpointRefused(f"{response.url} cannot be found (404): {reason}; are the address and #MODEL right?")
        if status >= 300:
            raise BadRequest(f"{self.url} refuses the request ({status}): {_said(response)}")

    def _failure(self, error: httpx.RequestError) -> Exception:
        """What a failed connection means: another try helps in most cases, but not against a certificate."""
        import httpx

        reason = _tls_error(error)
        if isinstance(reason, ssl.SSLCertVerificationError):
            return EndpointRefused(
                f"the certificate of {self.url} is not trusted ({reason.verify_message}); if the server is yours, set "
                "SSL_CERT_FILE to a file with its certificate"
            )
        # The server hung up in the middle, which passes.
        if reason and not isinstance(reason, ssl.SSLEOFError | ssl.SSLZeroReturnError):
            return NotAnEndpoint(f"{self.url} does not speak TLS ({reason.reason}); is it an http:// address?")
        if isinstance(error, httpx.TimeoutException):
            return MayPass(f"no answer in time ({type(error).__name__})")
        return MayPass(str(error) or type(error).__name__)

    def _headers(self) -> dict[str, str]:
        key = _key()
        if not (key.isascii() and key.isprintable()):  # said here, because the error of the HTTP library would show it
            raise UserError(f"{_key_variable()} holds a character that cannot be in a key")
        # Unpacked, a small reply could be of any size.
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        keyed = {"api-key": key} if self.address.is_azure else {"Authorization": f"Bearer {key}"}
        return headers | (keyed if key else {})


def without_key(text: str) -> str:
    """The text, where a server repeats the key, without it."""
    key = _key()
    return text.replace(key, "…") if key else text


def message_in(event: Any) -> str:
    """The message in an error object; servers differ in how deep it lies."""
    # OpenAI nests it, vLLM does not, FastAPI calls it "detail".
    while isinstance(event, Mapping) and (inner := event.get("error") or event.get("message") or event.get("detail")):
        event = inner
    return event if isinstance(event, str) else json.dumps(event)


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def _tls_error(error: BaseException | None) -> ssl.SSLError | None:
    """The error of the encryption behind an error of the connection."""
    while error is not None and not isinstance(error, ssl.SSLError):
        error = error.__cause__ or error.__context__
    return error


def _key() -> str:
    return os.environ.get(_key_variable(), "").strip()


def _key_variable() -> str:
    return next((name for name in KEY_VARIABLES if os.environ.get(name, "").strip()), "")


def _said(response: httpx.Response) -> str:
    """The server's reason in one short line, without the key."""
    body = b""
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > _MOST_ERROR_BYTES:
            break
    # A page is for a browser; its status says all that helps.
    if "html" in response.headers.get("content-type", ""):
        return ""
    try:
        return short(without_key(message_in(json.loads(body))))
    except (ValueError, RecursionError):
        return short(without_key(body.decode("utf-8", "replace")))


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
