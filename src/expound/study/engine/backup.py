"""A copy of the whole database, also while it is being served."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa

from expound.errors import StorageFull, UserError
from expound.files import appearing_whole
from expound.study.engine.opened import Study
from expound.study.engine.schema import metadata
from expound.study.engine.study_store import StudyStore, open_store

_MODE = 0o600  # the copy holds the secrets of the links


def back_up(study: Study, out: Path) -> int:
    """Copy the database to a new SQLite file, from one consistent look at it; how many rows.

    The file is whole or absent: it gets its name when everything is in it and on the disk.
    """
    # A backup that overwrites the last good one is none.
    if out.exists():
        raise UserError(f"{out} exists already; give the copy another name")
    if not out.parent.is_dir():
        raise UserError(f"{out} cannot be written: {out.parent} is no folder")
    copy = _copy_file if study.store.is_sqlite else _copy_rows
    with appearing_whole(out, mode=_MODE) as partial:
        try:
            copy(study.store, partial)
            return _close_up(partial)
        except sqlite3.OperationalError as error:
            raise StorageFull(f"{out} cannot be written: {error}") from error


def _copy_file(store: StudyStore, to: Path) -> None:
    """SQLite's own way: page by page, while others write."""
    with store.reading() as connection, closing(sqlite3.connect(to)) as target:
        source = connection.connection.dbapi_connection
        assert isinstance(source, sqlite3.Connection)  # the store says that it is SQLite's
        source.backup(target)


def _copy_rows(store: StudyStore, to: Path) -> None:
    copy = open_store(f"sqlite:///{to}")
    # One moment for all tables: an answer must not be copied without its assignment.
    with store.reading(at_once=True) as source, copy.writing() as target:
        # Parents before children, for the foreign keys.
        for table in metadata.sorted_tables:
            rows = [dict(row) for row in source.execute(sa.select(table)).mappings()]
            if rows:
                target.execute(sa.insert(table), rows)
    copy.close()


def _close_up(path: Path) -> int:
    """Make the copy one file, and count its rows; read from it, which shows that it can be."""
    with closing(sqlite3.connect(path)) as copy:
        # Without a log beside it, wherever it is carried.
        copy.execute("PRAGMA journal_mode=DELETE")
        counts = (copy.execute(f"SELECT COUNT(*) FROM {table.name}").fetchone() for table in metadata.sorted_tables)
        return sum(int(count) for (count,) in counts)
