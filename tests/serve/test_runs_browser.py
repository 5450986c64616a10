"""The page of runs in a real browser: Chromium by Playwright; EXPOUND_SHOTS says where pictures go."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from expound.files import hold_lock
from expound.pages.listening import open_port
from expound.runs.answers import lock_of
from expound.serve.desk import open_desk
from expound.serve.front import build_front
from expound.serve.pages_server import address, entrance
from expound.serve.serve_settings import ServeSettings
from expound.study.web.serving import mount_studies
from runs.test_run_states import begin
from serve.test_serve_runs import runs
from study.study_helpers import Make, make

__all__ = ["make", "runs"]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("chromium"), reason="no chromium on PATH: apt-get install chromium libatomic1"),
]
SHOTS = os.environ.get("EXPOUND_SHOTS", "")  # read before the tests clear all such variables
SIZES = {"desk": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
Served = Callable[..., str]


@pytest.fixture
def served(corpus: str) -> Iterator[Served]:
    """Serve the pages on a free port; the address that lets in."""
    servers: list[tuple[uvicorn.Server, threading.Thread]] = []

    def serve(studies: Sequence[Path] = (), **changes: Any) -> str:
        listening = open_port("127.0.0.1", 0)
        desk = open_desk(ServeSettings(**{"corpora": (corpus,), "model": "none", **changes}))
        mounted = [mount_studies(studies, address(desk, listening))] if studies else []
        front = build_front(desk, mounted)
        server = uvicorn.Server(uvicorn.Config(front, log_level="warning", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        servers.append((server, thread))
        return entrance(desk, listening)

    yield serve
    for server, thread in servers:
        server.should_exit = True
        thread.join(60)


@pytest.fixture
def browser_page() -> Iterator[Any]:
    """A page; whatever the browser complains about, or loads from elsewhere, is noted."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_context(viewport=SIZES["desk"], bypass_csp=False).new_page()
        page.set_default_timeout(600_000)
        page.noted = []
        page.on("pageerror", lambda error: page.noted.append(str(error)))
        page.on("console", lambda one: page.noted.append(one.text) if one.type == "error" else None)
        page.on("request", lambda asked: page.noted.append(asked.url) if "//127.0.0.1" not in asked.url else None)
        yield page
        browser.close()


def shoot(page: Any, name: str) -> None:
    """Nothing is cut off at either size, light and dark; and pictures, if a folder for them is given."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for place, size in SIZES.items():
            page.set_viewport_size(size)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, scheme, place)
            if SHOTS:
                page.screenshot(path=f"{SHOTS}/{name}-{scheme}-{place}.png")
    page.set_viewport_size(SIZES["desk"])


def complaints(page: Any) -> list[str]:
    """What axe-core says of a page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs the extra `browser`")
    found: dict[str, Any] = axe.Axe().run(page).response
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found["violations"]]


def test_a_running_run_moves_and_a_report_is_made_of_two(browser_page: Any, served: Served, runs: Path) -> None:
    page, out = browser_page, begin(runs / "third", answered=1)
    with hold_lock(lock_of(out)):
        page.goto(served(runs=(runs,)))
        page.get_by_role("link", name="Runs").click()
        page.get_by_text("1 of 4 answered").wait_for()
        page.get_by_label("first").check()
        out.write_text('{"id": "q"}\n' * 3, encoding="utf-8")
        # Without a click; what was chosen stays chosen.
        page.get_by_text("3 of 4 answered").wait_for()
        assert page.get_by_label("first").is_checked()
        shoot(page, "runs")
    page.get_by_label("second").check()
    page.get_by_role("button", name="Make a report").click()
    page.get_by_role("heading", name="Report: first, second").wait_for()
    # The script of the report is at work, in a page that has no session.
    page.locator(".answer").nth(1).wait_for()
    assert page.evaluate("origin") == "null"
    assert page.noted == []


def test_who_chooses_nothing_is_told(browser_page: Any, served: Served, runs: Path) -> None:
    page = browser_page
    page.goto(served(runs=(runs,)))
    page.get_by_role("link", name="Runs").click()
    page.get_by_role("button", name="Make a report").click()
    page.get_by_role("alert").filter(has_text="run").wait_for()


def test_axe_has_no_complaint_about_runs(browser_page: Any, served: Served, runs: Path) -> None:
    page, out = browser_page, begin(runs / "third", answered=1)
    with hold_lock(lock_of(out)):
        page.goto(served(runs=(runs,)))
        page.get_by_role("link", name="Runs").click()
        page.get_by_text("1 of 4 answered").wait_for()
        assert complaints(page) == []


def test_the_head_leads_to_all_that_is_there(browser_page: Any, served: Served, runs: Path, make: Make) -> None:
    page, plan = browser_page, make("eli5-preference", name="one").plan
    page.goto(served(studies=[plan.folder / "one.toml"], runs=(runs,)))
    assert page.locator("nav a").all_inner_texts() == ["Ask", "Runs", "Studies", "API"]
    page.get_by_role("link", name="API").click()
    page.get_by_role("heading", name="For programs").wait_for()
    shoot(page, "api")
    assert complaints(page) == []
    page.get_by_role("link", name="Studies").click()
    page.get_by_role("link", name="one").wait_for()
    shoot(page, "studies")
    assert complaints(page) == []
    page.get_by_role("link", name="one").click()
    page.get_by_role("heading", name="Monitor: one").wait_for()
    shoot(page, "monitor")
    page.get_by_role("link", name="All studies").click()
    page.get_by_role("heading", name="Studies").wait_for()
    assert page.noted == []


def test_axe_has_no_complaint_about_the_entrance_and_about_errors(browser_page: Any, served: Served) -> None:
    page, base = browser_page, served(password="long enough").partition("/enter/")[0]
    page.goto(f"{base}/enter")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Enter").click()
    page.get_by_role("alert").filter(has_text="not the password").wait_for()
    shoot(page, "entrance")
    assert complaints(page) == []
    page.get_by_label("Password").fill("long enough")
    page.get_by_role("button", name="Enter").click()
    page.get_by_label("Your question").wait_for()
    page.goto(f"{base}/answers/{'0' * 16}")
    page.get_by_role("heading", name="This did not work").wait_for()
    shoot(page, "message")
    assert complaints(page) == []


def test_axe_has_no_complaint_about_readings_that_are_open(browser_page: Any, served: Served) -> None:
    page = browser_page
    page.goto(served(corpora=("sampler",)))
    page.get_by_label("Your question").fill("Who was the ruler of France in 1830?")
    page.keyboard.press("Enter")
    cards = page.locator("details.reading")
    cards.nth(1).wait_for()
    cards.nth(0).locator("summary").first.click()
    cards.nth(0).locator("article.answer").wait_for()
    shoot(page, "readings")
    assert complaints(page) == []
    assert page.noted == []
