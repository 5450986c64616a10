"""Who may do what: every route takes one of these as its key, and what a form sends is believed only with its token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, HTTPException, Path, Request, Response
from sqlalchemy.engine import Connection

from expound.pages.cookies import keep_session
from expound.pages.limiter import Limiter
from expound.pages.signing import same_secret
from expound.study.engine.opened import Study
from expound.study.engine.raters import Rater, find_rater
from expound.study.engine.sessions import ADMIN, DAYS, GUEST, RATER, Session, Sessions

# Counted by what was tried, not by address: a lab behind one address is never locked out by those who mistype. Codes of
# 49 bits and links of 192 cannot be found by trying others, however fast.
JOIN_FAILURES, JOIN_WINDOW_SECONDS = 20, 600
# A draft is sent a second after the last key: nobody comes near four posts a second for a minute.
POSTS, POSTS_WINDOW_SECONDS = 240, 60


@dataclass(frozen=True)
class Site:
    """What the pages share while the server runs."""

    study: Study
    sessions: Sessions
    failures: Limiter
    posts: Limiter
    join_token: str
    admin_secret: str
    api_token: str
    all_studies: str = ""
    """The path of the page of all studies, where there are several on the server."""

    @property
    def base(self) -> str:
        """The path under which the study stands, without a slash at the end."""
        # Behind a proxy a study may stand in a subfolder.
        return urlsplit(self.study.plan.base_url).path.rstrip("/")

    @property
    def is_secure(self) -> bool:
        return self.study.plan.base_url.startswith("https:")


def make_site(study: Study, *, all_studies: str = "") -> Site:
    return Site(
        study=study,
        sessions=Sessions(study.secret("signing_key")),
        failures=Limiter(JOIN_FAILURES, JOIN_WINDOW_SECONDS),
        posts=Limiter(POSTS, POSTS_WINDOW_SECONDS),
        join_token=study.secret("join_token"),
        admin_secret=study.secret("admin_secret"),
        api_token=study.secret("api_token"),
        all_studies=all_studies,
    )


def site_of(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


async def the_site(request: Request) -> Site:
    """The same for routes: what is not async would cost them a thread."""
    return site_of(request)


def session_of(request: Request) -> Session | None:
    """Who the browser speaks for on this page: it may hold a rater's session and the researcher's."""
    site = site_of(request)
    # By the page and not by the browser: a researcher may look at both in one.
    is_for_admin = request.url.path.removeprefix(site.base).startswith("/admin")
    name = site.sessions.cookie_name(ADMIN if is_for_admin else RATER)
    return site.sessions.read(request.cookies.get(name, ""))


async def rater_session(request: Request) -> Session:
    """A session that a rater has begun; anyone else is turned away."""
    session = session_of(request)
    if session is None or session.role != RATER:
        raise HTTPException(401, "Enter your code, or open the link that you were given.")
    return session


def known_rater(connection: Connection, session: Session) -> Rater:
    """The rater of a session, who may have withdrawn since it began."""
    rater = find_rater(connection, session.id)
    if rater is None:
        raise HTTPException(401, "This code is no longer part of the study.")
    return rater


def rater_of(request: Request, session: TheRaterSession) -> Rater:
    """The rater whose session this is."""
    with site_of(request).study.store.reading() as connection:
        return known_rater(connection, session)


async def admin_of(request: Request) -> Session:
    """The researcher; anyone else is turned away."""
    session = session_of(request)
    if session is None or session.role != ADMIN:
        raise HTTPException(403, "This page is for the researchers. Open the admin link that the server printed.")
    return session


async def read_posted(request: Request) -> Mapping[str, list[str]]:
    """Every field of a form with all its values, once its token and the pace of its session are right."""
    session, site = session_of(request), site_of(request)
    form = await request.form()
    sent = {name: [str(value) for value in form.getlist(name)] for name in form}
    # Checked before anything is read: another site could have made the browser post.
    if session is None or not site.sessions.is_token(session, (*sent.get("token", ()), "")[0]):
        raise HTTPException(403, "This page is out of date. Open it again and repeat what you did.")
    if site.posts.is_over(session.key):
        raise HTTPException(429, "That was too fast. Wait a minute and go on.")
    site.posts.count(session.key)
    return sent


def count_failure(request: Request, given: str) -> None:
    """Note that a code or link was wrong; who sends the same one over and over is told to stop."""
    failures = site_of(request).failures
    if failures.is_over(given):
        raise HTTPException(429, "This code was wrong many times. Wait ten minutes, or ask the researchers.")
    failures.count(given)


def check_secret(request: Request, given: str, secret: str) -> None:
    """Refuse a link with a wrong secret, and count the failure."""
    if not same_secret(given, secret):
        count_failure(request, given)
        # 404 and not 403: whether there is a study here is part of the secret.
        raise HTTPException(404, "There is nothing here. Check that the link is complete.")


def let_in(request: Request, response: Response, session: Session) -> None:
    """Give the browser its session."""
    let_in_to(site_of(request), response, session)


def let_in_to(site: Site, response: Response, session: Session) -> None:
    """Give the browser a session of one study among several."""
    name, value = site.sessions.cookie_name(session.role), site.sessions.cookie(session)
    keep_session(response, name, value, base=site.base, days=DAYS, is_secure=site.is_secure)


def is_signed_in(request: Request) -> bool:
    """Whether this browser is a rater's already, and one who has not withdrawn."""
    session = session_of(request)
    if session is None or session.role != RATER:
        return False
    with site_of(request).study.store.reading() as connection:
        return find_rater(connection, session.id) is not None


def guest_session(request: Request) -> Session:
    """The session of this browser, or a new one that opens nothing: the join page needs a token too."""
    return session_of(request) or site_of(request).sessions.begin(GUEST)


# What a database takes as a key; anything larger is no page of ours.
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
TheSite = Annotated[Site, Depends(the_site)]
TheRaterSession = Annotated[Session, Depends(rater_session)]
TheRater = Annotated[Rater, Depends(rater_of)]
TheAdmin = Annotated[Session, Depends(admin_of)]
Posted = Annotated[Mapping[str, list[str]], Depends(read_posted)]
