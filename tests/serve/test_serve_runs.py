"""Runs beside the page where one asks: seen and reported on; nobody gets further than that."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from commands import Capture, fail
from expound.experiment import run
from expound.files import hold_lock
from expound.runs.answers import lock_of
from expound.serve.desk import Desk, open_desk
from expound.serve.serve_settings import ServeSettings
from report.report_world import HOSTILE
from runs.test_run_states import begin, plan_of
from serve.serve_helpers import Page, browse

Open = Callable[..., Desk]


@pytest.fixture
def open_it(corpus: str) -> Iterator[Open]:
    opened: list[Desk] = []

    def make(**changes: object) -> Desk:
        settings = ServeSettings(corpora=(corpus,), model="none", **changes)  # type: ignore[arg-type]  # by name
        opened.append(open_desk(settings))
        return opened[-1]

    yield make
    for desk in opened:
        desk.close()


@pytest.fixture
def runs(tmp_path: Path, punkt_file: Path) -> Path:
    """Two finished runs over the same questions."""
    for name in ("first", "second"):
        run(plan_of(tmp_path), tmp_path / "runs" / name)
    return tmp_path / "runs"


def wait_for(desk: Desk, id: str) -> None:
    """Until a report is there, or will never be: what is behind it in the lane comes after it."""
    over = threading.Event()
    desk.reports._lane.submit(lambda _tell: over.set(), tell=lambda _event: None, whose="test")
    assert over.wait(300)


def ordered(page: Page, *names: str) -> str:
    """The id of the report on some runs."""
    answer = page.post("/reports", data={"run": list(names)}, headers={"HX-Request": "true"})
    assert answer.status_code == 204, answer.text
    return answer.headers["HX-Redirect"].rpartition("/")[2]


def test_runs_are_listed_with_their_numbers_and_how_far_they_are(open_it: Open, runs: Path) -> None:
    page = browse(desk := open_it(runs=(runs,))).enter(desk)
    out = begin(runs / "third", answered=2)
    assert '<a href="/runs">Runs</a>' in re.sub(r"\s+aria-current=\S+", "", page.get("/").text)
    with hold_lock(lock_of(out)):
        shown = page.get("/runs").text
        assert '<progress max="4" value="2" aria-label="third">' in shown
        assert str(runs) not in shown
        # The table asks for itself again, and comes without the page around it.
        assert 'hx-trigger="every 2s"' in shown
        assert "<h1>" not in page.get("/runs", headers={"HX-Request": "true"}).text
    assert "stopped after 2 of 4" in page.get("/runs").text
    out.write_text('{"id": "q"}\n' * 4, encoding="utf-8")
    assert "stopped before its scores; run it again" in page.get("/runs").text
    assert 'hx-trigger="every 2s"' not in page.get("/runs").text


def test_a_run_is_called_the_same_on_the_page_and_in_its_report(open_it: Open, runs: Path, tmp_path: Path) -> None:
    run(replace(plan_of(tmp_path), name="other"), runs / "third")
    page = browse(desk := open_it(runs=(runs,))).enter(desk)
    # By its plan; two of one plan by their folders, also where the report has only one of them.
    shown = re.findall(r'value="(\w+)" hx-preserve="true"> (\w+)</label>', page.get("/runs").text)
    assert dict(shown) == {"first": "first", "second": "second", "third": "other"}
    wait_for(desk, id := ordered(page, "first", "third"))
    assert "<title>Report: first, other</title>" in page.get(f"/reports/{id}").text


def test_a_report_is_made_on_demand_and_kept(open_it: Open, runs: Path) -> None:
    page = browse(desk := open_it(runs=(runs,))).enter(desk)
    id = ordered(page, "first", "second")
    wait_for(desk, id)
    made = page.get(f"/reports/{id}")
    assert "<title>Report: first, second</title>" in made.text
    # Its script is known by its hash, and it stands alone: nothing in it can use the reader's session.
    assert made.headers["Content-Security-Policy"].startswith("sandbox allow-scripts;")
    assert page.get(f"/reports/{id}", headers={"HX-Request": "true"}).headers["HX-Redirect"] == f"/reports/{id}"
    written = desk.reports.file(id).stat().st_mtime_ns
    assert ordered(page, "first", "second") == id
    assert desk.reports.file(id).stat().st_mtime_ns == written


def test_while_a_report_is_made_its_page_says_how_far_it_is(open_it: Open, runs: Path) -> None:
    page = browse(desk := open_it(runs=(runs,))).enter(desk)
    go_on = threading.Event()
    desk.reports._lane.submit(lambda _tell: go_on.wait(300), tell=lambda _event: None, whose="test")
    id = ordered(page, "first")
    waiting = page.get(f"/reports/{id}").text
    assert "The report is being made" in waiting
    assert f'hx-get="/reports/{id}"' in waiting
    go_on.set()
    wait_for(desk, id)
    assert page.get(f"/reports/{id}").text.startswith("<!doctype html>")


def test_runs_of_other_questions_are_no_report_and_the_page_says_why(open_it: Open, runs: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    run(plan_of(other, n=2), runs / "third")
    page = browse(desk := open_it(runs=(runs,))).enter(desk)
    id = ordered(page, "first", "third")
    wait_for(desk, id)
    assert "these runs answered different questions" in page.get(f"/reports/{id}").text


@pytest.mark.parametrize("name", ["../../etc", "/etc/passwd", "third", HOSTILE])
def test_a_name_is_looked_up_and_never_a_path(open_it: Open, runs: Path, name: str) -> None:
    begin(runs / "third", answered=1)
    page = browse(desk := open_it(runs=(runs,))).enter(desk)
    answer = page.post("/reports", data={"run": [name]})
    assert (answer.status_code, "no finished run is called" in answer.json()["error"]) == (404, True)


def test_only_who_was_let_in_and_has_the_pages_token_may_have_one_made(open_it: Open, runs: Path) -> None:
    desk = open_it(runs=(runs,))
    assert browse(desk).get("/runs", headers={"Accept": "application/json"}).status_code == 401
    page = browse(desk).enter(desk)
    page.headers.pop("X-Expound-Token")
    assert page.post("/reports", data={"run": ["first"]}).status_code == 403
    assert page.get(f"/reports/{'0' * 16}").status_code == 404


def test_a_hostile_name_of_a_run_is_shown_and_not_obeyed(open_it: Open, tmp_path: Path) -> None:
    begin(tmp_path / "runs" / "<img src=x onerror=alert(1)>", answered=1)
    page = browse(desk := open_it(runs=(tmp_path / "runs",))).enter(desk)
    assert "<img" not in page.get("/runs").text


def test_without_a_folder_there_is_no_page_of_runs(page: Page) -> None:
    assert "/runs" not in page.get("/").text
    assert page.get("/runs").status_code == 404


def test_a_folder_that_is_not_there_is_a_users_mistake(tmp_path: Path, capsys: Capture) -> None:
    assert "is no folder" in fail(capsys, "serve", "--runs", str(tmp_path / "none"))
