"""Serving a study: a free port first, then the links, then the server until it is stopped."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from expound.pages.listening import address_of, check_base, open_port, serve_app
from expound.study.engine.opened import Study, open_study

if TYPE_CHECKING:
    from expound.study.web.several import MountedStudies


def listen(path: Path, host: str, port: int, base_url: str = "") -> tuple[Study, socket.socket]:
    """The study and an open port for it."""
    check_base(base_url)
    listening = open_port(host, port)
    return _open_study(path, base_url), listening


def listen_for_all(
    paths: Sequence[Path], host: str, port: int, base_url: str = ""
) -> tuple[list[Study], socket.socket, str]:
    """Several studies, each at an address of its own below the server's, the open port, and the server's address."""
    from expound.study.web.several import below

    check_base(base_url)
    listening = open_port(host, port)
    base = base_url.rstrip("/") or address_of(listening)
    return below([_open_study(path) for path in paths], base), listening, base


def _open_study(path: Path, base_url: str = "") -> Study:
    study = open_study(path)
    if study.plan.corpus:
        from expound.corpus import library  # half a second, which `study status` does not need

        library.open_corpus(study.plan.corpus).close()  # before the links are handed out
    return replace(study, plan=replace(study.plan, base_url=base_url or study.plan.base_url))


def mount_studies(paths: Sequence[Path], address: str, path: str = "/studies") -> MountedStudies:
    """Studies below a path of another server, whose address this is."""
    from expound.study.web.several import MountedStudies, below

    base = f"{address.rstrip('/')}{path}"
    return MountedStudies(below([_open_study(plan) for plan in paths], base), base, path)


def links(study: Study, listening: socket.socket) -> dict[str, str]:
    """The links to hand out: the admin's is secret, the raters' is for all who take part."""
    base = study.plan.base_url.rstrip("/") or address_of(listening)
    return {
        "admin": f"{base}/admin/enter/{study.secret('admin_secret')}",
        "join": f"{base}/join/{study.secret('join_token')}",
        "token": study.secret("api_token"),
    }


def serve_study(study: Study, listening: socket.socket) -> None:
    """Serve until Ctrl-C."""
    from expound.study.web.app import build_app

    serve_app(build_app(study), listening)


def serve_studies(studies: Sequence[Study], listening: socket.socket, base_url: str) -> None:
    """Serve several until Ctrl-C, as `listen_for_all` has opened them."""
    from expound.study.web.several import build_several

    serve_app(build_several(studies, base_url), listening)
