"""The way in: a link and a personal code for raters, a secret link for the researchers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from expound.study.engine.raters import Rater, enter, find_rater_by_code, invite, is_known, readable_code
from expound.study.engine.schema import NAME_WIDTH
from expound.study.engine.sessions import ADMIN, RATER, Session
from expound.study.web.access import (
    Posted,
    Site,
    TheSite,
    check_secret,
    count_failure,
    guest_session,
    is_signed_in,
    let_in,
    site_of,
)
from expound.study.web.render import go, render_page

router = APIRouter()
# What links of Prolific and MTurk call the worker and what is paid for; `pid` is for any other platform.
_PARAMETERS = (("pid", "PROLIFIC_PID", "workerId"), ("SESSION_ID", "assignmentId"))
_NO_SUCH_CODE = "There is no such code. Check it and try again."
_PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"


@dataclass(frozen=True)
class PlatformIds:
    """Who comes from a crowd platform, and what the platform pays for."""

    worker: str
    paid_for: str


@router.get("/join/{join_token}")
def join_page(request: Request, site: TheSite, join_token: str) -> Response:
    """Where a rater enters a code, or begins; a crowd platform puts its ids into the link."""
    check_secret(request, join_token, site.join_token)
    session = guest_session(request)
    is_open = site.study.plan.open_join
    # Cut here, as the database would refuse what is longer.
    response = _join_page(request, session, join_token, _ids_in(request.query_params), is_open=is_open, problem="")
    let_in(request, response, session)
    return response


@router.post("/join/{join_token}")
def join(request: Request, site: TheSite, join_token: str, sent: Posted) -> Response:
    """Let a rater in by code, or as a new one where the study is open to all."""
    check_secret(request, join_token, site.join_token)
    code, pid, paid_for = (sent.get(name, [""])[0][:NAME_WIDTH] for name in ("code", "pid", "paid_for"))
    ids = PlatformIds(pid, paid_for)
    # A reload of the join page must not make a second rater of the first.
    if not code and not sent.get("someone_else") and is_signed_in(request):
        return go(request, "/")
    rater = _admit(site, code, ids)
    if rater is None:
        count_failure(request, code or ids.worker)
        return _refuse(request, join_token, ids)
    return _enter(request, rater, is_new=not code)


@router.post("/code")
def enter_code(request: Request, site: TheSite, sent: Posted) -> Response:
    """Go on by the personal code alone, where a session has ended; nobody begins anew here."""
    # A dash is nobody's code: without one the admission below would make a new rater.
    code = sent.get("code", [""])[0][:NAME_WIDTH] or "-"
    rater = _admit(site, code, PlatformIds("", ""))
    if rater is None:
        count_failure(request, code)
        return ask_for_code(request, _NO_SUCH_CODE)
    return _enter(request, rater, is_new=False)


def ask_for_code(request: Request, text: str) -> Response:
    """The page of someone who is not signed in."""
    session = guest_session(request)
    response = render_page(request, "signed_out.html", status_code=401, session=session, text=text)
    let_in(request, response, session)
    return response


@router.get("/admin/enter/{admin_secret}")
def enter_as_admin(request: Request, site: TheSite, admin_secret: str) -> Response:
    """The admin link that the server prints."""
    check_secret(request, admin_secret, site.admin_secret)
    response = go(request, "/admin")
    let_in(request, response, site.sessions.begin(ADMIN))
    return response


@router.get("/health")
def health() -> dict[str, str]:
    """For a proxy that asks whether the server is up."""
    return {"status": "ok"}


def _ids_in(query: Mapping[str, str]) -> PlatformIds:
    worker, paid_for = (next((query[name] for name in names if query.get(name)), "") for names in _PARAMETERS)
    # MTurk shows the page also to workers who have not accepted yet; these two begin only when they do.
    is_preview = paid_for == _PREVIEW
    return PlatformIds("" if is_preview else worker[:NAME_WIDTH], "" if is_preview else paid_for[:NAME_WIDTH])


def _admit(site: Site, code: str, ids: PlatformIds) -> Rater | None:
    """The rater of a code, or a new one where the study is open to all and the platform's id is new."""
    with site.study.store.writing() as connection:
        if code:
            rater = find_rater_by_code(connection, code)
        # Whoever knows another person's id must not get that person's answers.
        elif site.study.plan.open_join and not (ids.worker and is_known(connection, ids.worker)):
            rater = invite(connection, external=ids.worker or None, paid_for=ids.paid_for)
        else:
            rater = None
        return enter(connection, rater) if rater else None


def _enter(request: Request, rater: Rater, *, is_new: bool) -> Response:
    session = site_of(request).sessions.begin(RATER, rater.id)
    response: Response = (
        render_page(request, "code.html", session=session, code=readable_code(rater.code))
        if is_new
        else go(request, "/")
    )
    let_in(request, response, session)
    return response


def _refuse(request: Request, join_token: str, ids: PlatformIds) -> Response:
    session = guest_session(request)
    problem = _NO_SUCH_CODE if not ids.worker else "You joined before: enter your code."
    response = _join_page(request, session, join_token, ids, is_open=False, problem=problem)
    response.status_code = 403
    return response


def _join_page(
    request: Request, session: Session, join_token: str, ids: PlatformIds, *, is_open: bool, problem: str
) -> Response:
    values: dict[str, Any] = {"join_token": join_token, "pid": ids.worker, "paid_for": ids.paid_for}
    values |= {"open_join": is_open, "problem": problem, "is_signed_in": is_signed_in(request)}
    return render_page(request, "join.html", session=session, **values)
