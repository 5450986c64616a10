"""The web application of `expound serve`: routes, limits on what may come in, headers on all that goes out."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException as StarletteHTTPException

from expound.errors import ExpoundError, UnknownName
from expound.pages.middleware import AddHeaders, CachedFiles, LimitBody, UnderBase
from expound.pages.policy import HEADERS
from expound.pages.templates import SHARED
from expound.serve import (
    asking,
    bringing,
    chat_shape,
    entering,
    finding,
    passage_beside,
    programs_api,
    runs_page,
    voting,
)
from expound.serve.desk import Desk
from expound.serve.drawing import DOORS, FOLDER, draw
from expound.serve.lanes import LaneFull
from expound.serve.mounted import Mounted
from expound.serve.visitors import HEADER, TheDesk, TheVisitor, Visitor

ROUTERS = (
    entering.router,
    asking.router,
    passage_beside.router,
    bringing.router,
    voting.router,
    finding.router,
    programs_api.router,
    chat_shape.router,
    runs_page.router,
)


def build_front(desk: Desk, mounted: Sequence[Mounted] = ()) -> FastAPI:
    """The application over an open desk, with what others bring below their paths."""
    # The usual page of the interface loads its scripts from elsewhere: ours is made of the same description.
    app = FastAPI(title="expound", docs_url=None, redoc_url=None, openapi_url=None, lifespan=_until_closed)
    app.state.desk = desk
    for router in ROUTERS:
        app.include_router(router)
    app.mount("/static", CachedFiles([FOLDER / "static", SHARED / "static"]))
    app.state.mounted = tuple(mounted)
    for part in mounted:
        app.add_api_route(f"{DOORS}{part.path}", _door(part), include_in_schema=False)
        # The door in front of the mounted part: a route that is added later would never be reached.
        app.mount(part.path, part.build())
    for kind in (StarletteHTTPException, RequestValidationError, ExpoundError):
        app.add_exception_handler(kind, _explain)
    app.add_exception_handler(Exception, _apologise)
    # The last one added is the outermost: the base is taken off first, the headers are put on last.
    limits = desk.settings.limits
    # One byte more than a document may have: its own limit says why it was refused.
    app.add_middleware(LimitBody, limit=limits.body_bytes, larger={bringing.PATH: limits.file_bytes + 1})
    app.add_middleware(AddHeaders, headers=HEADERS)
    app.add_middleware(UnderBase, base=desk.base)
    return app


@asynccontextmanager
async def _until_closed(app: FastAPI) -> AsyncIterator[None]:
    async with AsyncExitStack() as stack:
        for part in app.state.mounted:
            await stack.enter_async_context(part.lifespan())
        yield
    app.state.desk.close()


def _door(part: Mounted) -> Callable[[Desk, Visitor], Response]:
    """From our pages to those of a part. Without a password only its owner is let in, who needs no second link."""

    def enter(desk: TheDesk, visitor: TheVisitor) -> Response:
        return RedirectResponse(f"{desk.base}{part.path}/" if desk.settings.password else part.entrance, 303)

    return enter


async def _explain(request: Request, error: Exception) -> Response:
    """An error in plain words: a page for people, JSON for programs and scripts."""
    status, text = _status(error), _text(error)
    # A page of ours whose session has ended says the other thing: whoever reads it has no token, but an address.
    if status == 401 and not _wants_page(request) and HEADER not in request.headers:
        text = "Send the token that the server printed: Authorization: Bearer TOKEN; a chat client calls it the key."
    if _is_chat(request):
        return JSONResponse({"error": {"message": text, "type": "invalid_request_error"}}, status)
    if not _wants_page(request):
        return JSONResponse({"error": text}, status)
    if status == 401:
        return entering.draw_entrance(request, "")
    return draw(request, "message.html", status_code=status, title="This did not work", text=text)


async def _apologise(request: Request, error: Exception) -> Response:
    # The reason goes to the log and not to the browser.
    logging.getLogger(__name__).exception("a page failed", exc_info=error)
    text = "This is a mistake of the server, and its log says more. What was saved is safe."
    if not _wants_page(request):
        return JSONResponse({"error": text}, 500)
    return draw(request, "message.html", status_code=500, title="Something went wrong", text=text)


def _wants_page(request: Request) -> bool:
    # A script that posts is no reader, whatever its browser accepts.
    return request.method == "GET" and "text/html" in request.headers.get("accept", "")


def _is_chat(request: Request) -> bool:
    return request.url.path.removeprefix(request.app.state.desk.base).startswith(f"{chat_shape.router.prefix}/")


def _status(error: Exception) -> int:
    if isinstance(error, StarletteHTTPException):
        return error.status_code
    if isinstance(error, LaneFull):
        return 429
    return 404 if isinstance(error, UnknownName) else 422 if isinstance(error, RequestValidationError) else 400


def _text(error: Exception) -> str:
    if isinstance(error, RequestValidationError):
        first = error.errors()[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    if isinstance(error, ExpoundError):
        return str(error)
    return str(error.detail) if isinstance(error, HTTPException) else "There is nothing here."
