"""The researcher's pages: the monitor, messages and their replies, invitations, downloads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from expound.agreement.analysis_page import analysis_page
from expound.errors import UserError
from expound.pages.policy import IN_ONE_FILE_SERVED
from expound.stats.interim import LEVEL
from expound.study.design.form import Problem
from expound.study.engine import raters as people
from expound.study.engine.correspondence import all_messages, give_feedback, reply_to
from expound.study.engine.decisions import ask_one_more, decide
from expound.study.engine.looks import next_look, progress_of
from expound.study.engine.opened import Study
from expound.study.engine.sent_answers import all_answers, latest_answers
from expound.study.forms.posted import Sent, problems_of, read_answers
from expound.study.out.adjudicating import Contested, contested_items
from expound.study.out.analyzing import analyze_study
from expound.study.out.answer_view import answers_to_show
from expound.study.out.exports import exports_of, offered_exports
from expound.study.out.monitor import status_of
from expound.study.web.access import Number, Posted, TheAdmin, TheSite
from expound.study.web.render import go, keys_of, render_page

router = APIRouter(prefix="/admin")
_REPLY_LIMIT = 5000  # as long as what raters may ask
_LIVE_SAMPLES = 200  # intervals for a first look in a second or two; `study analyze` draws 1000
_INVITE_LIMIT = 200  # a slip of the finger must not fill the page with codes


@router.get("")
def monitor(request: Request, site: TheSite, _admin: TheAdmin) -> Response:
    """The whole page; its first part brings itself up to date."""
    with site.study.store.reading() as connection:
        status, messages = status_of(site.study, connection), all_messages(site.study, connection)
        codes = people.unused_codes(connection)
    # The plan's address first: behind a proxy the request knows only the inner one.
    join_link = f"{site.study.plan.base_url.rstrip('/') or str(request.base_url).rstrip('/')}/join/{site.join_token}"
    return render_page(request, "admin.html", status=status, messages=messages, codes=codes, join_link=join_link,
                exports=offered_exports(site.study), sent=request.query_params.get("sent", ""))  # fmt: skip


@router.get("/live")
def live(request: Request, site: TheSite, _admin: TheAdmin) -> Response:
    """The part of the monitor that changes."""
    with site.study.store.reading() as connection:
        return render_page(request, "live.html", status=status_of(site.study, connection))


@router.post("/reply/{message}")
def reply(request: Request, site: TheSite, _admin: TheAdmin, message: Number, sent: Posted) -> Response:
    """Answer a rater's question, for that rater alone or for everyone."""
    with site.study.store.writing() as connection:
        if not reply_to(connection, message, _text(sent), is_public=bool(sent.get("is_public"))):
            raise HTTPException(404, "There is no such message.")
    return go(request, f"/admin?sent={message}#message-{message}")


@router.post("/feedback/{assignment}")
def feedback(request: Request, site: TheSite, _admin: TheAdmin, assignment: Number, sent: Posted) -> Response:
    """Tell a rater what could be better about a finished item."""
    with site.study.store.writing() as connection:
        rater = give_feedback(connection, assignment, _text(sent))
    if rater is None:
        raise HTTPException(404, "There is no such item.")
    return go(request, f"/admin/answers/{rater}?sent={assignment}#answers-{assignment}")


@router.post("/invite")
def invite(request: Request, site: TheSite, _admin: TheAdmin, sent: Posted) -> Response:
    """Make personal codes to hand out."""
    count = (*sent.get("count", ()), "1")[0]
    with site.study.store.writing() as connection:
        for _ in range(min(int(count), _INVITE_LIMIT) if count.isdecimal() else 1):
            people.invite(connection)
    return go(request, "/admin")


@router.post("/withdraw/{rater}")
def withdraw(request: Request, site: TheSite, _admin: TheAdmin, rater: Number, sent: Posted) -> Response:
    """Delete a rater's data on request."""
    if sent.get("confirmed"):
        with site.study.store.writing() as connection:
            people.withdraw(connection, rater)
    return go(request, "/admin")


@router.get("/answers/{rater}")
def answers(request: Request, site: TheSite, _admin: TheAdmin, rater: Number) -> Response:
    """What a rater has said so far, to give feedback on it."""
    name, sent = people.pseudonym(rater), request.query_params.get("sent", "")
    records = [answers_to_show(site.study, one) for one in all_answers(site.study) if one.rater == name]
    return render_page(request, "answers.html", name=name, records=records, sent=sent)


