"""Scores that a model was asked for, kept across runs: a table of twelve metrics is drawn anew without them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from expound.files import is_writable, private_file


class KeptScores:
    """Rows of numbers by key, with the CPU-seconds that each took; in memory where nothing can be written."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.execute("PRAGMA journal_mode=WAL")
        table = "scores (key BLOB PRIMARY KEY, numbers TEXT, cpu_seconds REAL) WITHOUT ROWID"
        connection.execute(f"CREATE TABLE IF NOT EXISTS {table}")

    @staticmethod
    def at(path: Path) -> KeptScores:
        """The scores of a file, opened once."""
        return _open(path)

    def find(self, key: bytes) -> tuple[tuple[float, ...], float] | None:
        """What is kept under a key."""
        row = self._connection.execute("SELECT numbers, cpu_seconds FROM scores WHERE key = ?", (key,)).fetchone()
        return (tuple(json.loads(row[0])), row[1]) if row else None

    def keep(self, key: bytes, numbers: tuple[float, ...], cpu_seconds: float) -> None:
        """Keep what was computed, at once: a run that is stopped has not worked for nothing."""
        with suppress(sqlite3.Error):  # the numbers are at hand; a full disk only means computing them again
            row = (key, json.dumps(numbers), cpu_seconds)
            self._connection.execute("INSERT OR IGNORE INTO scores VALUES (?, ?, ?)", row)
            self._connection.commit()


@lru_cache(maxsize=4)
def _open(path: Path) -> KeptScores:
    try:
        if is_writable(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
            return KeptScores(sqlite3.connect(private_file(path), timeout=30))
    except sqlite3.Error:
        pass  # damaged, or another file: the scores of this run are kept in memory
    return KeptScores(sqlite3.connect(":memory:"))
