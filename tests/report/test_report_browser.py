"""A report in a real browser, opened from the disk: Chromium by Playwright; EXPOUND_SHOTS says where pictures go."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from expound.report.gathering import report
from expound.report.report_formats import write_report
from expound.report.report_request import ReportRequest
from report.report_world import HOSTILE, reported, write_judgments, write_world

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("chromium"), reason="no chromium on PATH: apt-get install chromium libatomic1"),
]
SHOTS = os.environ.get("EXPOUND_SHOTS", "")  # read before the tests clear all such variables
SIZES = {"desk": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}


@pytest.fixture
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


def opened(chromium: Any, path: Path, link: str = "", **settings: Any) -> Any:
    """A page of a report; whatever the browser complains about, or loads from elsewhere, is noted in `page.noted`."""
    page = chromium.new_context(viewport=SIZES["desk"], **settings).new_page()
    page.set_default_timeout(600_000)
    page.noted = []
    page.on("pageerror", lambda error: page.noted.append(str(error)))
    page.on("console", lambda message: page.noted.append(message.text) if message.type == "error" else None)
    page.on("request", lambda asked: None if asked.url.startswith(("file:", "blob:")) else page.noted.append(asked.url))
    page.goto(path.as_uri() + link)
    return page


def written(folder: Path, **changes: Any) -> Path:
    split = changes.pop("split", False)
    return write_report(reported(folder, **changes), folder / ("out" if split else "report.html"), split=split)


@pytest.mark.parametrize("split", [False, True], ids=["file", "folder"])
def test_a_question_is_shown_with_its_answers_side_by_side(chromium: Any, tmp_path: Path, split: bool) -> None:
    page = opened(chromium, written(tmp_path, split=split))
    page.locator(".answer").nth(1).wait_for()
    assert "Charles the Bald" in page.locator(".answer").nth(0).inner_text()
    assert "Charles the Bald" not in page.locator(".answer").nth(1).inner_text()
    page.locator(".answer").nth(0).get_by_label("passage 1").click()
    assert page.locator(".answer").nth(0).locator("mark").first.inner_text() == "Louis ruled it last."
    assert page.locator(".unsupported").inner_text() == "Charles the Bald of Burgundy ruled it before 1830."
    assert page.noted == []


def test_a_part_that_was_left_behind_is_told(chromium: Any, tmp_path: Path) -> None:
    page_file = written(tmp_path, split=True)
    (page_file.parent / "passages-0.js").unlink()
    page = opened(chromium, page_file)
    assert "passages-0.js is not beside this page" in page.get_by_role("alert").inner_text()


def test_keys_go_on_and_back_and_to_the_search(chromium: Any, tmp_path: Path) -> None:
    page = opened(chromium, written(tmp_path))
    page.locator("body[data-drawn='q0']").wait_for()
    page.keyboard.press("j")
    page.locator("body[data-drawn='q1']").wait_for()
    page.keyboard.press("j")
    page.locator("body[data-drawn='q2']").wait_for()
    page.keyboard.press("k")
    page.locator("body[data-drawn='q1']").wait_for()
    page.keyboard.press("/")
    page.keyboard.type("land 11")
    page.locator("body[data-drawn='q11'][data-shown='1']").wait_for()
    assert page.locator("#place").inner_text() == "1 of 1"
    assert page.noted == []


def test_keys_can_be_switched_off_and_stay_off(chromium: Any, tmp_path: Path) -> None:
    page = opened(chromium, written(tmp_path))
    page.locator("body[data-drawn='q0']").wait_for()
    switch = page.get_by_role("checkbox", name="Keys: j next, k previous, / search")
    switch.focus()
    page.keyboard.press("Space")
    page.keyboard.press("j")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "keys"
    page.reload()
    page.locator("body[data-drawn='q0']").wait_for()
    assert not switch.is_checked()
    page.keyboard.press("j")
    # Had the key been heard, this would lead to the question after the next.
    page.get_by_role("button", name="Next").click()
    page.locator("body[data-drawn='q1']").wait_for()
    switch.check()
    page.keyboard.press("j")
    page.locator("body[data-drawn='q2']").wait_for()
    assert page.noted == []


def test_a_link_leads_to_its_question(chromium: Any, tmp_path: Path) -> None:
    page = opened(chromium, written(tmp_path), "#q=q7")
    page.locator("body[data-drawn='q7']").wait_for()
    assert page.locator("#question h3").first.inner_text() == "Who ruled land 7?"
    page.get_by_role("button", name="Next").click()
    page.locator("body[data-drawn='q8']").wait_for()
    assert page.url.endswith("#q=q8")
    page.go_back()
    page.locator("body[data-drawn='q7']").wait_for()


def test_questions_are_filtered_and_sorted(chromium: Any, tmp_path: Path) -> None:
    page = opened(chromium, written(tmp_path, people=[write_judgments(tmp_path, n=3, odd=1)]))
    page.locator("body[data-drawn='q0']").wait_for()
    page.get_by_label("Show").select_option("votes")
    page.locator("body[data-shown='3']").wait_for()
    page.get_by_label("Order").select_option("disagree")
    page.locator("body[data-drawn='q1']").wait_for()
    assert "shorter is <b>better</b>" in page.locator("#question").inner_text()
    page.get_by_label("Show").select_option("unsupported")
    page.locator("body[data-shown='12']").wait_for()
    page.get_by_label("System").select_option("1")
    page.locator("body[data-shown='0']").wait_for()
    assert page.locator("#place").inner_text() == "no question fits"
    assert page.locator("#question").is_hidden()
    # Whoever follows a link sees its question all the same.
    page.evaluate("location.hash = '#q=q7'")
    page.locator("body[data-drawn='q7'] #question").wait_for()
    assert page.noted == []


def test_questions_of_a_domain_and_those_that_fail_a_check_can_be_shown(chromium: Any, tmp_path: Path) -> None:
    page = opened(chromium, written(tmp_path))
    page.locator("body[data-drawn='q0']").wait_for()
    page.get_by_label("Domain").select_option("east")
    page.locator("body[data-shown='6'][data-drawn='q1']").wait_for()
    checks = page.get_by_label("checks that this answer fails").first.inner_text()
    assert "in no passage: Bald of Burgundy, 1830" in checks
    page.get_by_label("Show").select_option("checks")
    page.locator("body[data-shown='6']").wait_for()
    assert page.noted == []


def test_hostile_texts_are_shown_and_not_obeyed(chromium: Any, tmp_path: Path) -> None:
    page = opened(chromium, written(tmp_path, n=3, hostile=HOSTILE))
    page.locator(".answer").nth(1).wait_for()
    page.keyboard.press("j")
    page.locator("#place", has_text="2 of 3").wait_for()
    assert page.evaluate("window.hacked") is None
    assert "<img src=x onerror='window.hacked=1'>\ufffd" in page.locator(".said").first.inner_text()
    assert page.locator("img").count() == 0
    assert page.noted == []


def test_without_scripts_the_summary_is_there(chromium: Any, tmp_path: Path) -> None:
    page = opened(chromium, written(tmp_path), java_script_enabled=False)
    assert "both is above one by 50.0" in page.locator("main").inner_text()
    assert page.locator("svg").count() >= 3
    assert page.get_by_text("scripts are switched off").is_visible()
    assert not page.locator("#browser").is_visible()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_cut_off(chromium: Any, tmp_path: Path, size: str, scheme: str) -> None:
    page = opened(chromium, written(tmp_path, people=[write_judgments(tmp_path)]), color_scheme=scheme)
    page.set_viewport_size(SIZES[size])
    page.locator(".answer").nth(1).wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == SIZES[size]["width"]
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/report-{scheme}-{size}.png", full_page=True)


def test_on_paper_no_table_is_wider_than_the_page(chromium: Any, tmp_path: Path) -> None:
    spec, (both, one) = write_world(tmp_path)
    others = [tmp_path / f"a-system-with-quite-a-long-name-{number}.jsonl" for number in range(8)]
    for file in others:
        file.write_bytes(one.read_bytes())
    metrics = ("StrEm()", "Length()", *(f"Rouge(kind={kind!r})" for kind in ("1", "2", "l", "lsum")))
    found = report(ReportRequest(sources=[both, *others], dataset=spec, metrics=metrics))
    page = opened(chromium, write_report(found, tmp_path / "report.html"), java_script_enabled=False)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 700, "height": 1000})  # A4 with its margins
    wider = "all => all.filter((one) => one.querySelector('table').scrollWidth > one.clientWidth).length"
    assert page.locator(".scroll:visible").evaluate_all(wider) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_no_complaint(chromium: Any, tmp_path: Path, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs the extra `browser`")
    path = written(tmp_path, people=[write_judgments(tmp_path)])
    page = opened(chromium, path, color_scheme=scheme, bypass_csp=True)  # the policy would not let axe in
    page.locator(".answer").nth(1).wait_for()
    found = axe.Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
