"""Serving a study: a free port first, then the links, then the server until it is stopped."""

from __future__ import annotations

import errno
import socket
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from expound.errors import UserError
from expound.study.engine.opened import Study, open_study

# After Ctrl-C: answers on their way in are written, a browser that merely keeps its line open is not waited for.
_LAST_WORDS_SECONDS = 5
# A lecture hall that opens the link at the same moment.
_BACKLOG = 1024


def listen(path: Path, host: str, port: int, base_url: str = "") -> tuple[Study, socket.socket]:
    """The study and an open port for it."""
    _check_base(base_url)
    listening = _open_port(host, port)
    return _opened(path, base_url), listening


def listen_for_all(
    paths: Sequence[Path], host: str, port: int, base_url: str = ""
) -> tuple[list[Study], socket.socket, str]:
    """Several studies, each at an address of its own below the server's, the open port, and the server's address."""
    from expound.study.web.several import below

    _check_base(base_url)
    listening = _open_port(host, port)
    base = base_url.rstrip("/") or _address(listening)
    return below([_opened(path) for path in paths], base), listening, base


def _check_base(base_url: str) -> None:
    if base_url and urlsplit(base_url).scheme not in ("http", "https"):
        raise UserError(f"--base-url {base_url}: write it in full, such as https://example.org/study")


def _opened(path: Path, base_url: str = "") -> Study:
    study = open_study(path)
    if study.plan.corpus:
        from expound.corpus import library  # half a second, which `study status` does not need

        library.open_corpus(study.plan.corpus).close()  # before the links are handed out
    return replace(study, plan=replace(study.plan, base_url=base_url or study.plan.base_url))


def links(study: Study, listening: socket.socket) -> dict[str, str]:
    """The links to hand out: the admin's is secret, the raters' is for all who take part."""
    base = study.plan.base_url.rstrip("/") or _address(listening)
    return {
        "admin": f"{base}/admin/enter/{study.secret('admin_secret')}",
        "join": f"{base}/join/{study.secret('join_token')}",
        "token": study.secret("api_token"),
    }


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def serve_study(study: Study, listening: socket.socket) -> None:
    """Serve until Ctrl-C."""
    from expound.study.web.app import build_app

    _serve(build_app(study), listening)


def serve_studies(studies: Sequence[Study], listening: socket.socket, base_url: str) -> None:
    """Serve several until Ctrl-C, as `listen_for_all` has opened them."""
    from expound.study.web.several import build_several

    _serve(build_several(studies, base_url), listening)


def _serve(app: Any, listening: socket.socket) -> None:
    """The access log stays off: links hold secrets."""
    import uvicorn

    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=_LAST_WORDS_SECONDS)
    uvicorn.Server(config).run(sockets=[listening])


def _open_port(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol must be named: asyncio turns small delays off only for sockets that say they are TCP.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(_BACKLOG)  # from now on browsers wait, also while the server is still starting
    except OSError as error:
        listening.close()
        raise _cannot_listen(error, host, port) from error
    return listening


def _cannot_listen(error: OSError, host: str, port: int) -> UserError:
    if error.errno == errno.EADDRINUSE:
        return UserError(f"port {port} is in use: stop the other server, or give another --port")
    return UserError(f"cannot listen on {host} port {port}: {error.strerror or error}")
