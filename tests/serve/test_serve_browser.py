"""The pages in a real browser: Chromium by Playwright; EXPOUND_SHOTS says where pictures go."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn

from corpus.read.made_documents import pdf_bytes
from expound.opinions import read_opinions
from expound.pages.listening import open_port
from expound.serve.desk import Desk
from expound.serve.front import build_front
from expound.serve.pages_server import entrance
from serve.serve_helpers import QUESTION

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("chromium"), reason="no chromium on PATH: apt-get install chromium libatomic1"),
]
SHOTS = os.environ.get("EXPOUND_SHOTS", "")  # read before the tests clear all such variables
SIZES = {"desk": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
_PATIENCE = 120_000  # milliseconds, on a busy machine too
LINES = [
    "Notes on the bridge of Tallow, from the archive of the town",
    "",
    "The bridge of Tallow was opened by the mason Ida Crumb in 1902.",
    "It has nine arches of grey stone and is crossed by two trains a day.",
]


@pytest.fixture
def address(desk: Desk) -> Iterator[str]:
    """The pages at a free port; the address to open."""
    listening = open_port("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(build_front(desk), log_level="warning", timeout_graceful_shutdown=1))
    threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True).start()
    yield entrance(desk, listening)
    server.should_exit = True


@pytest.fixture
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra `browser`")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium: Any, address: str) -> Iterator[Any]:
    """A tab with the page open; whatever the browser complains about, or loads from elsewhere, fails the test."""
    page = chromium.new_context(viewport=SIZES["desk"]).new_page()
    page.set_default_timeout(_PATIENCE)
    page.noted = noted = []
    here = address.partition("/enter/")[0]
    page.on("pageerror", lambda error: noted.append(str(error)))
    page.on("console", lambda message: noted.append(message.text) if message.type == "error" else None)
    page.on("request", lambda asked: None if asked.url.startswith(here) else noted.append(asked.url))
    page.goto(address)
    yield page
    assert noted == []


def ask(page: Any, question: str) -> Any:
    """Ask by the keyboard; the answer, once it is there."""
    count = page.locator("article.answer").count()
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    page.locator("article.answer").nth(count).wait_for()
    return page.locator("article.answer").first


def drop(page: Any, name: str, content: bytes, *, shown: str = "") -> None:
    """Drop a file on the page as a hand would."""
    page.evaluate(
        """([name, bytes]) => {
          const held = new DataTransfer();
          held.items.add(new File([new Uint8Array(bytes)], name));
          for (const kind of ["dragover", "drop"]) {
            document.querySelector("main").dispatchEvent(
              new DragEvent(kind, { dataTransfer: held, bubbles: true, cancelable: true }));
          }
        }""",
        [name, list(content)],
    )
    page.locator("#documents:not([data-busy]) .files li", has_text=shown or name).wait_for()


def shoot(page: Any, name: str) -> None:
    """Screenshots, light and dark, on a desk and on a phone, if a folder for them is given."""
    if not SHOTS:
        return
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        for place, size in (("phone", SIZES["phone"]), ("desk", SIZES["desk"])):
            page.set_viewport_size(size)
            page.screenshot(path=f"{SHOTS}/{name}-{scheme}-{place}.png", full_page=place == "phone")


def assert_accessible(page: Any) -> None:
    """Axe-core has no complaint in light and dark, and nothing is wider than a phone."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs the extra `browser`")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        found = axe.Axe().run(page).response["violations"]
        assert [f"{one['id']}: {node['html'][:100]}" for one in found for node in one["nodes"]] == []
    page.set_viewport_size(SIZES["phone"])
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES["phone"]["width"]
    page.set_viewport_size(SIZES["desk"])


def test_a_dropped_pdf_is_asked_and_its_sentence_is_shown_on_its_page(tab: Any) -> None:
    shoot(tab, "empty")
    drop(tab, "bridge.pdf", pdf_bytes([LINES]))
    answer = ask(tab, "Who opened the bridge of Tallow?")
    answer.get_by_role("link", name="Ida Crumb").first.click()
    picture = tab.locator("#beside img.page")
    picture.wait_for()
    picture.evaluate("picture => picture.decode()")
    assert "Ida Crumb" in tab.locator("#beside mark").inner_text()
    shoot(tab, "pdf")
    assert_accessible(tab)


