"""The web pages: ask, and what stands beside it; one process on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from expound.lazy import give

if TYPE_CHECKING:
    from expound.serve.desk import Desk, open_desk
    from expound.serve.front import build_front
    from expound.serve.pages_server import (
        address,
        check_openness,
        check_runs,
        entrance,
        open_server,
        read_password,
        serve,
    )
    from expound.serve.serve_settings import Limits, ServeSettings
else:
    __getattr__, __dir__ = give(
        __name__,
        {
            "desk": "Desk open_desk",
            "front": "build_front",
            "pages_server": "address check_openness check_runs entrance open_server read_password serve",
            "serve_settings": "Limits ServeSettings",
        },
    )

__all__ = [
    "Desk",
    "Limits",
    "ServeSettings",
    "address",
    "build_front",
    "check_openness",
    "check_runs",
    "entrance",
    "open_desk",
    "open_server",
    "read_password",
    "serve",
]
