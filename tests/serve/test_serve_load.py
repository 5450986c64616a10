"""Many at once, and a server that is killed: 50 who ask on two cores, searches in between, nothing kept is lost."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPException
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest

from expound.corpus import library
from expound.opinions import read_opinions
from serve.serve_helpers import QUESTION, events_in

pytestmark = pytest.mark.slow
USERS = 50
PASSAGES = 5000
VISITORS = 6
_PATIENCE_SECONDS = 600
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class Server:
    """`expound serve` in a process of its own."""

    def __init__(self, corpus: str) -> None:
        command = [sys.executable, "-m", "expound", "serve", "--corpus", corpus, "--model", "none", "--port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout
        link = self.process.stdout.readline().split()[1]
        self.address, _, self.token = link.partition("/enter/")

    def send(
        self,
        path: str,
        values: Any = None,
        headers: Mapping[str, str] | None = None,
        *,
        data: bytes = b"",
        method: str = "POST",
    ) -> str:
        body = data or json.dumps(values or {}).encode()
        sent = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}", **(headers or {})}
        with urlopen(Request(self.address + path, body, sent, method=method), timeout=_PATIENCE_SECONDS) as answer:
            return str(answer.read().decode())

    def cpu_seconds(self) -> float:
        """The work of the server so far, by the kernel's count."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def server(corpus: str) -> Iterator[Server]:
    started = Server(corpus)
    yield started
    started.kill()


@pytest.fixture
def coasts(tmp_path: Path) -> str:
    """A corpus of some thousand passages: a lighthouse each, between words that many share."""
    draw = random.Random(0)
    words = [f"{draw.choice(('sal', 'mor', 'ten', 'gal'))}{number}" for number in range(4000)]
    # A few words are in most passages and most words in few, as in any language.
    weights = [1 / place for place in range(1, len(words) + 1)]
    file = tmp_path / "coasts.jsonl"
    with file.open("w", encoding="utf-8") as lines:
        for number in range(PASSAGES):
            told = f"The lighthouse of Cape {words[number % 4000]} was built in {1700 + number % 300} by Ada Fenwick."
            more = " ".join(draw.choices(words, weights, k=40))
            text = f"{told} It {more}. Ships {' '.join(draw.choices(words, k=30))}."
            lines.write(json.dumps({"id": f"p{number}", "title": f"Cape {number}", "text": text}) + "\n")
    library.add([file], name="coasts")
    return "coasts"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the kernel does not tell the work of a process")
@pytest.mark.parametrize("name", ["corpus", "coasts"], ids=["two documents", "thousands of passages"])
def test_fifty_ask_at_once_and_searches_wait_for_nobody(name: str, request: pytest.FixtureRequest) -> None:
    server = Server(request.getfixturevalue(name))
    try:
        ask_all_at_once(server)
        search_cheaply(server)
    finally:
        server.kill()


def ask_all_at_once(server: Server) -> None:
    """All are answered, and nobody waits without being told."""
    together = threading.Barrier(USERS)

    def ask(number: int) -> list[tuple[str, dict[str, Any]]]:
        together.wait(_PATIENCE_SECONDS)
        question = f"{QUESTION[:-1]} in 18{number:02}?"
        return events_in(server.send("/ask", {"question": question, "stream": True}))

    before = server.cpu_seconds()
    with ThreadPoolExecutor(USERS) as pool:
        asked = [pool.submit(ask, number) for number in range(USERS)]
        heard = [one.result() for one in asked]
    print(f"{(server.cpu_seconds() - before) / USERS * 1000:.0f} ms of CPU an answer")
    assert all(events[-1][0] == "answer" for events in heard)
    waited = [[value["ahead"] for name, value in events if name == "waiting"] for events in heard]
    # Nobody is ever told of more than there are, and places only become better.
    assert sum(bool(places) for places in waited) >= USERS - 10
    assert all(places == sorted(places, reverse=True) and max(places) < USERS for places in waited if places)


