"""A copy of the whole database, also while it is being served."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from expound.errors import UserError
from expound.study.engine.opened import Study
from expound.study.engine.schema import metadata
from expound.study.engine.study_store import open_store


def back_up(study: Study, out: Path) -> int:
    """Copy every row to a new SQLite file, from one consistent look at the database; how many rows."""
    # A backup that overwrites the last good one is none.
    if out.exists():
        raise UserError(f"{out} exists already; give the copy another name")
    if not out.parent.is_dir():
        raise UserError(f"{out} cannot be written: {out.parent} is no folder")
    copy, count = open_store(f"sqlite:///{out}"), 0
    # One moment for all tables: an answer must not be copied without its assignment.
    with study.store.reading(at_once=True) as source, copy.writing() as target:
        # Parents before children, for the foreign keys.
        for table in metadata.sorted_tables:
            rows = [dict(row) for row in source.execute(sa.select(table)).mappings()]
            if rows:
                target.execute(sa.insert(table), rows)
            count += len(rows)
    copy.close()
    return count