def test_a_click_on_a_sentence_marks_it_in_its_document(tab: Any) -> None:
    answer = ask(tab, QUESTION)
    answer.locator("a.sentence").first.click()
    tab.locator("#beside mark").wait_for()
    assert tab.locator("#beside mark").inner_text().endswith("by the engineer Ada Fenwick.")
    assert "whale oil" in tab.locator("#beside").inner_text()
    shoot(tab, "passage")
    assert_accessible(tab)
    tab.keyboard.press("Escape")
    assert tab.locator("#beside").inner_text() == ""
    assert tab.evaluate("document.activeElement.className").startswith("sentence")


def test_without_a_text_model_too_entries_come_one_by_one_with_their_citations(tab: Any) -> None:
    tab.evaluate(
        """() => {
          window.came = [];
          const note = (changes) => window.came.push(...changes.flatMap((change) => [...change.addedNodes])
            .filter((node) => node.matches?.(".entry")).map((node) => node.textContent.trim()));
          new MutationObserver(note).observe(document.getElementById("answers"), { childList: true, subtree: true });
        }"""
    )
    answer = ask(tab, QUESTION)
    record = tab.evaluate("async (question) => (await send('/ask', { question })).json()", QUESTION)
    entries = [
        f"{one['text']} {''.join(f'[{number}]' for number in one['citations'])}"
        for one in record["answer"]["sentences"]
    ]
    assert len(entries) > 1
    assert tab.evaluate("window.came") == entries
    assert "".join(answer.locator("a.sentence").all_inner_texts()) == "".join(entries).replace(" [", "[")


def test_whoever_waits_sees_what_is_being_done(tab: Any) -> None:
    tab.evaluate(
        """() => {
          window.said = [];
          // Every text that was there, also one that another took the place of at once.
          const texts = (change) => [...change.addedNodes].map((node) => node.data);
          const note = (changes) => window.said.push(...changes
            .filter((change) => change.target.matches?.(".waiting [role=status]")).flatMap(texts));
          new MutationObserver(note).observe(document.getElementById("answers"), { childList: true, subtree: true });
        }"""
    )
    ask(tab, QUESTION)
    said = [text for text in tab.evaluate("window.said") if text not in ("Asking …", "Looking for an answer …")]
    assert said == ["Searching …", "Reading 3 passages of 2 documents …", "Choosing sentences …"]
    assert tab.locator(".waiting").count() == 0


def test_enter_pressed_twice_asks_once_and_the_box_is_free_for_the_next_question(tab: Any) -> None:
    tab.get_by_label("Your question").fill(QUESTION)
    tab.keyboard.press("Enter")
    tab.keyboard.press("Enter")
    assert tab.get_by_label("Your question").input_value() == ""
    tab.locator("article.answer").wait_for()
    tab.keyboard.type("How high does it stand?\n")
    tab.locator("article.answer").nth(1).wait_for()
    assert tab.locator("article.answer h2").all_inner_texts() == [
        "How high does the lighthouse of Marrow Point stand?", QUESTION
    ]  # fmt: skip
    assert tab.title() == "How high does the lighthouse of Marrow Point stand? · expound"
    tab.get_by_text("Asked before").click()
    assert tab.locator("#before a").all_inner_texts()[-1] == QUESTION


def test_a_question_that_is_refused_stands_in_the_box_again(tab: Any) -> None:
    tab.get_by_label("Your question").fill("???")
    tab.keyboard.press("Enter")
    tab.get_by_text("the question is empty").wait_for()
    assert tab.get_by_label("Your question").input_value() == "???"
    assert tab.locator("#answers > *").count() == 0
    (complaint,) = tab.noted
    assert "400" in complaint
    tab.noted.clear()


def test_on_a_phone_the_passage_comes_up_and_its_sentence_stays_in_sight(tab: Any) -> None:
    tab.set_viewport_size(SIZES["phone"])
    sentence = ask(tab, QUESTION).locator("a.sentence").first
    sentence.click()
    tab.locator("#beside mark").wait_for()
    above, passage, marked = (
        tab.locator(where).bounding_box() for where in ("a.sentence.chosen", "#beside", "#beside mark")
    )
    assert 0 <= above["y"] < above["y"] + above["height"] <= passage["y"]
    assert passage["y"] <= marked["y"] < SIZES["phone"]["height"]
    tab.get_by_role("link", name="Close the passage").click()
    assert tab.locator("#beside").inner_text() == ""


