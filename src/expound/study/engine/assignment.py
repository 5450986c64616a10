"""Who judges what: resume first, then training and exam, checks along the way, then items with the fewest raters."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from expound.study.design.items import Placed
from expound.study.design.side_orders import draw_order, pair_of
from expound.study.engine.checking import share_right
from expound.study.engine.decisions import extra_raters
from expound.study.engine.opened import Study
from expound.study.engine.schema import assignments
from expound.study.engine.study_store import record_event

OPEN, PARKED, DONE = "open", "parked", "done"
# Kinds in the order in which a rater meets them; checks are mixed into the main items.
EXAM, TRAINING, MAIN = "exam", "training", "main"
CHECKS = ("gold", "attention")
# Their answers are final: the feedback or the result of them is known afterwards.
FINAL = (TRAINING, EXAM)
# Any numbers will do, as long as nothing else in the database takes the same ones.
_RATER_LOCK, _ITEM_LOCK = 80_421, 80_422

# Used at every answer, and built once. An assignment takes a place if it is done, or was worked on not long ago.
_IS_HELD = sa.or_(assignments.c.state == DONE, assignments.c.touched > sa.bindparam("since"))
_MINE = (
    sa.select(assignments.c.id, assignments.c.item, assignments.c.state)
    .where(assignments.c.rater == sa.bindparam("of_rater"))
    .order_by(assignments.c.id)
)
_HOLDERS = sa.select(sa.func.count()).where(_IS_HELD, assignments.c.item == sa.bindparam("of_item"))
_COUNTS = (
    sa.select(assignments.c.item, sa.func.count().label("raters"))
    .where(_IS_HELD)
    .group_by(assignments.c.item)
    .subquery()
)
# One text, not a row for each item: to fetch them takes longer than to count them.
_PLACES = sa.select(
    sa.func.aggregate_strings(sa.cast(_COUNTS.c.item, sa.String) + ":" + sa.cast(_COUNTS.c.raters, sa.String), ",")
)
_ASSIGN = sa.insert(assignments)


class ExamFailed(Exception):
    """The rater has finished the exam below the mark."""


def next_assignment(study: Study, connection: Connection, rater: int) -> int | None:
    """The assignment to work on now, made if need be; None when nothing is left for this rater but parked items."""
    # Two tabs of one rater would otherwise get two items.
    _lock(study, connection, _RATER_LOCK, rater)
    mine: list[Any] = list(connection.execute(_MINE, {"of_rater": rater}))
    unfinished = [row.id for row in mine if row.state == OPEN]
    return int(unfinished[0]) if unfinished else _new_assignment(study, connection, rater, mine)


def _new_assignment(study: Study, connection: Connection, rater: int, mine: list[Any]) -> int | None:
    """An item for the rater, unless someone else takes its last place first: then another one."""
    full: set[int] = set()
    while placed := _next_item(study, connection, rater, mine, full=full):
        # A savepoint: a place that is lost must not undo the rest of the transaction.
        with connection.begin_nested() as attempt:
            if _has_place(study, connection, placed):
                return _assign(connection, rater, _place(study, rater, placed, mine))
            attempt.rollback()  # lets go of the lock: whoever holds two of them may wait for ever
        full.add(placed.number)
    return None


def _has_place(study: Study, connection: Connection, placed: Placed) -> bool:
    """Whether the item is still to be had, seen by one at a time; items that check a rater are for everyone."""
    # Only main items have a number of raters to be kept to; SQLite's single writer needs no lock.
    if placed.item.kind != MAIN or study.store.is_sqlite:
        return True
    _lock(study, connection, _ITEM_LOCK, placed.number)
    # Counted again under the lock: since the item was drawn, others may have taken it.
    held = connection.scalar(_HOLDERS, {"since": _since(study), "of_item": placed.number}) or 0
    return held < study.plan.overlap + extra_raters(connection).get(placed.number, 0)


def _lock(study: Study, connection: Connection, kind: int, number: int) -> None:
    """Until the transaction ends, nobody else passes here for the same rater or item. SQLite has one writer anyway."""
    if not study.store.is_sqlite:
        connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({kind:d}, {number:d})"))


def _next_item(study: Study, connection: Connection, rater: int, mine: list[Any], *, full: set[int]) -> Placed | None:
    taken = {row.item for row in mine} | full
    for kind in (TRAINING, EXAM):
        left = [one for one in study.by_kind[kind] if one.number not in taken]
        if left:
            return left[0]
        # A parked training item is not passed over: what follows builds on it.
        if any(study.items[row.item].item.kind == kind and row.state == PARKED for row in mine):
            return None
    # Here, once both are done: a rater below the mark gets no main item.
    _check_exam(study, connection, rater)
    counts = Counter(study.items[row.item].item.kind for row in mine)
    checks = [one for kind in CHECKS for one in study.by_kind[kind] if one.number not in taken]
    checks_made = sum(counts[kind] for kind in CHECKS)
    # One check for every `gold_every` items, as soon as it is due.
    if checks and counts[MAIN] // study.plan.gold_every > checks_made:
        return _draw(checks, study.plan.seed, rater)
    # Checks do not count: a rater is promised a number of real items.
    if study.plan.items_per_rater and counts[MAIN] >= study.plan.items_per_rater:
        return None
    return _least_judged(study, connection, rater, taken)


@dataclass(frozen=True)
class RaterShare:
    """How many items are a rater's; `is_most` if others may take some of them first."""

    items: int
    is_most: bool


