"""Replies of text models, kept in SQLite by what was asked: nothing is asked twice, not even after a crash."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from expound import resources
from expound.errors import ExpoundError
from expound.files import hold_lock, hold_named_lock, private_file
from expound.models.engine import Completion, Sampling
from expound.models.remarks import Say, to_stderr
from expound.types import Prompt

# The number changes with the table or the key: an older expound keeps its own file.
FILE_NAME = "replies-1.sqlite"
LOCKS = "locks"
ENDINGS = ("", "-wal", "-shm")
# For another process that writes; each holds the lock for milliseconds, but there may be many and the disk slow.
_BUSY_SECONDS = 30.0
# The latest, so that a forecast follows a machine that has become busy; enough that one long reply does not count.
_PACE_OVER_REPLIES = 200
_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, kind TEXT NOT NULL, engine TEXT NOT NULL, reply TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, seconds REAL NOT NULL, at REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS replies_by_engine ON replies (engine, kind, at);
"""


@dataclass(frozen=True, slots=True)
class Pace:
    """What an engine's latest replies were like, on average."""

    prompt_tokens: float
    completion_tokens: float
    tokens_per_second: float


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of one engine's replies; `at` is when the latest came."""

    engine: str
    replies: int
    size_bytes: int
    tokens: int
    at: float

    @property
    def name(self) -> str:
        """The engine without the hash of its file."""
        return self.engine.partition(" sha256:")[0]


def reply_key(
    identity: str, prompt: Prompt, sampling: Sampling, *, kind: str = "complete", options: Sequence[str] = ()
) -> str:
    """The sha256 of all that decides a reply."""
    # As plain numbers: 0 and 0.0 are the same sampling and must be the same key.
    drawn = [float(sampling.temperature), float(sampling.top_p), int(sampling.seed)]
    asked = [identity, prompt.system, prompt.text, prompt.schema, int(prompt.max_tokens), drawn, kind, list(options)]
    # JSON and not a joined text: no prompt can be made to look like another's fields.
    return hashlib.sha256(json.dumps(asked).encode("ascii")).hexdigest()


