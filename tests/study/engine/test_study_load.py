"""Many raters at once, a server that is killed, and PostgreSQL instead of SQLite: nothing is lost, nothing doubled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from expound.study.engine import raters, study_store
from expound.study.engine.assignment import next_assignment
from expound.study.engine.backup import back_up
from expound.study.engine.opened import Study
from expound.study.engine.schema import assignments, events, submissions
from expound.study.out.judgments import judgments_of
from study import postgresql
from study.study_helpers import GOOD, Browser, action_of, fill, join, judge_all

pytestmark = pytest.mark.slow
SCRIPT = Path(__file__).parents[3] / "benchmarks" / "study_load.py"
RATERS, JUDGMENTS, RATE = 100, 5000, 40
P99_MS = 500
KILLED = ("--raters", str(RATERS), "--judgments", "2000", "--rate", str(RATE), "--kill")


@pytest.fixture(scope="module")
def server() -> Iterator[postgresql.Database]:
    with postgresql.running() as found:
        yield found


@pytest.fixture
def database(server: postgresql.Database) -> str:
    return server.url


def load(*more: str) -> dict[str, Any]:
    command = [sys.executable, str(SCRIPT), *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    print(json.dumps(found))
    return found


def check(found: dict[str, Any], *, count: int) -> None:
    assert found["lost"] == 0
    assert found["doubled"] == 0
    assert found["crowded"] == 0
    assert found["found"] == found["acknowledged"]
    assert found["found"] >= 0.99 * count  # the last free places may be of items that a rater has judged already


def fresh(url: str, name: str) -> str:
    """A database of its own on the server."""
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+pg8000://"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    return url.rpartition("/")[0] + f"/{name}"


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_hundred_raters_lose_nothing_and_wait_for_nothing(kind: str, request: pytest.FixtureRequest) -> None:
    where = ["--database", fresh(request.getfixturevalue("database"), "load")] if kind == "postgresql" else []
    others = os.getloadavg()[0]
    found = load(*where, "--raters", str(RATERS), "--judgments", str(JUDGMENTS), "--rate", str(RATE))
    check(found, count=JUDGMENTS)
    cores = os.cpu_count() or 1
    if others > cores / 2 or os.getloadavg()[0] > cores + 1:
        pytest.skip(f"all {JUDGMENTS} judgments are there, but the machine had other work: no verdict on speed")
    assert found["submit_ms"]["p99"] < P99_MS
    assert found["page_ms"]["p99"] < P99_MS


@pytest.mark.parametrize("what", ["comparisons", "spans"])
def test_what_was_acknowledged_survives_a_killed_server(what: str) -> None:
    found = load(*KILLED, *(["--spans"] if what == "spans" else []))
    assert found["kills"] == 2
    check(found, count=2000)


@pytest.mark.parametrize("what", ["comparisons", "spans"])
def test_what_was_acknowledged_survives_a_killed_server_and_a_killed_postgresql(
    what: str, server: postgresql.Database
) -> None:
    where = ["--database", fresh(server.url, f"killed_{what}"), "--kill-database", str(server.data)]
    found = load(*where, *KILLED, *(["--spans"] if what == "spans" else []))
    assert (found["kills"], found["database_kills"]) == (2, 1)
    check(found, count=2000)


def test_a_whole_study_runs_on_postgresql(
    database: str, make: Callable[..., Study], browse: Callable[[Study], Browser]
) -> None:
    study = make(overlap=2, database=fresh(database, "whole"))
    for _ in range(3):
        browser = browse(study)
        page = join(browser, study)
        if 'id="answers"' in page:
            page = browser.post(action_of(page), data=fill(page, **GOOD, comment="so \x00 so '); --")).text
        judge_all(browser, page)
    with study.store.reading() as connection:
        held = Counter(row.item for row in connection.execute(sa.select(assignments)))
        assert connection.scalar(sa.select(sa.func.count()).select_from(submissions)) == 6
    assert set(held.values()) == {2}
    assert len(list(judgments_of(study))) == 6 * 5
    with pytest.raises(sa.exc.DBAPIError, match="append-only"), study.store.writing() as connection:
        connection.execute(sa.delete(events))
    study.store.close()


def test_a_connection_that_was_lost_while_it_rested_is_made_anew(
    database: str, make: Callable[..., Study], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study_store, "REST_SECONDS", 0)
    study = make(database=fresh(database, "lost"))
    token = study.secret("join_token")
    engine = sa.create_engine(database.replace("postgresql://", "postgresql+pg8000://"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'lost'"
        assert connection.execute(sa.text(ended)).all()
    assert study.secret("join_token") == token
    study.store.close()


def test_a_backup_of_postgresql_sees_one_moment(database: str, make: Callable[..., Study], tmp_path: Path) -> None:
    study = make(database=fresh(database, "moment"))
    with study.store.reading(at_once=True) as connection:
        count = sa.select(sa.func.count()).select_from(events)
        before = connection.scalar(count)
        with study.store.writing() as other:
            study_store.record_event(other, "noted")
        assert connection.scalar(count) == before
    assert back_up(study, tmp_path / "copy.db") > 0
    study.store.close()


def test_raters_who_come_at_the_same_moment_do_not_share_a_place(database: str, make: Callable[..., Study]) -> None:
    study = make(overlap=1, database=fresh(database, "rush"))
    with study.store.writing() as connection:
        rush = [raters.invite(connection).id for _ in range(8)]
    together = threading.Barrier(len(rush))

    def take(rater: int) -> int | None:
        together.wait()
        with study.store.writing() as connection:
            return next_assignment(study, connection, rater)

    with ThreadPoolExecutor(len(rush)) as threads:
        found = list(threads.map(take, rush))
    assert sorted(found, key=str)[3:] == [None] * 5
    with study.store.reading() as connection:
        assert set(Counter(connection.scalars(sa.select(assignments.c.item))).values()) == {1}
    study.store.close()