def share_of_work(study: Study) -> RaterShare:
    """What one rater has before them, checks too: a number that grew with each check would give the checks away."""
    main, limit = len(study.by_kind[MAIN]), study.plan.items_per_rater
    own = min(main, limit) if limit else main
    checks = min(sum(len(study.by_kind[kind]) for kind in CHECKS), max(own - 1, 0) // study.plan.gold_every)
    return RaterShare(own + checks + sum(len(study.by_kind[kind]) for kind in FINAL), is_most=not limit)


def _least_judged(study: Study, connection: Connection, rater: int, taken: set[int]) -> Placed | None:
    """A main item with a free place, from those with the fewest raters; which one is drawn for this rater."""
    counts = places_taken(study, connection)
    counts.subtract(extra_raters(connection))
    free = [one for one in study.by_kind[MAIN] if one.number not in taken and counts[one.number] < study.plan.overlap]
    # The fewest first, so that a study that is broken off has judged all items about equally often.
    fewest = min((counts[one.number] for one in free), default=0)
    return _draw([one for one in free if counts[one.number] == fewest], study.plan.seed, rater)


def places_taken(study: Study, connection: Connection) -> Counter[int]:
    """How many raters each item has: those who judged it, and those who still may."""
    text = connection.scalar(_PLACES, {"since": _since(study)})
    numbers = [pair.split(":") for pair in text.split(",")] if text else []
    return Counter({int(item): int(raters) for item, raters in numbers})


def _since(study: Study) -> float:
    """Who has touched an item after this holds a place of it."""
    return time.time() - study.plan.release_after_minutes * 60


def _check_exam(study: Study, connection: Connection, rater: int) -> None:
    share = share_right(study, connection, rater, (EXAM,))
    if share is not None and share < study.plan.exam_pass:
        raise ExamFailed


def _draw(choices: Iterable[Placed], seed: int, rater: int) -> Placed | None:
    """One of the choices, drawn by seed and rater: the same again after a restart, and another for another rater."""
    # A hash and not a generator: no state to keep, and the same draw in every process.
    return min(choices, key=lambda one: sha256(f"{seed} {rater} {one.number}".encode()).digest(), default=None)


def _place(study: Study, rater: int, placed: Placed, mine: list[Any]) -> Placed:
    """The item with the order of sides that this rater will see."""
    pair = pair_of(placed.item)
    # How often the rater has met this pair of systems: the sides then take turns.
    seen = sum(pair_of(study.items[row.item].item) == pair for row in mine)
    return study.place(placed.number, draw_order(placed.item, seed=study.plan.seed, rater=rater, seen=seen))


def _assign(connection: Connection, rater: int, placed: Placed) -> int:
    now = time.time()
    values = {"rater": rater, "item": placed.number, "shown": placed.shown, "state": OPEN, "draft": "{}"}
    key = connection.execute(_ASSIGN, {**values, "seconds": 0.0, "opened": now, "touched": now}).inserted_primary_key
    assert key is not None  # an insert of one row has a key
    record_event(connection, "assigned", rater=rater, item=placed.number)
    return int(key[0])
