"""Many who ask `expound serve` at the same moment while somebody searches: what it costs, and who waits how long.

    python benchmarks/serve_load.py [--passages FILE.jsonl.gz --questions ASQA.json.gz] [--users 50] [--no-embedder]

On this machine alone, over a corpus of its own; without files, the sampler. Prints JSON. Seconds of a processor are the
kernel's count for the server; the others are by the clock of a machine that may be busy with more. Fails when somebody
is not answered, is told nothing, or a search costs a tenth of a second.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.request import HTTPCookieProcessor, Request, build_opener

PATIENCE_SECONDS = 900  # for one answer: fifty wait for each other
MOST_SEARCH_SECONDS = 0.1  # of a processor
BETWEEN_SEARCHES = 0.5  # seconds: somebody who types
TICKS = os.sysconf("SC_CLK_TCK")
EMBEDDER = ("minilm", "minilm-tokenizer")
SAMPLED = ("Why are most boats white", "How do jellyfish function without brains", "Who was the ruler of France")


@dataclass
class Heard:
    """What one visitor heard of a question: names and values of events, each with its second after the question."""

    events: list[tuple[float, str, dict[str, Any]]] = field(default_factory=list)

    @property
    def places(self) -> list[int]:
        return [value["ahead"] for _, name, value in self.events if name == "waiting"]

    @property
    def is_answered(self) -> bool:
        return bool(self.events) and self.events[-1][1] == "answer"

    @property
    def silence(self) -> float:
        """The longest time in which nothing was heard."""
        times = [0.0, *(at for at, _, _ in self.events)]
        return max(later - earlier for earlier, later in itertools.pairwise(times))


class Server:
    """`expound serve` in a process of its own, on loopback."""

    def __init__(self, corpus: str) -> None:
        command = [sys.executable, "-m", "expound", "serve", "--corpus", corpus, "--model", "none", "--port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.link = self.process.stdout.readline().split()[1]

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def peak_megabytes(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) / 1024

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Browser:
    """A visitor with a session of its own."""

    def __init__(self, server: Server) -> None:
        self._address = server.link.partition("/enter/")[0]
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))
        with self._opener.open(server.link, timeout=PATIENCE_SECONDS) as page:
            self._token = re.findall(r'data-token="([^"]*)"', page.read().decode())[0]

    def open(self, path: str, values: dict[str, Any]) -> Any:
        headers = {"Content-Type": "application/json", "X-Expound-Token": self._token}
        request = Request(self._address + path, json.dumps(values).encode(), headers)
        return self._opener.open(request, timeout=PATIENCE_SECONDS)

    def ask(self, question: str) -> Heard:
        started, heard, name = time.perf_counter(), Heard(), ""
        with self.open("/ask", {"question": question, "stream": True}) as stream:
            for line in stream:
                kind, _, value = line.decode().rstrip("\n").partition(": ")
                if kind == "event":
                    name = value
                elif kind == "data":
                    heard.events.append((time.perf_counter() - started, name, json.loads(value)))
        return heard

    def search(self, words: str) -> float:
        """Seconds until the passages are there."""
        started = time.perf_counter()
        with self.open("/search", {"question": words}) as found:
            json.load(found)
        return time.perf_counter() - started


def main() -> None:
    options = parse_options()
    with tempfile.TemporaryDirectory() as home:
        os.environ["EXPOUND_HOME"] = home
        corpus = prepare(options)
        server = Server(corpus)
        try:
            figures = measure(server, options)
        finally:
            server.kill()
    print(json.dumps({"corpus": corpus, "load": round(os.getloadavg()[0], 1), **figures}, indent=1))
    told_nothing = figures["answered"] < options.users or figures["told_a_place"] < options.users - 10
    if told_nothing or figures["search_cpu_ms"] >= 1000 * MOST_SEARCH_SECONDS:
        sys.exit("too slow, or somebody was not told")


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=Path, help="ready passages, JSON Lines, gzipped or not")
    parser.add_argument("--questions", type=Path, help="an ASQA file, gzipped")
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--no-embedder", action="store_true", help="search by words alone")
    return parser.parse_args()


def prepare(options: argparse.Namespace) -> str:
    """The corpus that is asked, and the embedder unless told otherwise; both in a home that is thrown away."""
    expound = [sys.executable, "-m", "expound"]
    if not options.no_embedder:
        subprocess.run([*expound, "models", "get", *EMBEDDER], check=True, stdout=sys.stderr)
    if not options.passages:
        return "sampler"
    add = [*expound, "corpus", "add", str(options.passages), "--name", "asked"]
    subprocess.run(add, check=True, stdout=sys.stderr)
    return "asked"


def measure(server: Server, options: argparse.Namespace) -> dict[str, Any]:
    questions = read_questions(options.questions)
    asked = [next(questions) for _ in range(options.users)]
    browsers = [Browser(server) for _ in asked]
    # The first question loads the models: not what the fiftieth pays for.
    browsers[0].ask(next(questions))
    before, started = server.cpu_seconds(), time.perf_counter()
    heard, meanwhile = ask_and_search(browsers, asked, Browser(server))
    cpu, seconds = server.cpu_seconds() - before, time.perf_counter() - started
    before = server.cpu_seconds()
    for words in (next(questions) for _ in range(options.users)):
        browsers[0].search(words)
    return {
        "users": options.users,
        "answered": sum(one.is_answered for one in heard),
        "abstained": sum(bool(one.events[-1][2].get("abstained")) for one in heard),
        "told_a_place": sum(bool(one.places) for one in heard),
        "seconds_in_all": round(seconds, 1),
        "answer_cpu_ms": round(1000 * cpu / options.users),
        "until_first_word_s": spread([one.events[0][0] for one in heard]),
        "until_answer_s": spread([one.events[-1][0] for one in heard]),
        "longest_silence_s": spread([one.silence for one in heard]),
        "searches_meanwhile": len(meanwhile),
        "search_meanwhile_ms": spread([1000 * one for one in meanwhile]),
        "search_cpu_ms": round(1000 * (server.cpu_seconds() - before) / options.users, 1),
        "peak_mb": round(server.peak_megabytes()),
    }


def ask_and_search(browsers: list[Browser], asked: list[str], searcher: Browser) -> tuple[list[Heard], list[float]]:
    """All ask at the same moment; until the last is answered somebody else searches, again and again."""
    together, over = threading.Barrier(len(asked)), threading.Event()

    def ask(browser: Browser, question: str) -> Heard:
        together.wait(PATIENCE_SECONDS)
        return browser.ask(question)

    def search() -> list[float]:
        seconds: list[float] = []
        while not over.wait(BETWEEN_SEARCHES):
            seconds.append(searcher.search(asked[len(seconds) % len(asked)]))
        return seconds

    with ThreadPoolExecutor(len(asked) + 1) as pool:
        searching = pool.submit(search)
        try:
            heard = list(pool.map(ask, browsers, asked))
        finally:
            over.set()
        return heard, searching.result()


def read_questions(file: Path | None) -> Iterator[str]:
    """Questions that nobody has asked before."""
    if file is None:
        for year in range(1500, 2000):
            yield f"{SAMPLED[year % len(SAMPLED)]} in {year}?"
        return
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        for row in json.load(opened)["dev"].values():
            yield row["ambiguous_question"]


def spread(values: list[float]) -> dict[str, float]:
    ranked = sorted(values) or [0.0]
    places = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    return {name: round(ranked[min(int(share * len(ranked)), len(ranked) - 1)], 2) for name, share in places.items()}


if __name__ == "__main__":
    main()