def search_cheaply(server: Server) -> None:
    before = server.cpu_seconds()
    for number in range(USERS):
        server.send("/search", {"question": f"ferry crossing in calm weather to Cape ten{number} in 18{number:02}"})
    each = (server.cpu_seconds() - before) / USERS
    print(f"{each * 1000:.1f} ms of CPU a search")
    assert each < 0.1


def test_a_killed_server_loses_no_document_and_no_vote(server: Server, corpus: str) -> None:
    entered = browser_of(server)
    document = b"# Bridge\n\nIda Crumb opened the bridge.\n"
    server.send("/documents/bridge.md", headers=entered, data=document, method="PUT")
    id = json.loads(server.send("/ask", {"question": QUESTION}, entered))["answer_id"]
    form = {**entered, "Content-Type": "application/x-www-form-urlencoded"}
    server.send(f"/answers/{id}/vote", headers=form, data=b"value=yes")
    server.kill()
    (vote,) = read_opinions()
    assert (vote.form, vote.value) == ("serve", "yes")
    again = Server(corpus)
    try:
        with urlopen(Request(f"{again.address}/documents", headers=entered), timeout=_PATIENCE_SECONDS) as answer:
            assert "bridge.md" in answer.read().decode()
        shown = Request(f"{again.address}/answers/{id}", headers=entered)
        with urlopen(shown, timeout=_PATIENCE_SECONDS) as answer:
            assert 'aria-pressed="true">right' in answer.read().decode()
    finally:
        again.kill()


class Kept:
    """What a server has confirmed to its visitors, before it was killed."""

    def __init__(self) -> None:
        self.documents: list[tuple[dict[str, str], str]] = []
        self.votes = 0
        self._guard = threading.Lock()
        self.enough = threading.Event()

    def visit(self, server: Server, number: int) -> None:
        """Bring documents and vote until the server is gone."""
        with suppress(OSError, HTTPException):
            entered = browser_of(server)
            form = {**entered, "Content-Type": "application/x-www-form-urlencoded"}
            for turn in range(1000):
                name = f"bridge-{number}-{turn}.md"
                text = f"# Bridge {turn}\n\nIda Crumb opened the bridge of number {number} in 18{turn:02}.\n"
                server.send(f"/documents/{name}", headers=entered, data=text.encode(), method="PUT")
                self.documents.append((entered, name))
                question = f"{QUESTION[:-1]} in 1{number:02}{turn}?"
                id = json.loads(server.send("/ask", {"question": question, "corpora": ["coast"]}, entered))["answer_id"]
                server.send(f"/answers/{id}/vote", headers=form, data=b"value=yes")
                with self._guard:
                    self.votes += 1
                    if self.votes == VISITORS * 2:
                        self.enough.set()


def test_nothing_that_was_confirmed_is_lost_in_the_middle_of_everything(server: Server, corpus: str) -> None:
    kept = Kept()
    with ThreadPoolExecutor(VISITORS) as pool:
        visits = [pool.submit(kept.visit, server, number) for number in range(VISITORS)]
        assert kept.enough.wait(_PATIENCE_SECONDS)
        server.kill()
        for visit in visits:
            visit.result()
    assert len(read_opinions()) >= kept.votes
    again = Server(corpus)
    try:
        for entered, name in kept.documents:
            with urlopen(Request(f"{again.address}/documents", headers=entered), timeout=_PATIENCE_SECONDS) as answer:
                assert name in answer.read().decode()
    finally:
        again.kill()


def browser_of(server: Server) -> dict[str, str]:
    """The headers of a browser that was let in; it has no token of programs."""
    jar = CookieJar()
    browser = build_opener(HTTPCookieProcessor(jar))
    with browser.open(f"{server.address}/enter/{server.token}", timeout=_PATIENCE_SECONDS) as page:
        text = page.read().decode()
    cookie = "; ".join(f"{one.name}={one.value}" for one in jar)
    return {"Cookie": cookie, "X-Expound-Token": re.findall(r'data-token="([^"]*)"', text)[0], "Authorization": ""}
