"""Answers that were given elsewhere, in Label Studio or in a sheet, taken in as if they had been given here."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from expound.errors import BadInput
from expound.records import readable
from expound.study import raters
from expound.study.assignment import OPEN
from expound.study.forms.reading import COMMENT, Sent, problems_of, read_answers
from expound.study.opened import Placed, Study
from expound.study.store import record_event
from expound.study.submitting import Submission, find_work, write_down
from expound.study.tables import assignments
from expound.study.tables import raters as rater_table


@dataclass(frozen=True)
class Given:
    """What someone answered to an item; `where` names the place in the file."""

    rater: str
    item: str
    sent: Sent
    seconds: float
    where: str


def take_in(study: Study, given: Iterable[Given]) -> int:
    """Write answers from elsewhere into the study, all or none; how many are new. The same file again adds nothing."""
    numbers = {placed.item.id: placed for placed in study.items.values()}
    count = 0
    with study.store.writing() as connection:
        for one in given:
            if one.item not in numbers:
                raise BadInput(f"{one.where}: the study has no item {one.item!r}")
            count += _take(study, connection, numbers[one.item], one)
        record_event(connection, "imported", detail=f"{count} answers")
    return count


def _take(study: Study, connection: Connection, placed: Placed, given: Given) -> bool:
    view = study.view(placed)
    answers = read_answers(study.form, view, given.sent)
    errors = [problem.text for problem in problems_of(study.form, view, answers) if not problem.is_warning]
    if errors:
        raise BadInput(f"{given.where}: {errors[0]}")
    rater = _rater(connection, given.rater)
    assignment = _assignment(connection, rater, placed.number, given.seconds)
    work = find_work(connection, assignment, rater=rater)
    assert work is not None  # it was made above
    id = sha256(f"{given.rater}\0{given.item}".encode()).hexdigest()
    is_new = work.version == 0
    write_down(study, connection, work, Submission(id, 0, answers, given.seconds))
    return is_new


def _rater(connection: Connection, name: str) -> int:
    """The number of a rater by the name that the file gives; the name stays in the table of raters."""
    external = f"import {name}"[:200]
    known = connection.scalar(sa.select(rater_table.c.id).where(rater_table.c.external == external))
    if known is not None:
        return int(known)
    rater = raters.enter(connection, raters.invite(connection, external=external))
    return raters.advance(connection, rater, raters.FINISHED).id


def _assignment(connection: Connection, rater: int, item: int, seconds: float) -> int:
    column, now = assignments.c, time.time()
    known = connection.scalar(sa.select(column.id).where(column.rater == rater, column.item == item))
    if known is not None:
        return int(known)
    values = {"rater": rater, "item": item, "state": OPEN, "draft": "{}", "seconds": 0.0}
    made = sa.insert(assignments).values(**values, opened=now - seconds, touched=now)
    key = connection.execute(made).inserted_primary_key
    assert key is not None  # an insert of one row has a key
    return int(key[0])


# -- sheets: a row for each item, a column for each field, as ASQA's raters filled them in


def sheet_of(study: Study) -> str:
    """The items as a sheet to fill in, blind and in the order of the sides on record."""
    items = [placed for placed in study.items.values() if placed.item.kind == "main"]
    names = list(dict.fromkeys(field.name for placed in items for field in study.form.fields(study.view(placed))))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["item", "question", "answer A", "answer B", "readings", "rater", *names, COMMENT])
    for placed in items:
        view = study.view(placed)
        readings = "\n".join(
            f"{n}: {one.question} — {' / '.join(one.answers)}" for n, one in enumerate(view.interpretations)
        )
        texts = [*view.texts, "", ""][:2]
        writer.writerow([placed.item.id, view.question, *texts, readings, *[""] * (len(names) + 2)])
    return out.getvalue()


def read_sheet(path: Path) -> Iterator[Given]:
    """The rows of a filled-in sheet that name a rater; several ticks of one field are separated by semicolons."""
    with readable(path) as file:
        text = file.read().decode("utf-8-sig")
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), start=2):
        if "item" not in row or "rater" not in row:
            raise BadInput(f"{path}: a sheet needs the columns item and rater")
        if row["rater"]:
            yield Given(row["rater"], row["item"], _cells(row), 0.0, f"{path}, row {number}")


def _cells(row: Mapping[str, str | None]) -> dict[str, list[str]]:
    """A field's values; a text may hold semicolons too, so it is kept whole as well."""
    return {name: [value, *map(str.strip, value.split(";"))] for name, value in row.items() if name and value}