class ReplyCache:
    """The replies on disk, for any number of threads and processes.

    A damaged file is set aside and a new one begun. Where nothing can be written, replies are kept in memory.
    """

    def __init__(self, folder: Path | None = None, *, say: Say | None = None) -> None:
        self.folder = folder or resources.home_folder("cache")
        self._say, self._said, self._said_waiting = say or to_stderr, False, False
        self._memory: dict[str, Completion] = {}
        self._guard = threading.RLock()
        self._connection: sqlite3.Connection | None = None

    @property
    def file(self) -> Path:
        """The database."""
        return self.folder / FILE_NAME

    def get(self, key: str) -> Completion | None:
        """The reply that is kept for a key."""
        if key in self._memory:
            return self._memory[key]
        rows = self._run("SELECT reply FROM replies WHERE key = ?", (key,))
        return _completion_from(rows[0][0]) if rows else None

    def put(self, key: str, reply: Completion, *, kind: str, engine: str) -> None:
        """Keep a reply; it is on the disk when this returns."""
        counts = (reply.prompt_tokens, reply.completion_tokens, reply.seconds, time.time())
        row = (key, kind, engine, json.dumps(asdict(reply)), *counts)
        # Where nothing can be kept, at least this run does not ask twice.
        if self._run("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row) is None:
            self._memory[key] = reply

    def pace(self, engine: str, *, kind: str = "complete") -> Pace | None:
        """How fast and how long an engine's latest replies were; None before the first."""
        rows = self._run(
            "SELECT COUNT(*), AVG(prompt_tokens), AVG(completion_tokens), SUM(prompt_tokens + completion_tokens), "
            "SUM(seconds) FROM (SELECT * FROM replies WHERE engine = ? AND kind = ? ORDER BY at DESC LIMIT ?)",
            (engine, kind, _PACE_OVER_REPLIES),
        )
        if not rows or not rows[0][0]:
            return None
        _, prompt_tokens, completion_tokens, tokens, seconds = rows[0]
        return Pace(prompt_tokens, completion_tokens, tokens / max(seconds, 1e-9))

    def kept(self) -> list[Kept]:
        """The engines whose replies are here, largest first."""
        rows = self._run(
            "SELECT engine, COUNT(*), SUM(LENGTH(CAST(reply AS BLOB))), SUM(prompt_tokens + completion_tokens), "
            "MAX(at) FROM replies GROUP BY engine ORDER BY 3 DESC, 1",
            (),
        )
        return [Kept(*row) for row in rows or ()]

    def clear(self, engines: Sequence[str]) -> None:
        """Forget all replies of these engines, and give the space back."""
        for engine in engines:
            self._run("DELETE FROM replies WHERE engine = ?", (engine,))
        # SQLite keeps what is deleted until it is told otherwise, and the log keeps it longer.
        self._run("VACUUM", ())
        self._run("PRAGMA wal_checkpoint(TRUNCATE)", ())

    def disk_bytes(self) -> int:
        """What the replies take on the disk, with those that were set aside because they were damaged."""
        return sum(path.stat().st_size for path in [*self._files(), *self.set_aside()])

    def set_aside(self) -> list[Path]:
        """The databases that were found damaged."""
        return sorted(self.folder.glob(f"{self.file.stem}.damaged-*"))

    def _files(self) -> list[Path]:
        return [path for ending in ENDINGS if (path := self.file.with_name(self.file.name + ending)).exists()]

    @contextmanager
    def claimed(self, key: str) -> Iterator[None]:
        """Hold a key while its reply is asked for: whoever else wants it waits, then finds it in the cache."""
        with ExitStack() as stack:
            # Two processes with the same question pay once.
            with suppress(OSError):  # where no lock can be made, nothing can be kept either
                stack.enter_context(hold_named_lock(self.folder / LOCKS / key, on_wait=self._say_waiting))
            yield

    def close(self) -> None:
        """Let go of the database."""
        with self._guard:
            if self._connection:
                self._connection.close()
            self._connection = None

    def _run(self, statement: str, values: Sequence[Any]) -> list[Any] | None:
        """The rows of a statement; None when the database cannot be used."""
        with self._guard:
            try:
                return self._execute(statement, values)
            # Busy, full or not allowed: the file is sound. Damage is the other class of errors.
            except (sqlite3.OperationalError, OSError, ExpoundError) as error:
                self._remark(f"replies cannot be kept in {self.file} ({error}); going on without")
            except sqlite3.DatabaseError as error:
                return self._begin_anew(error, statement, values)
        return None

    def _execute(self, statement: str, values: Sequence[Any]) -> list[Any]:
        self._connection = self._connection or self._open()
        return self._connection.execute(statement, values).fetchall()

    def _open(self) -> sqlite3.Connection:
        try:
            # Two processes that make the file at once would find each other's half-made tables.
            with hold_lock(self.folder / "open.lock"):
                return _connect(self.file)
        except (OSError, ExpoundError):
            if not self.file.is_file():
                raise
            # Nothing can be written here, but what is there can be read.
            address = f"{self.file.absolute().as_uri()}?immutable=1"
            return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)

    def _begin_anew(self, error: Exception, statement: str, values: Sequence[Any]) -> list[Any] | None:
        # Before the file is moved away, which an open database would not notice.
        self.close()
        try:
            with hold_lock(self.folder / "open.lock"):
                if not _is_sound(self.file):  # another process may just have set it aside
                    aside = _set_aside(self.file)
                    self._say(f"the reply cache was damaged ({error}); it is now {aside}, and a new one was begun")
            # Once more, on the new file; a second failure is given up.
            return self._execute(statement, values)
        except (sqlite3.DatabaseError, OSError, ExpoundError) as again:
            self._remark(f"replies cannot be kept in {self.file} ({again}); going on without")
            return None

    def _say_waiting(self) -> None:
        if not self._said_waiting:
            self._said_waiting = True
            self._say("another call asks a text model the same at this moment; waiting for its reply")

    def _remark(self, text: str) -> None:
        if not self._said:
            self._said = True
            self._say(text)


def _connect(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        private_file(file), timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        # Replies may have cost money: they are on the disk before they are used, also after a power cut.
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(_TABLE)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _is_sound(file: Path) -> bool:
    try:
        with closing(_connect(file)) as connection:
            found = connection.execute("PRAGMA quick_check").fetchall()
    # "Locked" says nothing about soundness.
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        return False
    return bool(found == [("ok",)])


def _set_aside(file: Path) -> Path:
    """Give the database and its log another name."""
    aside = next(
        name for number in range(1, 10_000) if not (name := file.with_name(f"{file.stem}.damaged-{number}")).exists()
    )
    for ending in ENDINGS:
        part = file.with_name(file.name + ending)
        # The log goes along: without it the database would be older than it was.
        if part.exists():
            part.replace(aside.with_name(aside.name + ending))
    return aside


def _completion_from(reply: str) -> Completion | None:
    try:
        fields = json.loads(reply)
        return Completion(**{**fields, "weights": tuple(fields["weights"])})
    # Written by a version that kept other fields: as good as not there.
    except (ValueError, TypeError, KeyError):
        return None
