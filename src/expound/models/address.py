"""Addresses of text models: `http://host:8000#MODEL`, with a path, a version or Azure's query as servers want them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from expound.errors import UserError

KEY_VARIABLES = ("EXPOUND_API_KEY", "OPENAI_API_KEY")
_SHOWN = 200  # characters of what a server says, in one line of a message
_CHAT = "/chat/completions"
_DEPLOYMENT = re.compile(r"/deployments/([^/]+)")
# An address is printed and written into records: what opens a door does not belong there.
_SECRET = re.compile(r"key|token|secret|password|passwd|signature|\bsig\b|auth|\bcode\b", re.IGNORECASE)
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is: `url` goes up to the version, `query` goes with every request, `model` is the one named."""

    url: str
    query: str = ""
    model: str = ""

    def at(self, path: str) -> str:
        """The address of one of the server's pages."""
        return f"{self.url}/{path}?{self.query}" if self.query else f"{self.url}/{path}"

    @property
    def is_azure(self) -> bool:
        """Whether it is spoken to as Azure is: the version stands in the query, the key in another header."""
        return any(name == "api-version" for name, _ in parse_qsl(self.query, keep_blank_values=True))

    @property
    def is_loopback(self) -> bool:
        """Whether it is on this machine."""
        return urlsplit(self.url).hostname in _LOOPBACK

    def __str__(self) -> str:
        return f"{self.url}?{self.query}" if self.query else self.url


def parse_address(text: str) -> Address:
    """The address in a text: `http://host:8000` and `http://host:8000/v1/chat/completions` are the same."""
    try:
        parts = urlsplit(text)
        # `.port` raises for a port that is none, and 0 is none.
        is_address = bool(parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port))
    except ValueError:
        is_address = False
    if not is_address:
        raise UserError(f"{short(text)} is not an address; write it as http://host:8000 or https://host/v1#MODEL")
    names = [name for name, _ in parse_qsl(parts.query, keep_blank_values=True)]
    # Here, before it is shown anywhere: an address with a key in it has been seen by every log it passes.
    if parts.username or parts.password or any(map(_SECRET.search, names)):
        raise UserError(f"an address has no name, password or key in it; the key belongs into {KEY_VARIABLES[0]}")
    deployment = _DEPLOYMENT.search(parts.path)
    # Azure names the model in the path.
    model = unquote(parts.fragment) or (unquote(deployment[1]) if deployment else "")
    # Without the fragment: it names the model and is never sent.
    return Address(urlunsplit((parts.scheme, parts.netloc, _path(parts.path), "", "")), parts.query, model)


def _path(path: str) -> str:
    """The path up to the version, which is added where none is named; Azure's deployments have none."""
    # Users paste the address of the request as well as that of the server.
    path = path.rstrip("/").removesuffix(_CHAT)
    has_version = any(re.fullmatch(r"v\d+\w*", step) for step in path.split("/")) or _DEPLOYMENT.search(path)
    return path if has_version else f"{path}/v1"


def short(text: str) -> str:
    """A text in one line, cut where it gets long."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
