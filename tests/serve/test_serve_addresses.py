"""Pages by their address in the browser's box: fetched once by the server, kept among the visitor's own documents."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from commands import Capture, fail
from corpus.test_fetching import PAGE, Site, site
from expound.corpus import open_named
from expound.serve.desk import Desk, open_desk
from expound.serve.serve_settings import Limits, ServeSettings
from expound.serve.uploads import YOURS
from serve.serve_helpers import Page, browse
from serve.test_serve_documents import bring, wait_for_reading

__all__ = ["site"]
QUESTION = "How many stones has the tide mill?"


@pytest.fixture
def private_page(corpus: str) -> Iterator[Page]:
    """A browser on a server that was told to fetch from this machine, too."""
    desk = open_desk(ServeSettings(corpora=(corpus,), model="none", private=True))
    yield browse(desk).enter(desk)
    desk.close()


def fetch(page: Page, address: str) -> str:
    """The list of documents once what was asked for is there or refused."""
    answer = page.post("/documents-fetched", data={"address": address})
    assert answer.status_code == 200, answer.text
    return wait_for_reading(page)


def test_a_page_is_fetched_once_asked_and_cited_by_its_address(private_page: Page, site: Site) -> None:
    address = site.put("/mill.html", PAGE)
    assert f'href="{address}"' in fetch(private_page, f" {address} ")
    answer = private_page.ask(QUESTION, corpora=[YOURS])
    assert "six stones" in answer["answer"]["text"]
    assert answer["evidence"][0]["source"]["url"] == address
    # Neither its script nor its picture, and nothing more when it is asked.
    assert [path for path, _ in site.asked] == ["/mill.html"]


def test_its_address_stays_with_a_page_that_gets_a_name(private_page: Page, site: Site) -> None:
    address = site.put("/mill.html", PAGE)
    fetch(private_page, address)
    private_page.post("/documents-named", data={"name": "mills"})
    wait_for_reading(private_page)
    sources = {passage.source.url for _, passage in open_named("mills").store.iter_passages()}
    assert sources == {address}


def test_the_same_address_again_brings_the_page_up_to_date(private_page: Page, site: Site) -> None:
    address = site.put("/mill.html", PAGE)
    fetch(private_page, address)
    site.put("/mill.html", b"# The tide mill\n\nThe tide mill has nine stones now.\n", "text/markdown")
    assert fetch(private_page, address).count('class="quiet small"') == 1
    assert "nine stones" in private_page.ask(QUESTION, corpora=[YOURS])["answer"]["text"]


def test_a_fetched_page_can_be_removed(private_page: Page, site: Site) -> None:
    bring(private_page, "note.md", "# Flour\n\nThe miller sold flour to the ships.\n")
    shown = fetch(private_page, site.put("/mill.html", PAGE))
    name = shown.partition('name="name" value="')[2].partition('"')[0]
    private_page.post("/documents-removed", data={"name": name})
    assert "mill.html" not in wait_for_reading(private_page)
    assert "note.md" in private_page.get("/documents").text


def test_this_machine_and_its_network_are_refused_unless_the_server_was_told(page: Page, site: Site) -> None:
    shown = fetch(page, site.put("/mill.html", PAGE))
    assert "an address of this machine or of its own network" in shown
    assert 'role="alert"' in shown
    assert site.asked == []


def test_a_redirect_to_another_host_is_refused(private_page: Page, site: Site) -> None:
    address = site.redirect("/a", "http://localhost:1/b")
    assert "redirects to http://localhost:1/b" in fetch(private_page, address)


def test_more_than_the_bound_is_refused(private_page: Page, site: Site) -> None:
    address = site.put("/a", b"x", **{"Content-Length": str(50_000_001)})
    assert "larger than 50 MB" in fetch(private_page, address)


@pytest.mark.parametrize("address", ["", "notes.md", "file:///etc/passwd", "javascript:alert(1)", "https://a:b@c.org/"])
def test_what_is_no_address_is_refused_at_once(page: Page, address: str) -> None:
    assert page.post("/documents-fetched", data={"address": address}).status_code in (400, 422)
    assert "data-busy" not in page.get("/documents").text


def test_only_who_has_the_pages_token_may_have_something_fetched(desk: Desk, page: Page) -> None:
    assert browse(desk).post("/documents-fetched", data={"address": "https://example.org/"}).status_code == 401
    page.headers.pop("X-Expound-Token")
    assert page.post("/documents-fetched", data={"address": "https://example.org/"}).status_code == 403


def test_who_has_brought_too_much_fetches_no_more(corpus: str) -> None:
    desk = open_desk(ServeSettings(corpora=(corpus,), model="none", limits=Limits(files=1)))
    page = browse(desk).enter(desk)
    bring(page, "note.md", "# Flour\n\nThe miller sold flour to the ships.\n")
    assert "already" in page.post("/documents-fetched", data={"address": "https://example.org/"}).json()["error"]
    desk.close()


def test_strangers_cannot_be_let_into_the_own_network(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPOUND_PASSWORD", "long enough")
    assert "does not go with --public" in fail(capsys, "serve", "--public", "--private")
