"""Several studies on one server: each below its own name, and one page for the researcher of all."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from urllib.parse import quote, urlsplit

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from expound.errors import UserError
from expound.pages.cookies import keep_session
from expound.pages.middleware import AddHeaders, CachedFiles
from expound.pages.policy import HEADERS
from expound.pages.signing import same_secret
from expound.pages.templates import SHARED, open_templates
from expound.study.engine.looks import progress_of
from expound.study.engine.opened import Study
from expound.study.engine.sessions import ADMIN, DAYS, Sessions
from expound.study.web.access import Site, let_in_to
from expound.study.web.app import build_app
from expound.study.web.render import FOLDER

_OWN_PATHS = ("", "admin", "health", "static")
_HOW_TO_ENTER = "Who takes part opens the link of the invitation. Researchers open the address that the server printed."
_NOTHING = "There is nothing here. Check that the link is complete."


def below(studies: Sequence[Study], base_url: str) -> list[Study]:
    """The studies with the addresses that they have on one server; two of one name are refused."""
    names = [study.plan.name for study in studies]
    if len(set(names)) < len(names):
        raise UserError("two of these studies have the same name: give each a `name` of its own in its plan")
    for name in names:
        # Such a study would stand where the front's own pages do, or two levels deep where no route looks.
        if name in _OWN_PATHS or "/" in name:
            raise UserError(f"a study named {name!r} has no address among others: give it another `name` in its plan")
    return [
        # Quoted: a name may have blanks, and a link in a mail or the path of a cookie may not.
        replace(study, plan=replace(study.plan, base_url=f"{base_url.rstrip('/')}/{quote(study.plan.name)}"))
        for study in studies
    ]


def build_several(studies: Sequence[Study], base_url: str, *, home: str = "") -> ASGIApp:
    """The application of several studies, which `below` has placed; `home` is the path of the server's other pages."""
    base = urlsplit(base_url).path.rstrip("/")
    apps = {study.plan.name: build_app(study, all_studies=f"{base}/admin") for study in studies}
    return _ByName(_front(apps, base, home), apps, base)


@dataclass(frozen=True)
class MountedStudies:
    """Studies as a part of another server: each below its name, all of them below one path."""

    studies: Sequence[Study]
    base_url: str
    path: str
    title: str = "Studies"

    @property
    def links(self) -> dict[str, str]:
        """The researcher's address of all, and the raters' of each; those of the researcher are secret."""
        joins = {
            f"{study.plan.name} join": f"{study.plan.base_url}/join/{study.secret('join_token')}"
            for study in self.studies
        }
        return {"studies": self.entrance, **joins}

    @property
    def entrance(self) -> str:
        """The researcher's address of all; it is secret."""
        return f"{self.base_url}/admin/enter/{self.studies[0].secret('admin_secret')}"

    def build(self) -> ASGIApp:
        home = urlsplit(self.base_url.removesuffix(self.path)).path.rstrip("/")
        return build_several(self.studies, self.base_url, home=f"{home}/")

    def lifespan(self) -> AbstractAsyncContextManager[None]:
        return _few_threads(self.studies)


class _ByName:
    """Hands a request to the study that its path names."""

    def __init__(self, front: ASGIApp, apps: Mapping[str, ASGIApp], base: str) -> None:
        self._front, self._apps, self._base = front, apps, base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._front(scope, receive, send)
            return
        # With a slash behind both: "/study-two" does not stand under "/study".
        is_inside = f"{scope['path']}/".startswith(f"{self._base}/")
        path = scope["path"].removeprefix(self._base) if is_inside else scope["path"]
        name, _, rest = path.lstrip("/").partition("/")
        app = self._apps.get(name, self._front)
        inside = path if app is self._front else f"/{rest}"
        # Where another server mounted it no longer matters: the path is its own from here on.
        await app({**scope, "path": inside, "raw_path": inside.encode(), "root_path": ""}, receive, send)


def _front(apps: Mapping[str, FastAPI], base: str, home: str) -> FastAPI:
    """The page with all studies; it opens for the admin of the first one, and lets in to all."""
    sites: list[Site] = [app.state.site for app in apps.values()]
    sessions = Sessions(sites[0].study.secret("signing_key"))
    # Apart from the first study's own, whose key signs it: leaving that study must not end the page of all.
    cookie = f"{sessions.cookie_name(ADMIN)}_all"
    app = FastAPI(
        title="expound studies",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=lambda _app: _few_threads([site.study for site in sites]),
    )

    @app.get("/")
    def tell_who_enters_how(request: Request) -> Response:
        """Where a link from elsewhere leads: researchers go on, others are told what they need."""
        session = sessions.read(request.cookies.get(cookie, ""))
        if session is not None and session.role == ADMIN:
            return RedirectResponse(f"{base}/admin", 303)
        return _page("message.html", base, title="Studies", text=_HOW_TO_ENTER)

    @app.get("/admin/enter/{secret}")
    def enter(secret: str) -> Response:
        if not same_secret(secret, sites[0].admin_secret):
            raise HTTPException(404, _NOTHING)
        response = RedirectResponse(f"{base}/admin", 303)
        value = sessions.cookie(sessions.begin(ADMIN))
        keep_session(response, cookie, value, base=base, days=DAYS, is_secure=sites[0].is_secure)
        for site in sites:
            let_in_to(site, response, site.sessions.begin(ADMIN))
        return response

    @app.get("/admin")
    def all_studies(request: Request) -> Response:
        session = sessions.read(request.cookies.get(cookie, ""))
        if session is None or session.role != ADMIN:
            raise HTTPException(403, "This page is for the researchers. Open the admin link that the server printed.")
        return _page("studies.html", base, studies=[_row(site) for site in sites], home=home)

    @app.exception_handler(StarletteHTTPException)
    async def explain(_request: Request, error: StarletteHTTPException) -> Response:
        text = error.detail if isinstance(error, HTTPException) else _NOTHING
        return _page("message.html", base, status_code=error.status_code, title="This did not work", text=text)

    @app.get("/health")
    def health() -> dict[str, str]:
        return {"status": "ok"}

    app.mount("/static", CachedFiles([FOLDER / "static", SHARED / "static"]))
    app.add_middleware(AddHeaders, headers=HEADERS)
    return app


def _page(template: str, base: str, *, status_code: int = 200, **values: object) -> Response:
    """A page of no study in particular."""
    page = open_templates(FOLDER / "templates").get_template(template)
    shared = {"base": base, "study_title": "Studies", "role": "", "token": "", "news": 0}
    return HTMLResponse(page.render(**shared, **values), status_code)


def _row(site: Site) -> dict[str, object]:
    with site.study.store.reading() as connection:
        done, planned = progress_of(site.study, connection)
    title = site.study.plan.title or site.study.form.title
    return {"name": site.study.plan.name, "title": title, "base": site.base, "done": done, "planned": planned}


@asynccontextmanager
async def _few_threads(studies: Sequence[Study]) -> AsyncIterator[None]:
    """Work on as many requests at a time as their databases are good for."""
    current_default_thread_limiter().total_tokens = max(study.store.threads for study in studies)
    yield
