"""Studies in a real browser: Chromium by Playwright, with screenshots of every form where EXPOUND_SHOTS says."""

from __future__ import annotations

import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from expound.study.design.making import ItemSources, make_study
from expound.study.engine.opened import Study
from expound.study.web.app import build_app
from expound.study.web.serving import links, listen, listen_for_all
from expound.study.web.several import build_several
from study.study_helpers import write_inputs

NEEDS_CHROMIUM = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("chromium"), reason="no chromium on PATH: apt-get install chromium libatomic1"),
]
ERRORS: list[str] = []
_PATIENCE = 120_000  # milliseconds, on a busy machine too
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def running() -> Iterator[Callable[[Any, socket.socket], None]]:
    """Runs applications on open ports as long as the test."""
    servers: list[uvicorn.Server] = []

    def run(app: Any, listening: socket.socket) -> None:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
        threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True).start()
        servers.append(server)

    yield run
    for server in servers:
        server.should_exit = True


@pytest.fixture
def served(running: Any) -> Callable[[Path], tuple[Study, dict[str, str]]]:
    """Serve studies on free ports."""

    def serve(path: Path) -> tuple[Study, dict[str, str]]:
        study, listening = listen(path, "127.0.0.1", 0)
        running(build_app(study), listening)
        return study, links(study, listening)

    return serve


@pytest.fixture
def served_together(running: Any) -> Callable[..., tuple[str, list[dict[str, str]]]]:
    """Serve several studies on one port: the link for the researcher of all, and the links of each."""

    def serve(*paths: Path) -> tuple[str, list[dict[str, str]]]:
        studies, listening, base = listen_for_all(paths, "127.0.0.1", 0)
        running(build_several(studies, base), listening)
        return f"{base}/admin/enter/{studies[0].secret('admin_secret')}", [links(one, listening) for one in studies]

    return serve


@pytest.fixture
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        ERRORS.clear()
        yield browser
        browser.close()
        assert ERRORS == []


def shoot(page: Any, name: str) -> None:
    """Screenshots, light and dark, on a desk and on a phone, if a folder for them is given."""
    folder = os.environ.get("EXPOUND_SHOTS") or SHOTS
    if not folder:
        return
    desk = page.viewport_size
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        for place, size in (("phone", PHONE), ("desk", desk)):
            page.set_viewport_size(size)
            page.screenshot(path=f"{folder}/{name}-{scheme}-{place}.png", full_page=True)


SHOTS = os.environ.get("EXPOUND_SHOTS", "")  # read before the tests clear all such variables


def join(page: Any, link: str) -> None:
    page.goto(link)
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("link", name="Continue").click()
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="begin").click()
    # Keys are heard once the scripts have run, which come with the page.
    page.locator("#answers").wait_for()
    page.wait_for_load_state()


def new_page(chromium: Any, **device: Any) -> Any:
    """A browser of someone's own; whatever it complains about is noted."""
    page = chromium.new_context(**device).new_page()
    page.set_default_timeout(_PATIENCE)
    page.on("pageerror", lambda error: ERRORS.append(str(error)))
    page.on("console", lambda message: ERRORS.append(message.text) if message.type == "error" else None)
    return page


def begin(served: Any, chromium: Any, folder: Path, form: str, **sources: Any) -> tuple[Study, Any]:
    """A study of that form, and a rater at its first item."""
    dataset, systems = write_inputs(folder)
    plan = folder / "study.toml"
    make_study(plan, form, ItemSources(dataset, systems, **sources), overlap=3, seed=1)
    study, link = served(plan)
    page = new_page(chromium)
    join(page, link["join"])
    return study, page


def violations(page: Any) -> list[str]:
    """What axe-core finds, as rule and place."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs the extra `browser`")
    found = axe.Axe().run(page).response["violations"]
    return [f"{one['id']}: {node['html'][:80]}" for one in found for node in one["nodes"]]


def assert_accessible(page: Any) -> None:
    """Landmarks are there, every control has a name, axe-core has no complaint, and nothing is wider than a phone."""
    for landmark in ("banner", "main", "contentinfo", "navigation"):
        assert page.get_by_role(landmark).count() >= 1, landmark
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("input:not([type=hidden]), textarea, button")]
          .filter(one => !(one.labels && one.labels.length) && !one.getAttribute("aria-label") && !one.textContent)
          .map(one => one.outerHTML)"""
    )
    assert nameless == []
    assert violations(page) == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
