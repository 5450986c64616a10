"""Between a server and its pages: headers on all that goes out, limits on what may come in, the path of the base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Long enough that a reader loads them once a sitting, short enough that a repaired script arrives the same day.
_KEPT_SECONDS = 3600


class CachedFiles(StaticFiles):
    """Files that are the same for everyone and may be kept for an hour, from one folder or another."""

    def __init__(self, folders: Sequence[Path]) -> None:
        super().__init__(directory=folders[0])
        # One mount for two folders: templates need not know which file is shared.
        self.all_directories = list(folders)

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = f"max-age={_KEPT_SECONDS}"
        return response


class AddHeaders:
    """Put the headers on every answer that does not have them."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self._app, self._headers = app, headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    # What a page has set itself stands: some are framed or kept on purpose.
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


class UnderBase:
    """Say under which path the pages stand; a proxy may leave that path in its requests or take it out."""

    def __init__(self, app: ASGIApp, base: str) -> None:
        self._app, self._base = app, base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._base:
            # With a slash behind both: "/study-two" does not stand under "/study".
            is_inside = f"{scope['path']}/".startswith(f"{self._base}/")
            path = scope["path"] if is_inside else self._base + scope["path"]
            scope = {**scope, "root_path": self._base, "path": path}
        await self._app(scope, receive, send)


class LimitBody:
    """Refuse what is larger than any form of ours, whether its size is announced or not.

    `larger` has limits of their own for what is sent below a path.
    """

    def __init__(self, app: ASGIApp, limit: int, larger: Mapping[str, int] | None = None) -> None:
        self._app, self._limit, self._larger = app, limit, larger or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Start-up and sockets have no body.
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        # A size that is no number is no size.
        limit = self._limit_of(scope)
        if not announced.isdigit() or int(announced) > limit:
            await self._refuse(send)
            return
        await self._count_request(scope, receive, send, limit=limit)

    def _limit_of(self, scope: Scope) -> int:
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        return next((limit for start, limit in self._larger.items() if path.startswith(start)), self._limit)

    async def _count_request(self, scope: Scope, receive: Receive, send: Send, *, limit: int) -> None:
        size, is_answered = 0, False

        async def count() -> Message:
            nonlocal size, is_answered
            message = await receive()
            size += len(message.get("body", b""))
            if size > limit and not is_answered:
                is_answered = True
                await self._refuse(send)
                # To the application it looks as if the browser had left: it stops reading.
                return {"type": "http.disconnect"}
            return message

        async def send_once(message: Any) -> None:
            # The refusal has been sent, and a second answer would break the protocol.
            if not is_answered:
                await send(message)

        try:
            await self._app(scope, count, send_once)
        except ClientDisconnect:  # it was us who ended it
            if not is_answered:
                raise

    async def _refuse(self, send: Send) -> None:
        headers = [(b"content-type", b"text/plain"), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send(
            {"type": "http.response.body", "body": b"too large: send at most %d kB at a time" % (self._limit // 1024)}
        )