@router.get("/analysis")
def ask_before_look(request: Request, site: TheSite, admin: TheAdmin) -> Response:
    """Nobody sees p-values of a study that goes on by accident: a look is asked for, and written down."""
    with site.study.store.reading() as connection:
        done, planned = progress_of(site.study, connection)
        level = next_look(connection, done, planned).level if done and planned else LEVEL
    # With all judgments in, or none, there is nothing that a look could spoil.
    if done >= planned or not done:
        return look(request, site, admin, {})
    return render_page(request, "look.html", done=done, planned=planned, level=level)


@router.post("/analysis")
def look(request: Request, site: TheSite, _admin: TheAdmin, _sent: Posted) -> Response:
    """What the judgments say so far; a page by itself, with its style inside."""
    try:
        found = analyze_study(site.study, samples=_LIVE_SAMPLES)
    except UserError as error:
        return render_page(request, "message.html", title="Analysis", text=f"There is nothing to show yet: {error}.")
    return HTMLResponse(analysis_page(found), headers={"Content-Security-Policy": IN_ONE_FILE_SERVED})


@router.get("/queue")
def queue(request: Request, site: TheSite, _admin: TheAdmin) -> Response:
    """The items on which raters differ."""
    return render_page(request, "queue.html", contested=contested_items(site.study))


@router.post("/more/{item}")
def one_more(request: Request, site: TheSite, _admin: TheAdmin, item: Number, _sent: Posted) -> Response:
    """Have a further rater judge an item."""
    contested = _contested(site.study, item)
    with site.study.store.writing() as connection:
        ask_one_more(connection, contested.number)
    return go(request, f"/admin/queue#item-{item}")


@router.get("/decide/{item}")
def show_contested(request: Request, site: TheSite, _admin: TheAdmin, item: Number) -> Response:
    """An item as raters saw it, blind, with what they said and the same questions for the expert."""
    return _decide_page(request, site.study, _contested(site.study, item))


@router.post("/decide/{item}")
def save_decision(request: Request, site: TheSite, _admin: TheAdmin, item: Number, sent: Posted) -> Response:
    """Keep what the expert says beside what the raters said."""
    study, contested = site.study, _contested(site.study, item)
    view = study.view(study.items[item])
    answers = read_answers(study.form, view, sent)
    problems = [problem for problem in problems_of(study.form, view, answers) if not problem.is_warning]
    if problems:
        return _decide_page(request, study, contested, answers=answers, problems=problems)
    with study.store.writing() as connection:
        decide(connection, study.items[item], answers)
    return go(request, "/admin/queue")


def _contested(study: Study, item: int) -> Contested:
    found = next((one for one in contested_items(study) if one.number == item), None)
    if found is None:
        raise HTTPException(404, "Raters do not differ on this item.")
    return found


def _decide_page(
    request: Request,
    study: Study,
    contested: Contested,
    *,
    answers: Mapping[str, Any] | None = None,
    problems: Sequence[Problem] = (),
) -> Response:
    placed = study.items[contested.number]
    view = study.view(placed)
    fields = study.form.fields(view)
    values: dict[str, Any] = {
        "contested": contested,
        "said": [answers_to_show(study, one) for one in latest_answers(study) if one.placed.number == placed.number],
        "view": view,
        "fields": fields,
        "answers": answers or {},
        "problem_of": {problem.field: problem.text for problem in problems},
        "keys": keys_of(fields),
    }
    return render_page(request, "decide.html", status_code=422 if problems else 200, **values)


@router.get("/export/{name}")
def export(site: TheSite, _admin: TheAdmin, name: str) -> Response:
    """One of the exports, by a name of the table: nothing else can be asked for."""
    exports = exports_of(site.study)
    if name not in exports:
        raise HTTPException(404, f"There is no such export; there are: {', '.join(exports)}")
    try:
        content = exports[name].write(site.study)
    except UserError as error:
        raise HTTPException(404, f"This cannot be exported: {error}.") from error
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=exports[name].media_type, headers=headers)


def _text(sent: Sent) -> str:
    return (*sent.get("text", ()), "")[0].replace("\x00", "").strip()[:_REPLY_LIMIT]
