"""Serving a study: a free port first, then the links, then the server until it is stopped."""

from __future__ import annotations

import errno
import socket
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from expound.errors import UserError
from expound.study.engine.opened import Study, open_study

# After Ctrl-C: answers on their way in are written, a browser that merely keeps its line open is not waited for.
_LAST_WORDS_SECONDS = 5
# A lecture hall that opens the link at the same moment.
_BACKLOG = 1024


def listen(path: Path, host: str, port: int, base_url: str = "") -> tuple[Study, socket.socket]:
    """The study and an open port for it."""
    if base_url and urlsplit(base_url).scheme not in ("http", "https"):
        raise UserError(f"--base-url {base_url}: write it in full, such as https://example.org/study")
    listening = _open_port(host, port)
    study = open_study(path)
    if study.plan.corpus:
        from expound.corpus import library  # half a second, which `study status` does not need

        library.open_corpus(study.plan.corpus).close()  # before the links are handed out
    plan = replace(study.plan, base_url=base_url or study.plan.base_url)
    return replace(study, plan=plan), listening


def links(study: Study, listening: socket.socket) -> dict[str, str]:
    """The links to hand out: the admin's is secret, the raters' is for all who take part."""
    host, port = listening.getsockname()[:2]
    base = study.plan.base_url.rstrip("/") or f"http://{f'[{host}]' if ':' in host else host}:{port}"
    return {
        "admin": f"{base}/admin/enter/{study.secret('admin_secret')}",
        "join": f"{base}/join/{study.secret('join_token')}",
    }


def serve_study(study: Study, listening: socket.socket) -> None:
    """Serve until Ctrl-C. The access log stays off: links hold secrets."""
    import uvicorn

    from expound.study.web.app import build_app

    config = uvicorn.Config(
        build_app(study), log_level="warning", access_log=False, timeout_graceful_shutdown=_LAST_WORDS_SECONDS
    )
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
