"""The web application of a study: routes, limits on what may come in, and headers on all that goes out."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException as StarletteHTTPException

from expound.pages.middleware import AddHeaders, CachedFiles, LimitBody, UnderBase
from expound.pages.policy import HEADERS
from expound.pages.templates import SHARED
from expound.study.engine.opened import Study
from expound.study.web import attending, joining, judging, programs, researching, searching
from expound.study.web.access import make_site
from expound.study.web.render import FOLDER, render_page

# Several boxes of text filled to their limit, four bytes a letter, still fit.
BODY_LIMIT = 512 * 1024
ROUTERS = (joining.router, attending.router, judging.router, searching.router, researching.router, programs.router)


def build_app(study: Study, *, all_studies: str = "") -> FastAPI:
    """The application of an open study; `all_studies` is where the researcher finds the others on the server."""
    site = make_site(study, all_studies=all_studies)
    # No documentation of the interface: it would tell strangers every route.
    app = FastAPI(title="expound study", docs_url=None, redoc_url=None, openapi_url=None, lifespan=_few_threads)
    app.state.site = site
    app.state.search = searching.make_search(study.plan.corpus)
    for router in ROUTERS:
        app.include_router(router)
    app.mount("/static", CachedFiles([FOLDER / "static", SHARED / "static"]))
    app.add_exception_handler(StarletteHTTPException, _explain)
    app.add_exception_handler(RequestValidationError, _explain)
    app.add_exception_handler(Exception, _apologise)
    # The last one added is the outermost: the base is taken off first, the headers are put on last.
    app.add_middleware(LimitBody, limit=BODY_LIMIT)
    app.add_middleware(AddHeaders, headers=HEADERS)
    app.add_middleware(UnderBase, base=site.base)
    return app


@asynccontextmanager
async def _few_threads(app: FastAPI) -> AsyncIterator[None]:
    """Work on as many requests at a time as the database is good for."""
    current_default_thread_limiter().total_tokens = app.state.site.study.store.threads
    yield


async def _explain(request: Request, error: Exception) -> Response:
    """An error as a page in plain words."""
    # A path that cannot be parsed, such as an item "abc", is a page that is not there.
    status = error.status_code if isinstance(error, StarletteHTTPException) else 404
    text = error.detail if isinstance(error, HTTPException) else "There is nothing here."
    if _is_for_programs(request):
        return _explain_to_program(error, text, status)
    # Not a dead end: where a session has ended, the page itself asks for the code.
    if status == 401:
        return joining.ask_for_code(request, str(text))
    return render_page(request, "message.html", status_code=status, title="This did not work", text=text)


def _is_for_programs(request: Request) -> bool:
    return request.url.path.removeprefix(request.app.state.site.base).startswith(programs.router.prefix)


def _explain_to_program(error: Exception, text: object, status: int) -> Response:
    if isinstance(error, RequestValidationError):
        wrong = "; ".join(f"{one['loc'][-1]}: {one['msg']}" for one in error.errors())
        return JSONResponse({"error": wrong}, 422)
    return JSONResponse({"error": text}, status)


async def _apologise(request: Request, error: Exception) -> Response:
    # The reason goes to the log and not to the browser.
    logging.getLogger(__name__).exception("a page failed", exc_info=error)
    text = "This is a mistake of the server, and the researchers will see it in its log. What was saved is safe."
    if _is_for_programs(request):
        return JSONResponse({"error": text}, 500)
    return render_page(request, "message.html", status_code=500, title="Something went wrong", text=text)
