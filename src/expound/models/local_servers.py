"""Servers of text models that run on this machine: looked for briefly, on the loopback alone, and never in silence."""

from __future__ import annotations

import http.client
import json
import os
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from expound.errors import UserError
from expound.models.address import parse_address

VARIABLE = "EXPOUND_LOCAL_SERVERS"
# Ollama's port, and that of llama.cpp's server.
USUAL = "http://127.0.0.1:11434,http://127.0.0.1:8080"
# Who is there answers within a few milliseconds, who is not refuses at once; nobody should notice the looking.
_SECONDS = 0.5
_MOST_BYTES = 200_000  # a list of hundreds of models is smaller; who listens there may send anything
# Many other programs listen at the second port: who is there has to say what it is.
_MAKERS = {"llamacpp": "llama.cpp", "library": "Ollama"}
_NOT_FOR_TEXT = re.compile(r"embed|rerank|whisper|bge-|minilm", re.IGNORECASE)
_OLLAMA_PORT = 11434  # who answers here without naming its maker is taken for Ollama
_SOCKETS = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_LISTENING = "0A"
_FIRST_PERSON = 1000
"""The least user id of a person; services have smaller ones."""


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server on this machine, who made it, and the models it has."""

    url: str
    maker: str
    models: tuple[str, ...]

    @property
    def chosen(self) -> str:
        """The address of the model to ask: the one in EXPOUND_MODEL, or the only one; empty where it is not clear."""
        wanted = os.environ.get("EXPOUND_MODEL", "")
        named = [model for model in self.models if model == wanted] if wanted else list(self.models)
        return f"{self.url}#{named[0]}" if len(named) == 1 else ""


def local_servers() -> list[LocalServer]:
    """The servers that run now and whose models can be asked; EXPOUND_LOCAL_SERVERS says where to look."""
    found: dict[str, LocalServer | None] = {}

    def look(url: str) -> None:
        found[url] = _probe_address(url)

    urls = list(_addresses())
    # In threads that may be left behind: a server can take as long as it likes over every byte.
    threads = [threading.Thread(target=look, args=(url,), daemon=True) for url in urls]
    for thread in threads:
        thread.start()
    end = time.monotonic() + _SECONDS
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    return [server for url in urls if (server := found.get(url))]


def _addresses() -> Iterator[str]:
    wanted = os.environ.get(VARIABLE, USUAL)
    # An empty value means that nothing should be looked for.
    for address in wanted.split(",") if wanted not in ("", "none") else ():
        url = address.strip().rstrip("/")
        if not parse_address(url).is_loopback:
            raise UserError(f"{VARIABLE} names {url}, which is not on this machine; name it with --model")
        yield url


def _probe_address(url: str) -> LocalServer | None:
    """The server at an address, if one of those that are known is there and is not another person's."""
    parts = urlsplit(url)
    port = parts.port or 80
    # On a shared machine anybody can listen on the loopback and read what is sent there.
    if _belongs_to_another_person(port):
        return None
    try:
        listed = json.loads(_get(str(parts.hostname), port, "/v1/models"))["data"]
        models = tuple(str(entry["id"]) for entry in listed if not _NOT_FOR_TEXT.search(str(entry["id"])))
        makers = {_MAKERS.get(str(entry.get("owned_by", "")), "") for entry in listed}
    # Whatever listens there and speaks of something else is passed over.
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    maker = next(iter(sorted(makers - {""})), "Ollama" if port == _OLLAMA_PORT else "")
    return LocalServer(url, maker, models) if maker and models else None


def _get(host: str, port: int, path: str) -> bytes:
    # Not through httpx: it may not be installed, and a proxy has no business here.
    connection = http.client.HTTPConnection(host, port, timeout=_SECONDS)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.read(_MOST_BYTES) if answer.status == http.client.OK else b""
    finally:
        connection.close()


def _belongs_to_another_person(port: int) -> bool:
    """Whether somebody else who works on this machine listens there: documents are none of their business."""
    owners = {uid for file in _SOCKETS for uid in _listeners(file, port)}
    return any(uid >= _FIRST_PERSON and uid != os.getuid() for uid in owners)


def _listeners(file: Path, port: int) -> Iterator[int]:
    """The users that listen at a port, where the system tells."""
    try:
        lines = file.read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return
    for line in lines:
        _, local, _, state, *others = line.split()
        # Ports stand there in hexadecimal.
        if state == _LISTENING and local.endswith(f":{port:04X}"):
            yield int(others[3])
