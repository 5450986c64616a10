"""Documents that visitors bring: read, asked, kept apart, named; hostile names and archives."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from corpus.read.made_documents import pdf_bytes, zip_bytes
from expound.corpus.library import corpus_names
from expound.serve.brought_files import safe_name
from expound.serve.desk import Desk, open_desk
from expound.serve.serve_settings import Limits, ServeSettings
from expound.serve.uploads import YOURS
from expound.serve.visitors import HEADER
from serve.serve_helpers import Page, browse

BRIDGE = (
    "# The bridge of Tallow\n\nThe bridge of Tallow was opened by the mason Ida Crumb in 1902. It has nine arches.\n"
)
QUESTION = "Who opened the bridge of Tallow?"
PDF = [["The bridge of Tallow was opened by the mason Ida Crumb in 1902.", "It has nine arches of grey stone."]]


def bring(page: Page, name: str, content: str | bytes) -> Any:
    return page.put(f"/documents/{quote(name, safe='')}", content=content)


def wait_for_reading(page: Page) -> str:
    """The list of documents once all of them are read."""
    tick = threading.Event()
    while "data-busy" in (shown := page.get("/documents").text):
        tick.wait(0.05)
    return shown


def test_a_document_is_read_and_asked(page: Page) -> None:
    assert bring(page, "bridge.md", BRIDGE).status_code == 204
    assert "bridge.md" in wait_for_reading(page)
    answer = page.ask(QUESTION, corpora=[YOURS])
    assert "Ida Crumb" in answer["answer"]["text"]
    assert answer["evidence"][0]["source"]["file"] == "bridge.md"


def test_nobody_else_sees_it_until_it_has_a_name(desk: Desk, page: Page) -> None:
    bring(page, "bridge.md", BRIDGE)
    wait_for_reading(page)
    other = browse(desk).enter(desk)
    assert "bridge.md" not in other.get("/documents").text
    assert other.post("/ask", json={"question": QUESTION, "corpora": [YOURS]}).status_code == 404
    assert other.ask(QUESTION)["abstained"]
    assert corpus_names() == ["coast"]
    assert page.post("/documents-named", data={"name": "bridges"}).status_code == 200
    wait_for_reading(page)
    assert "Ida Crumb" in other.ask(QUESTION, corpora=["bridges"])["answer"]["text"]
    assert "bridge.md" not in page.get("/documents").text


@pytest.mark.parametrize("name", ["", "sampler", "coast", "../x", "a b", "x" * 65])
def test_a_name_that_is_taken_or_none_is_refused(page: Page, name: str) -> None:
    bring(page, "bridge.md", BRIDGE)
    wait_for_reading(page)
    assert page.post("/documents-named", data={"name": name}).status_code in (400, 422)
    assert "bridge.md" in page.get("/documents").text


def test_a_document_outlives_a_server_that_was_killed(desk: Desk, page: Page, corpus: str) -> None:
    bring(page, "bridge.md", BRIDGE)
    wait_for_reading(page)
    # As if it had been killed before it could read what it had taken: another one finds the document alone.
    for folder in (desk.folder / "visitors").glob("*/corpus"):
        shutil.rmtree(folder)
    again = open_desk(ServeSettings(corpora=(corpus,), model="none"))
    other = browse(again)
    other.cookies.update(page.cookies)
    other.headers[HEADER] = page.headers[HEADER]
    assert "bridge.md" in wait_for_reading(other)
    assert "Ida Crumb" in other.ask(QUESTION, corpora=[YOURS])["answer"]["text"]
    again.close()


def test_what_a_visitor_left_behind_goes_with_the_session(desk: Desk, page: Page, corpus: str) -> None:
    bring(page, "bridge.md", BRIDGE)
    wait_for_reading(page)
    (visitor,) = (desk.folder / "visitors").iterdir()
    open_desk(desk.settings).close()
    assert visitor.is_dir()
    for file in (visitor, *visitor.rglob("*")):
        os.utime(file, (0, 0))
    open_desk(desk.settings).close()
    assert not visitor.exists()


def test_a_document_can_be_removed(page: Page) -> None:
    bring(page, "bridge.md", BRIDGE)
    wait_for_reading(page)
    page.post("/documents-removed", data={"name": "bridge.md"})
    assert "bridge.md" not in wait_for_reading(page)
    assert page.post("/documents-removed", data={"name": "../../secrets.json"}).status_code == 400


def test_what_cannot_be_read_says_why(page: Page) -> None:
    bring(page, "bridge.md", BRIDGE)
    bring(page, "broken.pdf", b"%PDF-1.4 nothing")
    assert "broken.pdf" in wait_for_reading(page)
    assert page.get("/documents").text.count('class="problem"') == 1
    # Of a kind that is not read at all: nothing is passed over in silence.
    bring(page, "photo.png", b"\x89PNG")
    assert "images are not read" in wait_for_reading(page)


def test_a_zip_is_unpacked_under_safe_names(desk: Desk, page: Page) -> None:
    hostile = zip_bytes([("../../../evil.md", BRIDGE), ("/etc/b.md", "# Bee\n\nBees fly over the bridge."), ("a/", "")])
    assert bring(page, "all.zip", hostile).status_code == 204
    shown = wait_for_reading(page)
    assert "evil.md" in shown
    assert "b.md" in shown
    assert not list(Path(desk.folder).parent.parent.glob("**/etc"))
    assert all(file.is_relative_to(desk.folder / "visitors") for file in Path(desk.folder).rglob("evil.md"))


def test_bombs_and_crowds_are_refused(corpus: str) -> None:
    small = open_desk(ServeSettings(corpora=(corpus,), model="none", limits=Limits(file_bytes=2000, files=3)))
    page = browse(small).enter(small)
    assert bring(page, "large.md", "x" * 5000).status_code == 413
    assert bring(page, "many.zip", zip_bytes([(f"{n}.md", BRIDGE) for n in range(9)])).status_code in (400, 413)
    assert bring(page, "bad.zip", b"PK nothing").status_code == 400
    for number in range(3):
        assert bring(page, f"{number}.md", BRIDGE).status_code == 204
    assert "already" in bring(page, "4.md", BRIDGE).json()["error"]
    small.close()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("a.md", "a.md"),
        ("../../a.md", "a.md"),
        ("..", "document"),
        (".hidden.md", "hidden.md"),
        ("a\n<script>.md", "a _script_.md"),
        ("x" * 300 + ".pdf", "x" * 156 + ".pdf"),
        ("書" * 120 + ".txt", "書" * 52 + ".txt"),
        ("a." + "y" * 300, "a." + "y" * 158),
        (".pdf", "pdf"),
        ("Übung 1.pdf", "Übung 1.pdf"),
    ],
)
def test_names_of_files_lead_nowhere(given: str, kept: str) -> None:
    assert safe_name(given) == kept


def test_a_page_of_a_pdf_is_a_picture(page: Page) -> None:
    bring(page, "bridge.pdf", pdf_bytes(PDF))
    wait_for_reading(page)
    answer = page.ask(QUESTION, corpora=[YOURS])
    link = f"/answers/{answer['answer_id']}/passages/1"
    shown = page.get(f"{link}?sentence=1", headers={"HX-Request": "true"}).text
    assert f"{link}/page.png?sentence=1" in shown
    picture = page.get(f"{link}/page.png?sentence=1")
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")


def test_one_name_from_two_tabs_at_once_is_one_whole_document(desk: Desk) -> None:
    async def bring_both() -> None:
        second_is_there = asyncio.Event()

        async def slow() -> AsyncIterator[bytes]:
            yield b"The first tab "
            await second_is_there.wait()
            yield b"sends this."

        async def quick() -> AsyncIterator[bytes]:
            yield b"The second tab sends that."

        first = asyncio.create_task(desk.uploads.receive("visitor", "a.txt", slow()))
        await asyncio.sleep(0)  # the first has begun
        await desk.uploads.receive("visitor", "a.txt", quick())
        second_is_there.set()
        await first

    asyncio.run(bring_both())
    (file,) = desk.folder.glob("visitors/visitor/documents/*.txt")
    assert file.read_text(encoding="utf-8") == "The first tab sends this."
