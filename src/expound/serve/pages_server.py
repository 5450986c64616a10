"""Serving the pages: who may be let in is checked first, then the port, then the address, then until Ctrl-C."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from expound.corpus.library import open_corpus, open_embedder
from expound.errors import UserError
from expound.models.address import parse_address
from expound.models.text import is_address, open_text_model, split_capability
from expound.pages.listening import address_of, check_base, open_port, serve_app
from expound.records import readable
from expound.serve.desk import Desk, open_desk
from expound.serve.mounted import Mounted
from expound.serve.serve_settings import ServeSettings, need_serve_packages

# Shorter ones are found by trying, at the pace that is allowed, within years and not within ages.
_SHORTEST_PASSWORD = 8
_LONGEST_PASSWORD = 1000  # as long as the box on the page takes


def check_openness(host: str, *, is_public: bool, password: str, private: bool = False) -> None:
    """Refuse an address that others can reach, unless it is meant so and there is a password."""
    if is_public and private:
        raise UserError(
            "--private lets visitors read what only this machine and its network can see: it does not go with --public"
        )
    if is_public and len(password) < _SHORTEST_PASSWORD:
        raise UserError(
            f"--public needs a password of at least {_SHORTEST_PASSWORD} characters: --password-file FILE, or the "
            "environment's EXPOUND_PASSWORD"
        )
    if not is_public and not _is_here(host):
        raise UserError(
            f"--host {host} can be reached from other machines: whoever has the password could read every corpus that "
            "is offered; if that is meant, give --public and a password"
        )


def check_runs(folder: Path) -> Path:
    """Refuse what is no folder; runs may come into an empty one while the server runs."""
    if not folder.is_dir():
        raise UserError(f"{folder} is no folder; --runs names one that runs are written into")
    return folder


def read_password(file: Path) -> str:
    """The password in a file, whose line end is no part of it."""
    with readable(file) as lines:
        # One line and no more: a file that was named by mistake may be of any size.
        return lines.readline(_LONGEST_PASSWORD).decode("utf-8", "replace").strip()


def open_server(settings: ServeSettings, host: str, port: int) -> tuple[Desk, socket.socket]:
    """What is shared by the pages, and an open port for them."""
    need_serve_packages()
    check_base(settings.base_url)
    _check_model(settings.model)
    if settings.embedder:
        open_embedder(settings.embedder)
    # The port before the corpora: one that is taken must be told at once, not after minutes of reading.
    listening = open_port(host, port)
    # Paths are taken in before anybody asks, and go by their names from here on.
    return open_desk(replace(settings, corpora=tuple(_name_corpus(spec) for spec in settings.corpora))), listening


def address(desk: Desk, listening: socket.socket) -> str:
    """Where the pages stand, for whoever may see them."""
    return desk.settings.base_url.rstrip("/") or address_of(listening)


def entrance(desk: Desk, listening: socket.socket) -> str:
    """The address to open; it holds the token, and lets in whoever has it."""
    return f"{address(desk, listening)}/enter/{desk.token}"


def serve(desk: Desk, listening: socket.socket, mounted: Sequence[Mounted] = ()) -> None:
    """Serve the pages, and what others bring, until Ctrl-C."""
    from expound.serve.front import build_front

    serve_app(build_front(desk, mounted), listening)


def _check_model(name: str) -> None:
    """Refuse a text model that is not there before anybody asks it; a server may begin to answer later."""
    place = split_capability(name)[1]
    if is_address(place):
        parse_address(place)
    elif name not in ("auto", "none"):
        open_text_model(name)


def _name_corpus(spec: str) -> str:
    corpus = open_corpus(spec)
    corpus.close()
    return corpus.name


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    # A name may mean any machine, also one that means this one today: only `localhost` is believed.
    except ValueError:
        return False
