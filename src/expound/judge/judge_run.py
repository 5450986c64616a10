"""One run of a judge: the model is opened with its accounts, everything is judged and audited, then written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from expound.errors import EndpointFailed, UserError
from expound.judge.court import JudgeReport, hold_court
from expound.judge.courtroom import Courtroom
from expound.judge.judge_request import JudgeRequest
from expound.judge.judged_files import check_out, check_place, judged_spec, spent_file, write_judged
from expound.judge.probes import forecast_probes
from expound.judge.rulings import trials_of
from expound.models.ledger import Forecast, open_account, summary_of
from expound.models.remarks import to_stderr
from expound.models.text import choose_model
from expound.protocols import TextModel
from expound.score.counts import Report

_NAMELESS = "unknown"  # the model of a server that cannot be asked: no reply is kept under this name


def judge(
    request: JudgeRequest,
    out: Path,
    *,
    model: str = "auto",
    threads: int = 0,
    most_cost: float | None = None,
    report: Report | None = None,
) -> tuple[JudgeReport, dict[str, Any]]:
    """Judge, audit, and write the judgments with what belongs to them; the report, and what the text model took.

    A run that was stopped goes on where it was: every reply is kept before it is used, and none is paid for twice.
    """
    # Before a model is opened: a bad place or file is told while nothing is fetched, loaded or paid.
    check_place(out)
    trials_of(request.part, request.items, request.seed)
    # Of this output and not of the process: what an earlier, stopped part has cost counts against the limit too.
    account = open_account(spent_file(out), most_cost)
    opened = _open(request, model, threads=threads, account=account)
    # Only now, since `auto` has a name when it is open; nothing was asked yet.
    check_out(out, judged_spec(request, opened.name))
    found = hold_court(request, opened, report=report)
    spent = summary_of(account.counts())
    write_judged(found, request, out, spent=spent)
    return found, spent


def forecast_judge(request: JudgeRequest, *, model: str = "auto") -> Forecast:
    """What judging and probing would take at most: replies that are kept take nothing.

    A server that does not answer is no reason to know nothing: it is only asked for the name of its model, and without
    that no reply is taken for kept.
    """
    trials = trials_of(request.part, request.items, request.seed)
    opened = _open_unasked(request, model)
    probes = forecast_probes(trials, count=request.probes, seed=request.seed)
    return Courtroom(request.part, opened, request.pool).forecast([*trials, *probes])


def _open_unasked(request: JudgeRequest, name: str) -> TextModel:
    try:
        return _open(request, name, tries=1)
    except EndpointFailed as error:
        address = os.environ.get("EXPOUND_ENDPOINT", "") if name == "auto" else name
        to_stderr(f"{error}; forecast as if it had judged nothing yet")
        return _open(request, f"{address}#{_NAMELESS}")


def _open(request: JudgeRequest, name: str, **options: Any) -> TextModel:
    model = choose_model(name, **options)
    if model is None:
        raise UserError(f"{request.part!r} needs a text model: name one with --model")
    return model
