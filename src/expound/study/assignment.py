"""Who judges what: resume first, then training and exam, checks along the way, then items with the fewest raters."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Row

from expound.study.checking import share_right
from expound.study.opened import Placed, Study
from expound.study.store import record_event
from expound.study.tables import assignments

OPEN, PARKED, DONE = "open", "parked", "done"
EXAM, TRAINING, MAIN = "exam", "training", "main"
CHECKS = ("gold", "attention")
# Any number will do, as long as nothing else in the database takes the same one.
_POSTGRESQL_LOCK = 80_421


class ExamFailed(Exception):
    """The rater has finished the exam below the mark."""


def next_assignment(study: Study, connection: Connection, rater: int) -> int | None:
    """The assignment to work on now, made if need be; None when nothing is left for this rater but parked items."""
    if not study.store.is_sqlite:
        # Two raters must not both take the last free place of an item.
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({_POSTGRESQL_LOCK})"))
    mine = list(connection.execute(sa.select(assignments).where(assignments.c.rater == rater).order_by("id")))
    unfinished = [row.id for row in mine if row.state == OPEN]
    if unfinished:
        return int(unfinished[0])
    placed = _next_item(study, connection, rater, mine)
    return _assign(connection, rater, placed) if placed else None


def _next_item(study: Study, connection: Connection, rater: int, mine: list[Row[Any]]) -> Placed | None:
    taken = {row.item for row in mine}
    for kind in (TRAINING, EXAM):
        left = [one for one in study.by_kind[kind] if one.number not in taken]
        if left:
            return left[0]
        if any(study.items[row.item].item.kind == kind and row.state == PARKED for row in mine):
            return None
    _check_exam(study, connection, rater)
    counts = Counter(study.items[row.item].item.kind for row in mine)
    checks = [one for kind in CHECKS for one in study.by_kind[kind] if one.number not in taken]
    checks_made = sum(counts[kind] for kind in CHECKS)
    if checks and counts[MAIN] // study.plan.gold_every > checks_made:
        return _drawn(checks, study.plan.seed, rater)
    if study.plan.items_per_rater and counts[MAIN] >= study.plan.items_per_rater:
        return None
    return _least_judged(study, connection, rater, taken)


def _least_judged(study: Study, connection: Connection, rater: int, taken: set[int]) -> Placed | None:
    """A main item with a free place, from those with the fewest raters; which one is drawn for this rater."""
    counts = places_taken(study, connection)
    free = [one for one in study.by_kind[MAIN] if one.number not in taken and counts[one.number] < study.plan.overlap]
    fewest = min((counts[one.number] for one in free), default=0)
    return _drawn([one for one in free if counts[one.number] == fewest], study.plan.seed, rater)


def places_taken(study: Study, connection: Connection) -> Counter[int]:
    """How many raters each item has: those who judged it, and those who still may."""
    since = time.time() - study.plan.release_after_minutes * 60
    is_held = sa.or_(assignments.c.state == DONE, assignments.c.touched > since)
    query = sa.select(assignments.c.item, sa.func.count()).where(is_held).group_by(assignments.c.item)
    return Counter({row[0]: row[1] for row in connection.execute(query)})


def _check_exam(study: Study, connection: Connection, rater: int) -> None:
    share = share_right(study, connection, rater, (EXAM,))
    if share is not None and share < study.plan.exam_pass:
        raise ExamFailed


def _drawn(choices: Iterable[Placed], seed: int, rater: int) -> Placed | None:
    """One of the choices, drawn by seed and rater: the same again after a restart, and another for another rater."""
    return min(choices, key=lambda one: sha256(f"{seed} {rater} {one.number}".encode()).digest(), default=None)


def _assign(connection: Connection, rater: int, placed: Placed) -> int:
    now = time.time()
    values = {"rater": rater, "item": placed.number, "state": OPEN, "draft": "{}", "seconds": 0.0}
    key = connection.execute(sa.insert(assignments).values(**values, opened=now, touched=now)).inserted_primary_key
    assert key is not None  # an insert of one row has a key
    record_event(connection, "assigned", rater=rater, item=placed.number)
    return int(key[0])
