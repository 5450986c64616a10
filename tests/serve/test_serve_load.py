"""Many at once, and a server that is killed: 50 who ask on two cores, searches in between, nothing kept is lost."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest

from expound.opinions import read_opinions
from serve.serve_helpers import QUESTION, events_in

pytestmark = pytest.mark.slow
USERS = 50
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


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the kernel does not tell the work of a process")
def test_fifty_ask_at_once_and_searches_wait_for_nobody(server: Server) -> None:
    together = threading.Barrier(USERS)

    def ask(number: int) -> list[tuple[str, dict[str, Any]]]:
        together.wait(_PATIENCE_SECONDS)
        question = f"{QUESTION[:-1]} in 18{number:02}?"
        return events_in(server.send("/ask", {"question": question, "stream": True}))

    with ThreadPoolExecutor(USERS + 1) as pool:
        asked = [pool.submit(ask, number) for number in range(USERS)]
        heard = [one.result() for one in asked]
    assert all(events[-1][0] == "answer" for events in heard)
    waited = [[value["ahead"] for name, value in events if name == "waiting"] for events in heard]
    # Nobody waits without being told, and nobody is ever told of more than there are.
    assert sum(bool(places) for places in waited) >= USERS - 10
    assert all(places == sorted(places, reverse=True) and max(places) < USERS for places in waited if places)
    before = server.cpu_seconds()
    for _ in range(USERS):
        server.send("/search", {"question": "ferry crossing in calm weather"})
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


def browser_of(server: Server) -> dict[str, str]:
    """The headers of a browser that was let in; it has no token of programs."""
    jar = CookieJar()
    browser = build_opener(HTTPCookieProcessor(jar))
    with browser.open(f"{server.address}/enter/{server.token}", timeout=_PATIENCE_SECONDS) as page:
        text = page.read().decode()
    cookie = "; ".join(f"{one.name}={one.value}" for one in jar)
    return {"Cookie": cookie, "X-Expound-Token": re.findall(r'data-token="([^"]*)"', text)[0], "Authorization": ""}