def test_the_whole_way_goes_by_the_keyboard(tab: Any) -> None:
    tab.keyboard.type(f"{QUESTION}\n")
    tab.locator("article.answer").wait_for()
    press_until(tab, "a.sentence")
    tab.keyboard.press("Enter")
    tab.locator("#beside mark").wait_for()
    press_until(tab, "#beside button")
    tab.keyboard.press("Enter")
    tab.locator("#beside").get_by_text("Kept.").wait_for()
    tab.keyboard.press("Escape")
    assert tab.evaluate("document.activeElement.matches('a.sentence')")
    press_until(tab, "[data-copy]")
    press_until(tab, "#files")
    press_until(tab, "#address")


def press_until(page: Any, wanted: str) -> None:
    """Press Tab until something of this kind has the focus; no page of ours needs more than thirty."""
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"no key leads to {wanted}")


def test_votes_are_kept(tab: Any) -> None:
    answer = ask(tab, QUESTION)
    answer.get_by_role("button", name="right").click()
    answer.get_by_text("Kept.").wait_for()
    answer.locator("a.sentence").first.click()
    tab.get_by_role("button", name="This sentence is not supported").click()
    tab.locator("#beside").get_by_text("Kept.").wait_for()
    said = [(one.criterion, one.value) for one in read_opinions()]
    assert said == [("right", "yes"), ("supported", "no")]
    tab.reload()
    assert tab.get_by_role("button", name="right").get_attribute("aria-pressed") == "true"


def test_a_follow_up_means_what_the_last_question_was_about(tab: Any) -> None:
    ask(tab, QUESTION)
    answer = ask(tab, "How high does it stand?")
    assert "31 metres" in answer.inner_text()
    assert "You asked: How high does it stand?" in answer.inner_text()
    tab.goto(tab.url.partition("/answers/")[0] + "/")
    tab.get_by_text("Asked before").click()
    tab.get_by_role("link", name=QUESTION).click()
    tab.locator("article.answer").wait_for()
    shoot(tab, "before")


def test_an_answer_is_copied(tab: Any) -> None:
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    answer = ask(tab, QUESTION)
    answer.get_by_role("button", name="Copy the citations").click()
    answer.get_by_role("button", name="Copied").wait_for()
    assert tab.evaluate("navigator.clipboard.readText()").startswith("[1] The lighthouse of Marrow Point")


def test_without_an_answer_the_nearest_passages_open(tab: Any) -> None:
    answer = ask(tab, "Which ferry has a moon with an atmosphere?")
    assert "No answer" in answer.inner_text()
    shoot(tab, "no-answer")
    assert_accessible(tab)


def test_documents_get_a_name(tab: Any) -> None:
    drop(tab, "bridge.pdf", pdf_bytes([LINES]))
    tab.get_by_label("Keep them as a corpus").fill("bridges")
    tab.get_by_role("button", name="Name them").click()
    tab.locator("#documents:not([data-busy]):not(:has(.files))").wait_for(state="attached")
    tab.reload()
    tab.get_by_label("bridges").wait_for()


def test_no_document_can_make_the_page_load_or_run_anything(tab: Any) -> None:
    hostile = (
        "# The tower <script>alert(1)</script>\n\nThe tower of Wick was built by <img src=http://127.0.0.1:1/x.png "
        "onerror=alert(1)> Jo Wick in 1899. ![x](http://127.0.0.1:1/y.png) <iframe src='http://127.0.0.1:1/'></iframe>\n"
    )
    tab.on("dialog", lambda dialog: pytest.fail(dialog.message))
    drop(tab, "tower'><img src=x onerror=alert(1)>.txt", hostile.encode(), shown="onerror=alert(1)")
    answer = ask(tab, "Who built the tower of Wick? <img src=http://127.0.0.1:1/z.png>")
    answer.locator("a").first.click()
    tab.locator("#beside .here").wait_for()
    assert tab.locator("main img, main iframe, main script").count() == 0
