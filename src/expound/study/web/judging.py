"""The pages of an item: shown, drafted, checked, saved, parked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response

from expound.study.design.expected import Expectation
from expound.study.design.form import Problem
from expound.study.engine import raters
from expound.study.engine.assignment import CHECKS, DONE, FINAL, PARKED, TRAINING, share_of_work
from expound.study.engine.checking import checked_fields
from expound.study.engine.opened import Study
from expound.study.engine.rater_progress import counts_by_state, mark_read, replies_to, unread_replies
from expound.study.engine.raters import Rater
from expound.study.engine.schema import SUBMISSION_WIDTH
from expound.study.engine.sessions import Session
from expound.study.engine.submitting import Conflict, Submission, Work, find_work, park, save_draft, submit, take_up
from expound.study.forms.posted import COMMENT, Sent, problems_of, read_answers
from expound.study.out.answer_view import in_words
from expound.study.web.access import Number, Posted, TheRaterSession, TheSite, known_rater
from expound.study.web.attending import next_path
from expound.study.web.render import go, keys_of, render_page

router = APIRouter()
_MESSAGE_LIMIT = 5000  # a question to the researchers, not an essay
_MOST_SECONDS = 86_400.0  # no page is worked on for longer than a day
_CHANGED_ELSEWHERE = "These answers were changed in another tab. What you see here is not saved: save again to keep it."


@router.get("/item/{id}")
def item(request: Request, site: TheSite, session: TheRaterSession, id: Number) -> Response:
    """An item with what has been filled in so far."""
    study, work = site.study, own_work(site.study, session, id)
    with study.store.reading() as connection:
        has_news = work.id in unread_replies(connection, work.rater)
    # Written only if there is something to write: most pages are only read, and SQLite has one writer.
    if work.state == PARKED or has_news:
        with study.store.writing() as connection:
            take_up(connection, work)
            mark_read(connection, work.id)
    return _item_page(request, study, work)


@router.post("/item/{id}")
def save(request: Request, site: TheSite, session: TheRaterSession, id: Number, sent: Posted) -> Response:
    """Take an answer: on disk first, then “saved”."""
    study = site.study
    rater, work = rater_and_work(study, session, id)
    view = study.view(study.place(work.item, work.shown))
    answers = read_answers(study.form, view, sent)
    submission, problems = _submission(sent, answers), problems_of(study.form, view, answers)
    is_confirmed = bool(sent.get("confirmed"))
    if any(not problem.is_warning or not is_confirmed for problem in problems):
        # Nothing that was typed is lost, even if it cannot be taken.
        with study.store.writing() as connection:
            save_draft(connection, work, submission)
        return _item_page(request, study, work, answers=answers, problems=problems, status_code=422)
    try:
        # The next item is assigned in the same transaction: nobody waits between two items without one.
        path = submit(study, work, submission, lambda connection: next_path(study, connection, rater))
    except Conflict:
        work, problems = own_work(study, session, id), [Problem("", _CHANGED_ELSEWHERE)]
        return _item_page(request, study, work, answers=answers, problems=problems, status_code=409)
    # What was expected of a training item is shown before anything else.
    if study.items[work.item].item.kind == TRAINING:
        return go(request, f"/item/{id}/feedback")
    return go(request, f"{path}?saved=1")


@router.post("/item/{id}/draft")
def draft(site: TheSite, session: TheRaterSession, id: Number, sent: Posted) -> Response:
    """Keep what is filled in so far."""
    study, work = site.study, own_work(site.study, session, id)
    answers = read_answers(study.form, study.view(study.place(work.item, work.shown)), sent)
    with study.store.writing() as connection:
        is_kept = save_draft(connection, work, _submission(sent, answers))
    text = "Draft saved" if is_kept else _CHANGED_ELSEWHERE
    return Response(text, 200 if is_kept else 409, media_type="text/plain")


@router.post("/item/{id}/check")
def check(request: Request, site: TheSite, session: TheRaterSession, id: Number, sent: Posted) -> Response:
    """What would be said to the answers if they were sent now, while they are being written."""
    study, work = site.study, own_work(site.study, session, id)
    view = study.view(study.place(work.item, work.shown))
    return render_page(request, "check.html", problems=study.form.check(view, read_answers(study.form, view, sent)))


@router.post("/item/{id}/park")
def put_aside(request: Request, site: TheSite, session: TheRaterSession, id: Number, sent: Posted) -> Response:
    study, work = site.study, own_work(site.study, session, id)
    answers = read_answers(study.form, study.view(study.place(work.item, work.shown)), sent)
    with study.store.writing() as connection:
        save_draft(connection, work, _submission(sent, answers))
        park(connection, work, _first(sent, "question_to_admin"))
    return go(request, "/next")


@router.get("/item/{id}/feedback")
def feedback(request: Request, site: TheSite, session: TheRaterSession, id: Number) -> Response:
    """What was expected of a training item."""
    study, work = site.study, own_work(site.study, session, id)
    placed = study.place(work.item, work.shown)
    if placed.item.kind != TRAINING or work.state != DONE:
        return go(request, f"/item/{id}")
    checked = [
        _tell_feedback(expected, is_met, work.answers)
        for expected, is_met in checked_fields(study, placed, work.answers)
    ]
    view = study.view(placed)
    return render_page(request, "feedback.html", text=placed.item.feedback, checked=checked, view=view)


def _tell_feedback(expected: Expectation, is_met: bool, answers: Mapping[str, Any]) -> dict[str, Any]:
    """One line of the feedback: what was asked, what the rater said, what we would have said."""
    field = expected.field
    said = in_words(field, answers[field.name]) if answers.get(field.name) else field.none
    wanted = " or ".join(in_words(field, value) or "nothing" for value in expected.accepted)
    return {"label": field.label, "said": said, "wanted": wanted, "is_met": is_met}


def own_work(study: Study, session: Session, id: int) -> Work:
    """The item, if it is one of this rater's."""
    return rater_and_work(study, session, id)[1]


