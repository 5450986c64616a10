"""Exports as files, and a copy of the whole database."""

from __future__ import annotations

import time
from pathlib import Path

import sqlalchemy as sa

from expound.errors import UserError
from expound.files import written_whole
from expound.records import write_manifest
from expound.study.exports import EXPORTS
from expound.study.opened import Study
from expound.study.store import open_store, record_event
from expound.study.tables import metadata


def export_file(study: Study, out: Path, what: str = "") -> int:
    """Write an export with its manifest; how many records. Which one is said by `what`, or by the name of the file."""
    name = what or next((name for name in EXPORTS if out.name.endswith(name)), "")
    if not name and out.suffix in (".jsonl", ".csv"):
        name = f"judgments{out.suffix}"
    if name not in EXPORTS:
        raise UserError(f"which export? Name the file, or give --what: {', '.join(EXPORTS)}")
    started, text = time.time(), EXPORTS[name][0](study)
    with written_whole(out) as file:
        file.write(text)
    count = text.count("\n") - (1 if name.endswith(".csv") else 0)
    spec = {"study": study.plan.name, "form": study.form.name, "export": name}
    write_manifest(out, spec=spec, seed=study.plan.seed, inputs=[study.plan.items_path], count=count, started=started)
    with study.store.writing() as connection:
        record_event(connection, "exported", detail=name)
    return count


def back_up(study: Study, out: Path) -> int:
    """Copy every row to a new SQLite file, from one consistent look at the database; how many rows."""
    if out.exists():
        raise UserError(f"{out} exists already; give the copy another name")
    copy, count = open_store(f"sqlite:///{out}"), 0
    with study.store.reading(at_once=True) as source, copy.writing() as target:
        for table in metadata.sorted_tables:
            rows = [dict(row) for row in source.execute(sa.select(table)).mappings()]
            if rows:
                target.execute(sa.insert(table), rows)
            count += len(rows)
    copy.close()
    return count
