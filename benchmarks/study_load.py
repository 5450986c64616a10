"""A study under load: raters who think, judge and submit at a given rate, a server that may be killed, and the count.

    python benchmarks/study_load.py --raters 100 --judgments 5000 --rate 40 --kill
    python benchmarks/study_load.py --database postgresql://user@host/name --kill --kill-database DATA_FOLDER

Prints JSON: how many answers were acknowledged, found, lost and doubled, how many items have too many raters, and how
long the server took.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import resource
import shlex
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2 as httpx
import sqlalchemy as sa

from expound.study.engine.opened import Study, open_study
from expound.study.engine.schema import assignments, submissions

RETRY_SECONDS, TRIES = 0.2, 300
SERVER_FAILED = 500  # and above, of HTTP's answers
JOIN_SECONDS = 10
KILL_AFTER = (0.3, 0.6)
KILL_DATABASE_AFTER = 0.45
# Each client would make one of its own and read all certificates, for a server that has none.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
ANSWERS = {"overall": "left", "coherent": "tie", "factual": "right"}
# Three marks on the first words, two of which overlap.
MARKED = {
    "spans": "\n".join(
        json.dumps({"label": label, "place": 0, "start": start, "end": start + 9, "quote": "word word"})
        for label, start in (("hallucination", 0), ("repetition", 5), ("misunderstanding", 20))
    )
}


@dataclass
class Figures:
    """What the raters saw."""

    acknowledged: list[str] = field(default_factory=list)
    acknowledged_at: list[float] = field(default_factory=list)
    submit_seconds: list[float] = field(default_factory=list)
    page_seconds: list[float] = field(default_factory=list)
    retries: int = 0
    kills: int = 0
    database_kills: int = 0


def make_plan(folder: Path, raters: int, judgments: int, database: str, *, has_spans: bool = False) -> Path:
    """Items for so many judgments, ten raters each; of those whose words are marked there is one answer."""
    overlap = min(10, raters)
    items = [
        {
            "id": f"i{number}",
            "question": f"Question {number}?",
            "candidates": [{"system": "one", "text": "word " * 80}, {"system": "two", "text": "term " * 80}][
                : 1 if has_spans else 2
            ],
        }
        for number in range(-(-judgments // overlap))
    ]
    (folder / "load.items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    plan = folder / "load.toml"
    each = -(-judgments // raters)
    form = "coding" if has_spans else "hurdles-ab"
    lines = [f'form = "{form}"\noverlap = {overlap}\nitems_per_rater = {each}']
    plan.write_text("\n".join([*lines, f"database = {json.dumps(database)}" if database else ""]), encoding="utf-8")
    return plan


class Server:
    """The server as a process of its own, on one port however often it is started."""

    def __init__(self, plan: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._command = [sys.executable, "-m", "expound", "study", "serve", str(plan), "--port", str(self.port)]
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        if not all(self._process.stdout.readline() for _ in range(2)):
            raise RuntimeError("the server did not start")

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


async def send(client: httpx.AsyncClient, figures: Figures, method: str, path: str, **more: Any) -> httpx.Response:
    """A request, repeated until the server answers: what a person does who presses reload."""
    for _ in range(TRIES):
        try:
            answer = await client.request(method, path, **more)
            # A server that has lost its database says so; what was sent is sent again, as it is.
            if answer.status_code < SERVER_FAILED:
                return answer
        except httpx.TransportError:
            pass
        figures.retries += 1
        await asyncio.sleep(RETRY_SECONDS)
    raise RuntimeError(f"no answer from the server after {TRIES} tries")


def hidden(html: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', html)
    if not found:
        raise RuntimeError(f"no {name} in the page:\n{html[:2000]}")
    return found[1]


async def rate_items(port: int, join: str, figures: Figures, think_seconds: float, seed: int) -> None:
    """One rater from the join link to the end; thinking takes longer or shorter, but keeps the pace."""
    draw = random.Random(seed)
    address = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=address, timeout=60, follow_redirects=True, verify=NO_TLS) as client:
        await asyncio.sleep(draw.random() * JOIN_SECONDS)
        page = await send(client, figures, "GET", join)
        page = await send(client, figures, "POST", join, data={"token": hidden(page.text, "token")})
        token = hidden((await send(client, figures, "GET", "/")).text, "token")
        await send(client, figures, "POST", "/consent", data={"token": token, "agreed": "on"})
        page = await send(client, figures, "POST", "/instructions", data={"token": token})
        due = time.perf_counter()
        while 'id="answers"' in page.text:
            due += think_seconds
            ready = due + draw.uniform(-0.5, 0.5) * think_seconds
            await asyncio.sleep(max(ready - time.perf_counter(), 0.1 * think_seconds))
            page = await submit(client, figures, page)


async def submit(client: httpx.AsyncClient, figures: Figures, page: httpx.Response) -> httpx.Response:
    """Send the answers of a page; the page after it. The answer counts as acknowledged when the server moves on."""
    id = hidden(page.text, "submission")
    data = {name: hidden(page.text, name) for name in ("token", "submission", "version", "seconds")} | (
        MARKED if "data-spans" in page.text else ANSWERS
    )
    started = time.perf_counter()
    answer = await send(client, figures, "POST", page.url.path, data=data, follow_redirects=False)
    figures.submit_seconds.append(time.perf_counter() - started)
    if answer.status_code != 303:
        raise RuntimeError(f"{answer.status_code}: {answer.text[:2000]}")
    figures.acknowledged.append(id)
    figures.acknowledged_at.append(time.perf_counter())
    started = time.perf_counter()
    following = await send(client, figures, "GET", answer.headers["location"])
    figures.page_seconds.append(time.perf_counter() - started)
    return following


async def run(server: Server, study: Study, options: argparse.Namespace) -> Figures:
    figures = Figures()
    join = f"/join/{study.secret('join_token')}"
    think_seconds = options.raters / options.rate
    raters = [rate_items(server.port, join, figures, think_seconds, seed) for seed in range(options.raters)]
    kills = [kill_now_and_then(server, figures, options)] if options.kill else []
    if options.kill_database:
        kills.append(kill_database(options.kill_database, figures, options))
    await asyncio.gather(*raters, *kills)
    return figures


async def kill_now_and_then(server: Server, figures: Figures, options: argparse.Namespace) -> None:
    """Kill the server with -9 in the middle of the load, and start it again."""
    for share in KILL_AFTER:
        while len(figures.acknowledged) < share * options.judgments:
            await asyncio.sleep(0.05)
        server.kill()
        figures.kills += 1
        await asyncio.to_thread(server.start)


async def kill_database(data: Path, figures: Figures, options: argparse.Namespace) -> None:
    """Kill PostgreSQL with -9 in the middle of the load, and start it again as it was started."""
    while len(figures.acknowledged) < KILL_DATABASE_AFTER * options.judgments:
        await asyncio.sleep(0.05)
    os.kill(int((data / "postmaster.pid").read_text(encoding="ascii").split()[0]), signal.SIGKILL)
    figures.database_kills += 1
    await asyncio.to_thread(restart_database, data)


def restart_database(data: Path) -> None:
    """With the options that are on record; what is left of the killed one may take a moment to go."""
    line = (data / "postmaster.opts").read_text(encoding="utf-8")
    program = Path(shlex.split(line)[0])
    # It refuses to be started by root, as it was before.
    user: dict[str, Any] = {"user": data.owner(), "extra_groups": []} if os.geteuid() == 0 else {}
    for _ in range(TRIES):
        command = [str(program.with_name("pg_ctl")), "-D", str(data), "-w", "-l", str(data / "again.log"), "restart"]
        if subprocess.run(command, cwd=data, capture_output=True, check=False, **user).returncode == 0:
            return
        time.sleep(RETRY_SECONDS)
    raise RuntimeError("PostgreSQL did not start again")


def report(study: Study, figures: Figures, seconds: float) -> dict[str, object]:
    """What was acknowledged against what is in the database."""
    with study.store.reading() as connection:
        rows = list(connection.execute(sa.select(submissions.c.submission, submissions.c.assignment)))
        raters = Counter(connection.scalars(sa.select(assignments.c.item)))
    found = {row.submission for row in rows}
    return {
        "database": study.store.engine.dialect.name,
        "acknowledged": len(figures.acknowledged),
        "found": len(rows),
        "lost": len(set(figures.acknowledged) - found),
        "doubled": sum(count - 1 for count in Counter(row.assignment for row in rows).values()),
        "crowded": sum(count > study.plan.overlap for count in raters.values()),
        "seconds": round(seconds, 1),
        "submits_per_second": steady_rate(figures.acknowledged_at),
        "submit_ms": percentiles(figures.submit_seconds),
        "page_ms": percentiles(figures.page_seconds),
        "server_cpu_seconds": cpu_seconds(resource.RUSAGE_CHILDREN),
        "client_cpu_seconds": cpu_seconds(resource.RUSAGE_SELF),
        "retries": figures.retries,
        "kills": figures.kills,
        "database_kills": figures.database_kills,
    }


def steady_rate(times: list[float]) -> float:
    """Answers a second while everyone is there: without the tenth at the beginning and the fifth at the end."""
    first, last = len(times) // 10, len(times) * 4 // 5
    return round((last - first) / (times[last] - times[first]), 1)


def cpu_seconds(whose: int) -> float:
    used = resource.getrusage(whose)
    return round(used.ru_utime + used.ru_stime, 1)


def percentiles(seconds: list[float]) -> dict[str, float]:
    ranked = sorted(seconds)
    places = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
    return {name: round(1000 * ranked[min(int(p * len(ranked)), len(ranked) - 1)], 1) for name, p in places.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", default="", help="PostgreSQL by address; SQLite without.")
    parser.add_argument("--raters", type=int, default=100)
    parser.add_argument("--judgments", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=40, help="Submits a second, all raters together.")
    parser.add_argument("--kill", action="store_true", help="Kill the server twice on the way.")
    parser.add_argument("--kill-database", type=Path, help="Kill the PostgreSQL with this data folder on the way.")
    parser.add_argument("--spans", action="store_true", help="Raters mark words instead of comparing answers.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        plan = make_plan(Path(folder), options.raters, options.judgments, options.database, has_spans=options.spans)
        study, server = open_study(plan), Server(plan)
        started = time.perf_counter()
        try:
            figures = asyncio.run(run(server, study, options))
        finally:
            server.kill()
        print(json.dumps(report(study, figures, time.perf_counter() - started), indent=1))
        study.store.close()


if __name__ == "__main__":
    main()