def rater_and_work(study: Study, session: Session, id: int) -> tuple[Rater, Work]:
    """Who works on what, in one look at the database."""
    with study.store.reading() as connection:
        rater = known_rater(connection, session)
        work = find_work(connection, id, rater=rater.id)
    if work is None or rater.stage not in (raters.WORKING, raters.FINISHED):
        raise HTTPException(404, "There is no such item among yours.")
    return rater, work


def _item_page(
    request: Request,
    study: Study,
    work: Work,
    *,
    answers: Mapping[str, Any] | None = None,
    problems: Sequence[Problem] = (),
    status_code: int = 200,
) -> Response:
    """The page of an item, with the answers that are saved unless others have just been sent."""
    placed = study.place(work.item, work.shown)
    view = study.view(placed)
    fields = study.form.fields(view)
    values = {
        "form": study.form,
        "view": view,
        "fields": fields,
        "answers": work.answers if answers is None else answers,
        "problems": problems,
        "problem_of": {problem.field: problem.text for problem in problems},
        # Only warnings: the rater may insist.
        "needs_confirmation": bool(problems) and all(problem.is_warning for problem in problems),
        "is_locked": work.version > 0 and placed.item.kind in FINAL,
        "label": _LABELS.get(placed.item.kind, ""),
        "is_saved": "saved" in request.query_params,
        "keys": keys_of(fields),
        "comment_name": COMMENT,
        "has_search": bool(study.plan.corpus),
        **_progress(study, work),
    }
    layout = study.form.layout
    template = layout if isinstance(layout, Path) else f"{layout}.html"
    return render_page(request, template, status_code=status_code, **values)


def _progress(study: Study, work: Work) -> dict[str, Any]:
    """How far the rater is, and what has been said about this item."""
    with study.store.reading() as connection:
        counts = counts_by_state(connection, work.rater)
        replies = replies_to(connection, work.id)
    share = share_of_work(study)
    # Never fewer than the rater has had: one more rater may have been asked for an item of theirs.
    total = max(share.items, counts.total())
    told = {"done": counts[DONE], "total": total, "is_most": share.is_most, "parked": counts[PARKED]}
    return {"work": work, "replies": replies, **told}


_LABELS = {"training": "Training", "exam": "Exam"}
assert not set(_LABELS) & set(CHECKS)  # a rater must not see that an item is a check


def _submission(sent: Sent, answers: dict[str, Any]) -> Submission:
    id = _first(sent, "submission")[:SUBMISSION_WIDTH]
    version = _first(sent, "version")
    if not id or not version.isdecimal():
        raise HTTPException(400, "This page is incomplete. Open it again.")
    return Submission(id, int(version), answers, _seconds(sent))


def _seconds(sent: Sent) -> float:
    try:
        seconds = float(_first(sent, "seconds"))
    except ValueError:
        return 0.0
    # A browser's clock may say anything.
    return min(max(seconds, 0.0), _MOST_SECONDS) if math.isfinite(seconds) else 0.0


def _first(sent: Sent, name: str) -> str:
    # NUL is what PostgreSQL refuses, and no rater can type it.
    return (*sent.get(name, ()), "")[0].replace("\x00", "").strip()[:_MESSAGE_LIMIT]
