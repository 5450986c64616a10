"""The rater's way through a study: consent, instructions, what comes next, the end, and the way out."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response
from sqlalchemy.engine import Connection

from expound.study.engine import raters
from expound.study.engine.assignment import DONE, ExamFailed, next_assignment
from expound.study.engine.completion import completion_code
from expound.study.engine.opened import Study
from expound.study.engine.rater_progress import own_items, public_replies
from expound.study.engine.raters import Rater
from expound.study.engine.study_store import record_event
from expound.study.web.access import Posted, TheRater, TheSite
from expound.study.web.render import go, render_page

router = APIRouter()


@router.get("/")
def begin(request: Request, site: TheSite, rater: TheRater) -> Response:
    """Where the rater is in the study."""
    match rater.stage:
        case raters.CONSENT:
            return render_page(request, "consent.html", text=site.study.plan.consent, is_open=False)
        case raters.INSTRUCTIONS:
            return render_page(request, "instructions.html", text=_instructions(site.study), is_first=True)
        case raters.FAILED:
            return render_page(request, "failed.html")
        case _:
            return go(request, "/next")


@router.post("/consent")
def consent(request: Request, site: TheSite, rater: TheRater, sent: Posted) -> Response:
    """Nobody goes on without having agreed, whatever a browser lets through."""
    if not sent.get("agreed"):
        return render_page(request, "consent.html", status_code=422, text=site.study.plan.consent, is_open=True)
    with site.study.store.writing() as connection:
        # A second click must not write a second consent.
        if rater.stage == raters.CONSENT:
            record_event(connection, "consented", rater=rater.id)
            raters.advance(connection, rater, raters.INSTRUCTIONS)
    return go(request, "/")


@router.get("/instructions")
def instructions(request: Request, site: TheSite, rater: TheRater) -> Response:
    with site.study.store.reading() as connection:
        replies = public_replies(connection)
    is_first = rater.stage == raters.INSTRUCTIONS
    return render_page(request, "instructions.html", text=_instructions(site.study), is_first=is_first, replies=replies)


@router.post("/instructions")
def have_read(request: Request, site: TheSite, rater: TheRater, _sent: Posted) -> Response:
    with site.study.store.writing() as connection:
        if rater.stage == raters.INSTRUCTIONS:
            raters.advance(connection, rater, raters.WORKING)
    return go(request, "/next")


@router.get("/next")
def next_item(request: Request, site: TheSite, rater: TheRater) -> Response:
    """The next item, or the end."""
    with site.study.store.writing() as connection:
        path = next_path(site.study, connection, rater)
    return go(request, path)


@router.get("/mine")
def mine(request: Request, site: TheSite, rater: TheRater) -> Response:
    """The rater's own items, to come back to."""
    with site.study.store.reading() as connection:
        items = own_items(site.study, connection, rater.id)
    return render_page(request, "mine.html", items=items, code=raters.readable_code(rater.code))


@router.get("/done")
def done(request: Request, site: TheSite, rater: TheRater) -> Response:
    """Nothing is left, but perhaps parked items."""
    study = site.study
    with study.store.writing() as connection:
        items = own_items(study, connection, rater.id)
        unfinished = [one for one in items if one.state != DONE]
        # Finished once everything is judged; who goes on with new items is at work again.
        if items and not unfinished and rater.stage == raters.WORKING:
            raters.advance(connection, rater, raters.FINISHED)
    return render_page(request, "done.html", unfinished=unfinished, judged=len(items) - len(unfinished),
                # No code before the end: it is what the platform pays for.
                code="" if unfinished or not items else completion_code(study, rater.id))  # fmt: skip


@router.post("/withdraw")
def withdraw(request: Request, site: TheSite, rater: TheRater, sent: Posted) -> Response:
    """Delete what the rater entered, once this is confirmed."""
    if not sent.get("confirmed"):
        return render_page(request, "withdraw.html")
    with site.study.store.writing() as connection:
        raters.withdraw(connection, rater.id)
    return render_page(
        request, "message.html", title="You have withdrawn", text="Everything you entered has been deleted."
    )


def next_path(study: Study, connection: Connection, rater: Rater) -> str:
    """Where a rater goes on: an item, the end, or the page of a stage that is not over."""
    if rater.stage not in (raters.WORKING, raters.FINISHED):
        return "/"
    try:
        found = next_assignment(study, connection, rater.id)
    except ExamFailed:
        raters.advance(connection, rater, raters.FAILED)
        return "/"
    if found is None:
        return "/done"
    # New items may have come for somebody who had finished.
    raters.advance(connection, rater, raters.WORKING)
    return f"/item/{found}"


def _instructions(study: Study) -> str:
    return study.plan.instructions or study.form.instructions
