"""Fetch one page or file that the user names: once, to a bound, from the named host and from nobody else.

Nothing of it is run, and nothing that it names is loaded: pictures, scripts and frames stay where they are.
"""

from __future__ import annotations

import http.client
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from time import monotonic
from urllib.parse import SplitResult, quote, urljoin, urlsplit, urlunsplit

from expound.corpus.content_types import suffix_for, without_charset
from expound.corpus.pinned import connect, look_up
from expound.errors import AddressRefused, FetchFailed
from expound.version import __version__

MOST_BYTES = 50_000_000
"""Of one page or file: books with their pictures have less, and what has more is better saved by hand."""
MOST_SECONDS = 300.0
"""For all of it: 50 MB over a slow line. A server that drips for ever is hung up on."""

Progress = Callable[[str, int, int], None]
"""Called with the address, the bytes that are there, and those that are to come; 0 if the server does not say."""

_ADDRESS = re.compile(r"https?:/", re.IGNORECASE)
_LONGEST = 2000  # characters: an address is shown with every citation, and browsers take no longer ones
_BLOCK = 1 << 16
# From one path to another, from http to https; what goes on is a circle.
_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)  # those that say where to go instead
_PORTS = {"http": 80, "https": 443}
# What an address may have beside letters and digits; a percent sign is there because something is quoted already.
_SAFE = "/%:;=@!$&'()*+,~?-._"


@dataclass(frozen=True, slots=True)
class Fetched:
    """What an address gave: its bytes, and the suffix of a file that holds such."""

    address: str
    data: bytes
    suffix: str


def is_address(text: str) -> bool:
    """Whether a text names a page rather than a path."""
    return _ADDRESS.match(text) is not None


def host_of(address: str) -> str:
    """The host of an address."""
    return _parse(address).hostname or ""


def fetch_address(address: str, *, private: bool = False, report: Progress | None = None) -> Fetched:
    """What stands at an address now. `private` also allows this machine and its own network."""
    asked = _parse(address)
    shown, target = urlunsplit(asked), asked
    numeric = look_up(asked.hostname or "", _port(asked), private=private)
    until = monotonic() + MOST_SECONDS
    for _ in range(_MOST_REDIRECTS):
        # Of all requests together: each redirect would begin the bound anew.
        with _answer(target, numeric, until - monotonic()) as response:
            if response.status not in _REDIRECTS:
                return _take(shown, target, response, report)
            target = _onward(target, response)
    raise AddressRefused(f"{shown} redirects without end")


def _parse(address: str) -> SplitResult:
    """The address as it is asked for: without a fragment, every odd character quoted."""
    try:
        parts = urlsplit(address)
        is_one = bool(parts.scheme in _PORTS and parts.hostname and (parts.port is None or parts.port))
        host = (parts.hostname or "").encode("idna").decode() if ":" not in (parts.hostname or "") else parts.hostname
    except (ValueError, UnicodeError):
        is_one, host = False, ""
    if not is_one or not host or len(address) > _LONGEST or not address.isprintable():
        raise AddressRefused(f"{address[:80]!r} is not an address; write it as https://host/page")
    # It is recorded and shown with every citation: what opens a door does not belong there.
    if parts.username or parts.password:
        raise AddressRefused("an address has no name or password in it: it is shown with every citation")
    place = f"[{host}]" if ":" in host else host
    netloc = f"{place}:{parts.port}" if parts.port not in (None, _PORTS[parts.scheme]) else place
    return SplitResult(parts.scheme, netloc, quote(parts.path or "/", _SAFE), quote(parts.query, _SAFE), "")


def _port(parts: SplitResult) -> int:
    return parts.port or _PORTS[parts.scheme]


@contextmanager
def _answer(target: SplitResult, numeric: list[str], seconds: float) -> Iterator[http.client.HTTPResponse]:
    """The server's answer to one request that says nothing of the user: no cookie, no key, no page that led here."""
    if seconds <= 0:
        raise FetchFailed(f"{urlunsplit(target)} took more than {MOST_SECONDS:.0f} seconds; try again")
    connection = connect(target.scheme, target.hostname or "", _port(target), numeric)
    headers = {
        "User-Agent": f"expound/{__version__}",
        "Accept": "text/html, application/pdf, text/*, */*;q=0.5",
        # Unpacked, a small answer could be of any size.
        "Accept-Encoding": "identity",
        "Connection": "close",
    }
    try:
        with _hung_up_after(connection.sock, seconds):
            connection.request("GET", urlunsplit(("", "", *target[2:])), headers=headers)
            yield connection.getresponse()
    except (OSError, http.client.HTTPException) as error:
        reason = str(error) or type(error).__name__
        raise FetchFailed(f"{urlunsplit(target)} broke off ({reason}); try again") from None
    finally:
        connection.close()


@contextmanager
def _hung_up_after(connection: socket.socket, seconds: float) -> Iterator[None]:
    """A bound on the whole: a timeout of the socket begins anew with every byte that drips in."""
    has_rung = threading.Event()

    def hang_up() -> None:
        has_rung.set()
        with suppress(OSError):
            # The socket's own method: that of an encrypted one would take the key from under the reader's hands.
            socket.socket.shutdown(connection, socket.SHUT_RDWR)

    timer = threading.Timer(seconds, hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield
        # To `http.client` a connection that ends is the end of the headers, or of the page.
        if has_rung.is_set():
            raise TimeoutError(f"it took more than {MOST_SECONDS:.0f} seconds")
    finally:
        timer.cancel()


def _onward(target: SplitResult, response: http.client.HTTPResponse) -> SplitResult:
    """Where a redirect leads: to the same host or nowhere, and never from https to http."""
    there = urljoin(urlunsplit(target), response.headers.get("location", ""))
    onward = _parse(there)
    # Only the host that the user named was looked at; a port of it other than the usual one is another server.
    is_same = onward.hostname == target.hostname and (onward.port == target.port or onward.port is None)
    if is_same and (onward.scheme == target.scheme or onward.scheme == "https"):
        return onward
    # A redirect's query may hold a token.
    shown = urlunsplit(onward._replace(query=""))
    raise AddressRefused(f"{urlunsplit(target)} redirects to {shown}; if you want that page, name its address")


def _take(shown: str, target: SplitResult, response: http.client.HTTPResponse, report: Progress | None) -> Fetched:
    if response.status != http.client.OK:
        reason = " ".join(response.reason.split())[:80]
        raise AddressRefused(f"{shown}: the server answers {response.status} {reason}; check the address in a browser")
    if response.headers.get("content-encoding", "identity") != "identity":
        raise AddressRefused(f"{shown}: the server sends it compressed; save the page and add the file")
    data = _read(shown, response, report)
    kind = response.headers.get("content-type", "")
    return Fetched(shown, without_charset(data, kind), suffix_for(shown, target.path, kind, data))


def _read(shown: str, response: http.client.HTTPResponse, report: Progress | None) -> bytes:
    """All bytes of an answer; too many are refused by what the server says, or else when they are there."""
    too_large = AddressRefused(f"{shown}: larger than {MOST_BYTES // 1_000_000} MB; save it and add the file")
    expected = response.length or 0
    if expected > MOST_BYTES:
        raise too_large
    data = bytearray()
    # `read1` returns what is there: the bound on the whole is kept between blocks.
    while block := response.read1(_BLOCK):
        data += block
        if len(data) > MOST_BYTES:
            raise too_large
        if report:
            report(shown, len(data), expected)
    # A connection that ends early is no error to `read1`.
    if response.length:
        raise FetchFailed(f"{shown} broke off after {len(data):,} of {expected:,} bytes; try again")
    return bytes(data)
