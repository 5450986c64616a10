"""A bound on the whole time of a call: a read timeout begins anew with every byte that drips in."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any

# The socket is known after these; with TLS there are two, and the encrypted one counts.
_CONNECTED = ("connect_tcp.complete", "start_tls.complete")


class Alarm:
    """Hangs up after so many seconds, whatever the server is just doing; for a `with` block around one request.

    `watch` is given to httpx as the request's trace: it hears of the connection, which has to be a fresh one.
    `remark` is called once, after `remark_seconds`.
    """

    def __init__(self, seconds: float, *, remark_seconds: float, remark: Callable[[], None]) -> None:
        self.has_rung = False
        self._seconds, self._remark_seconds, self._remark = seconds, remark_seconds, remark
        # The event ends the waiting at once when the call is done; the
        # lock guards the socket and `has_rung` together.
        self._is_over, self._guard = threading.Event(), threading.Lock()
        self._connection: socket.socket | None = None

    def __enter__(self) -> Alarm:
        threading.Thread(target=self._wait, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()

    def watch(self, event: str, info: Mapping[str, Any]) -> None:
        """Take note of the connection that the request goes over."""
        if not event.endswith(_CONNECTED):
            return
        with self._guard:
            self._connection = info["return_value"].get_extra_info("socket")
            # It rang while the connection was being made: there was nothing to hang up then.
            if self.has_rung:
                self._hang_up()

    def _wait(self) -> None:
        first = min(self._remark_seconds, self._seconds)
        if self._is_over.wait(first):
            return
        if first < self._seconds:
            self._remark()
            if self._is_over.wait(self._seconds - first):
                return
        with self._guard:
            self.has_rung = True
            self._hang_up()

    def _hang_up(self) -> None:
        if self._connection:
            with suppress(OSError):
                # The socket's own method: that of an encrypted one would take the key from under the reader's hands.
                socket.socket.shutdown(self._connection, socket.SHUT_RDWR)
