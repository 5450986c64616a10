"""The web application of a study: routes, limits on what may come in, and headers on all that goes out."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from expound.study.opened import Study
from expound.study.web import attending, joining, judging, researching, searching
from expound.study.web.access import make_site
from expound.study.web.render import FOLDER, page

BODY_LIMIT = 512 * 1024
ROUTERS = (joining.router, attending.router, judging.router, searching.router, researching.router)
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # Links hold secrets: no other site may learn where a reader came from.
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def build_app(study: Study) -> FastAPI:
    """The application of an open study."""
    site = make_site(study)
    app = FastAPI(title="expound study", docs_url=None, redoc_url=None, openapi_url=None, lifespan=_few_threads)
    app.state.site = site
    app.state.search = searching.make_search(study.plan.corpus)
    for router in ROUTERS:
        app.include_router(router)
    app.mount("/static", CachedFiles(directory=FOLDER / "static"))
    app.add_exception_handler(StarletteHTTPException, _explain)
    app.add_exception_handler(RequestValidationError, _explain)
    app.add_exception_handler(Exception, _apologise)
    app.add_middleware(LimitBody, limit=BODY_LIMIT)
    app.add_middleware(AddHeaders)
    app.add_middleware(UnderBase, base=site.base)
    return app


@asynccontextmanager
async def _few_threads(app: FastAPI) -> AsyncIterator[None]:
    """Work on as many requests at a time as the database is good for."""
    current_default_thread_limiter().total_tokens = app.state.site.study.store.threads
    yield


async def _explain(request: Request, error: Exception) -> Response:
    """An error as a page in plain words."""
    status = error.status_code if isinstance(error, StarletteHTTPException) else 404
    text = error.detail if isinstance(error, HTTPException) else "There is nothing here."
    return page(request, "message.html", status_code=status, title="This did not work", text=text)


async def _apologise(request: Request, error: Exception) -> Response:
    logging.getLogger(__name__).exception("a page failed", exc_info=error)
    text = "This is a mistake of the server, and the researchers will see it in its log. What was saved is safe."
    return page(request, "message.html", status_code=500, title="Something went wrong", text=text)


class CachedFiles(StaticFiles):
    """Files that are the same for everyone and may be kept for an hour."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "max-age=3600"
        return response


class AddHeaders:
    """Put the headers on every answer that does not have them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


class UnderBase:
    """Say under which path the study stands; a proxy may leave that path in its requests or take it out."""

    def __init__(self, app: ASGIApp, base: str) -> None:
        self._app, self._base = app, base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._base:
            is_inside = f"{scope['path']}/".startswith(f"{self._base}/")
            path = scope["path"] if is_inside else self._base + scope["path"]
            scope = {**scope, "root_path": self._base, "path": path}
        await self._app(scope, receive, send)


class LimitBody:
    """Refuse what is larger than any form of ours, whether its size is announced or not."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app, self._limit = app, limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if not announced.isdigit() or int(announced) > self._limit:
            await self._refuse(send)
            return
        await self._counted(scope, receive, send)

    async def _counted(self, scope: Scope, receive: Receive, send: Send) -> None:
        size, is_answered = 0, False

        async def count() -> Message:
            nonlocal size, is_answered
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._limit and not is_answered:
                is_answered = True
                await self._refuse(send)
                return {"type": "http.disconnect"}
            return message

        async def send_once(message: Any) -> None:
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
        await send({"type": "http.response.body", "body": b"too large"})
