"""SQLite's errors in words that a user can act on, each with the file that it is about."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from expound.errors import CorpusBusy, Damaged, StorageFull

START_ANEW = "remove the corpus and add the documents again"
_SIGNS_OF_DAMAGE = ("not a database", "malformed", "no such table", "no such column", "UTF-8")


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's own words for a full disk or a file that is no database into ours."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise _clear(error, path) from error


def _clear(error: sqlite3.DatabaseError, path: Path) -> Exception:
    """What SQLite's error means to the user; one that means a mistake of ours as it is."""
    text = str(error)
    # SQLite has codes for these, but wraps several situations in one; its texts are stable.
    if "full" in text:
        return StorageFull(f"the disk is full: {path} is as it was before; free some space and try again")
    if "readonly" in text or "unable to open" in text:
        return StorageFull(f"{path} cannot be written: {error}")
    if "locked" in text:
        return CorpusBusy(f"another process is writing to {path}; try again when it is done")
    if "disk I/O" in text:
        return Damaged(f"{path} cannot be read or written ({error}); is the disk full? if it is not, {START_ANEW}")
    if any(sign in text for sign in _SIGNS_OF_DAMAGE):
        return Damaged(f"{path} is damaged ({error}); {START_ANEW}")
    return error


class NamedConnection(sqlite3.Connection):
    """A connection that knows its file."""

    path: Path

    # `execute` on a connection makes a plain cursor: both ways have to give ours.
    def cursor(self, *_: Any) -> Any:
        return super().cursor(_Cursor)

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        return super().cursor(_Cursor).execute(*arguments)


class _Cursor(sqlite3.Cursor):
    """Says of a damaged file which one it is, wherever the damage shows."""

    def execute(self, *arguments: Any) -> _Cursor:
        try:
            return super().execute(*arguments)
        except sqlite3.DatabaseError as error:
            raise self._clear(error) from error

    def fetchone(self) -> Any:
        try:
            return super().fetchone()
        except sqlite3.DatabaseError as error:
            raise self._clear(error) from error

    def fetchall(self) -> list[Any]:
        try:
            return super().fetchall()
        except sqlite3.DatabaseError as error:
            raise self._clear(error) from error

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except sqlite3.DatabaseError as error:
            raise self._clear(error) from error

    def _clear(self, error: sqlite3.DatabaseError) -> Exception:
        path = getattr(self.connection, "path", None)
        return _clear(error, path) if path else error
