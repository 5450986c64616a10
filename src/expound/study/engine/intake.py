"""Answers that were given elsewhere, in Label Studio or in a sheet, taken in as if they had been given here."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from expound.errors import BadInput
from expound.study.design.items import Placed
from expound.study.engine import raters
from expound.study.engine.assignment import OPEN
from expound.study.engine.opened import Study
from expound.study.engine.schema import NAME_WIDTH, assignments
from expound.study.engine.schema import raters as rater_table
from expound.study.engine.study_store import record_event
from expound.study.engine.submitting import Submission, find_work, write_down
from expound.study.forms.posted import Sent, problems_of, read_answers


@dataclass(frozen=True)
class ForeignAnswer:
    """What someone answered to an item; `where` names the place in the file."""

    rater: str
    item: str
    sent: Sent
    seconds: float
    where: str


def take_in(study: Study, given: Iterable[ForeignAnswer]) -> int:
    """Write answers from elsewhere into the study, all or none; how many are new. The same file again adds nothing."""
    numbers = {placed.item.id: placed for placed in study.items.values()}
    count = 0
    # One transaction: a bad line in the middle of a file leaves nothing of it.
    with study.store.writing() as connection:
        for one in given:
            if one.item not in numbers:
                raise BadInput(f"{one.where}: the study has no item {one.item!r}")
            count += _take(study, connection, numbers[one.item], one)
        record_event(connection, "imported", detail=f"{count} answers")
    return count


def _take(study: Study, connection: Connection, placed: Placed, given: ForeignAnswer) -> bool:
    view = study.view(placed)
    answers = read_answers(study.form, view, given.sent)
    # A warning asks a rater to look again, and here nobody can.
    errors = [problem.text for problem in problems_of(study.form, view, answers) if not problem.is_warning]
    if errors:
        raise BadInput(f"{given.where}: {errors[0]}")
    rater = _rater(connection, given.rater)
    assignment = _assignment(connection, rater, placed, given.seconds)
    work = find_work(connection, assignment, rater=rater)
    assert work is not None  # it was made above
    # Made of rater and item, so that the same file again is known.
    id = sha256(f"{given.rater}\0{given.item}".encode()).hexdigest()
    is_new = work.version == 0
    write_down(study, connection, work, Submission(id, 0, answers, given.seconds))
    return is_new


def _rater(connection: Connection, name: str) -> int:
    """The number of a rater by the name that the file gives; the name stays in the table of raters."""
    # A prefix, so that no name in a file can be the id that a platform has given.
    external = f"{raters.FROM_FILE}{name}"[:NAME_WIDTH]
    known = connection.scalar(sa.select(rater_table.c.id).where(rater_table.c.external == external))
    if known is not None:
        return int(known)
    # Without a code that anybody is told: whoever came from a file cannot come back by the page.
    rater = raters.enter(connection, raters.invite(connection, external=external))
    return raters.advance(connection, rater, raters.FINISHED).id


def _assignment(connection: Connection, rater: int, placed: Placed, seconds: float) -> int:
    column, now = assignments.c, time.time()
    known = connection.scalar(sa.select(column.id).where(column.rater == rater, column.item == placed.number))
    if known is not None:
        return int(known)
    values = {"rater": rater, "item": placed.number, "shown": placed.shown, "state": OPEN, "draft": "{}"}
    # Opened as long ago as it took, so that the active time is believed.
    made = sa.insert(assignments).values(**values, seconds=0.0, opened=now - seconds, touched=now)
    key = connection.execute(made).inserted_primary_key
    assert key is not None  # an insert of one row has a key
    return int(key[0])
