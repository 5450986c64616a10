"""A port to listen on, opened before anything is promised, and the server behind it until it is stopped."""

from __future__ import annotations

import errno
import socket
from typing import Any
from urllib.parse import urlsplit

from expound.errors import UserError

# After Ctrl-C: answers on their way in are written, a browser that merely keeps its line open is not waited for.
_LAST_WORDS_SECONDS = 5
# A lecture hall that opens the link at the same moment.
_BACKLOG = 1024


def check_base(base_url: str) -> None:
    """Refuse an address of a proxy that is not written in full."""
    if base_url and urlsplit(base_url).scheme not in ("http", "https"):
        raise UserError(f"--base-url {base_url}: write it in full, such as https://example.org/study")


def open_port(host: str, port: int) -> socket.socket:
    """A port that browsers can wait at from now on."""
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


def address_of(listening: socket.socket) -> str:
    """What a browser on this machine opens."""
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def serve_app(app: Any, listening: socket.socket) -> None:
    """Serve until Ctrl-C. The access log stays off: links hold secrets."""
    import uvicorn

    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=_LAST_WORDS_SECONDS)
    uvicorn.Server(config).run(sockets=[listening])


def _cannot_listen(error: OSError, host: str, port: int) -> UserError:
    if error.errno == errno.EADDRINUSE:
        return UserError(f"port {port} is in use: stop the other server, or give another --port")
    return UserError(f"cannot listen on {host} port {port}: {error.strerror or error}")
