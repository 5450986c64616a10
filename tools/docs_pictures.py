"""Make the pictures of the docs: the page where one asks and a report, from the sampler and the examples, in Chromium.

    EXPOUND_HOME=FOLDER .venv/bin/python tools/docs_pictures.py

The folder has the embedder and the sentence models (`expound models get`); nothing of the user's own is shown.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from expound import run
from expound.report import ReportRequest, report, write_report
from expound.runs.plan import read_plan
from expound.serve import ServeSettings, entrance, open_server, serve

ROOT = Path(__file__).resolve().parent.parent
WIDTH, HEIGHT = 1120, 760
MOST_BYTES = 200_000  # a README is read on phones, too
QUESTION = "Who was the ruler of France in 1830?"
SYSTEMS = {"composed": "Composed()", "extractive": "Extractive(words=40)"}


def main() -> None:
    with opened_browser() as page:
        picture(page, "serve", show_answer)
        picture(page, "report", show_report)


@contextmanager
def opened_browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.set_default_timeout(600_000)
        yield page
        browser.close()


def picture(page: Any, name: str, show: Any) -> None:
    show(page)
    file = ROOT / "docs" / f"{name}.png"
    shot = Image.open(BytesIO(page.screenshot()))
    # Text on plain grounds: 64 colours look the same, and take a third of the bytes.
    shot.convert("RGB").quantize(64).save(file, optimize=True)
    size = file.stat().st_size
    print(f"{file.relative_to(ROOT)}: {size / 1000:.0f} kB")
    if size > MOST_BYTES:
        sys.exit(f"{file} is larger than {MOST_BYTES / 1000:.0f} kB")


def show_answer(page: Any) -> None:
    """A question, its answer, and the passage of its first sentence beside it."""
    desk, listening = open_server(ServeSettings(corpora=("sampler",), model="none"), "127.0.0.1", 0)
    threading.Thread(target=serve, args=(desk, listening), daemon=True).start()
    page.goto(entrance(desk, listening))
    page.get_by_label("Your question").fill(QUESTION)
    page.keyboard.press("Enter")
    page.locator("a.sentence").first.click()
    page.locator("#beside mark").wait_for()


def show_report(page: Any) -> None:
    """Two systems side by side, and the passage that the first cites."""
    os.chdir(ROOT)  # the plan names its dataset from here
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / system for system in SYSTEMS]
        for folder, answer in zip(folders, SYSTEMS.values(), strict=True):
            run(read_plan(Path("examples/scoring/experiment.toml"), answer=answer, name=folder.name), folder)
        file = write_report(report(ReportRequest(sources=folders)), Path(name) / "report.html")
        page.goto(f"{file.as_uri()}#q=france")
        page.locator(".answer").nth(1).wait_for()
        page.locator(".answer").first.get_by_label("passage 1").first.click()
        page.evaluate("document.getElementById('browse').scrollIntoView()")


if __name__ == "__main__":
    main()
