"""The page of runs: all of a folder, how far those are that are going on, and a report on some of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, Path, Request
from fastapi.responses import FileResponse, RedirectResponse, Response

from expound.datasets.spec import without_folders
from expound.errors import UnknownName
from expound.pages.policy import BESIDE_ITS_OWN
from expound.records import question_id
from expound.runs.run_names import name_runs
from expound.runs.states import FINISHED, RUNNING, RunState, find_runs
from expound.serve.desk import Desk
from expound.serve.drawing import draw
from expound.serve.visitors import TheDesk, ThePoster, TheVisitor

router = APIRouter(include_in_schema=False)
ReportId = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]
Names = Annotated[list[str], Form(max_length=50)]
# A page has no room for more; the report itself has them all.
_MOST_METRICS = 6


@router.get("/runs")
def show_runs(request: Request, desk: TheDesk, visitor: TheVisitor) -> Response:
    """All runs; the table alone for the script that keeps it up to date."""
    runs = _all_runs(desk)
    metrics = list(dict.fromkeys(name for run in runs for name in run.results))
    shown: dict[str, Any] = {
        "runs": runs,
        "called": _names(runs),
        "metrics": metrics[:_MOST_METRICS],
        "left_out": len(metrics[_MOST_METRICS:]),
        "is_going_on": any(run.state == RUNNING for run in runs),
        "times": {run.name: _minute(run.finished) for run in runs},
        # Where things lie on this machine is nobody's affair who was only let in.
        "datasets": {run.name: without_folders(str(run.spec.get("dataset", ""))) for run in runs},
        # By name and not by place: a box that is kept stays with its run when the order changes.
        "keys": {run.name: question_id(run.name) for run in runs},
        "folders": [folder.resolve().name for folder in desk.settings.runs],
    }
    return draw(request, "runs_table.html" if request.headers.get("HX-Request") else "runs.html", **shown)


@router.post("/reports")
def order_report(request: Request, desk: TheDesk, visitor: ThePoster, run: Names) -> Response:
    """Have a report made of the chosen runs, and go to where it will be."""
    names = _names(_all_runs(desk))
    id = desk.reports.order({names[one.name]: one for one in _choose_runs(desk, run)}, visitor.key)
    # The script of the page goes there; who posts without it is sent.
    if request.headers.get("HX-Request"):
        return Response(status_code=204, headers={"HX-Redirect": f"{desk.base}/reports/{id}"})
    return RedirectResponse(f"{desk.base}/reports/{id}", 303)


@router.get("/reports/{id}")
def show_report(request: Request, desk: TheDesk, visitor: TheVisitor, id: ReportId) -> Response:
    """A report; while it is being made, how far it is."""
    making = desk.reports.state(id)
    is_part = bool(request.headers.get("HX-Request"))
    if making is not None:
        return draw(request, "making.html" if is_part else "report_wait.html", making=making, id=id)
    if is_part:
        return Response(status_code=204, headers={"HX-Redirect": f"{desk.base}/reports/{id}"})
    headers = {"Content-Security-Policy": BESIDE_ITS_OWN}
    return FileResponse(desk.reports.file(id), media_type="text/html; charset=utf-8", headers=headers)


def _all_runs(desk: Desk) -> list[RunState]:
    if not desk.settings.runs:
        raise HTTPException(404, "No folder of runs is shown here. Start the server with --runs FOLDER.")
    return [run for folder in desk.settings.runs for run in find_runs(folder)]


def _names(runs: Sequence[RunState]) -> dict[str, str]:
    """What each run is called on the page and in reports made there, by its path."""
    paths = [run.name for run in runs]
    return dict(zip(paths, name_runs([run.plan for run in runs], paths), strict=True))


def _choose_runs(desk: Desk, names: Sequence[str]) -> list[RunState]:
    """The finished runs of these names; a name is looked up and never made a path of."""
    known = {run.name: run for run in _all_runs(desk) if run.state == FINISHED}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UnknownName(f"no finished run is called {unknown[0][:80]!r}; open the page again")
    # The oldest first, as a lab book is read: the same runs are the same report, in whatever order they were chosen.
    return sorted((known[name] for name in set(names)), key=lambda run: (run.finished, run.name))


def _minute(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M") if at else ""
