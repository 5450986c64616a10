"""Looks at the results of a study that goes on: each one is written down, so that it can be corrected for."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from expound.stats.interim import Look, latest_look
from expound.study.engine.assignment import DONE, MAIN
from expound.study.engine.decisions import extra_raters
from expound.study.engine.opened import Study
from expound.study.engine.schema import assignments, events
from expound.study.engine.study_store import record_event

LOOKED = "looked"


def progress_of(study: Study, connection: Connection) -> tuple[int, int]:
    """How many judgments there are, and how many are planned."""
    main = {one.number for one in study.by_kind[MAIN]}
    done = connection.scalars(sa.select(assignments.c.item).where(assignments.c.state == DONE))
    return sum(item in main for item in done), planned_judgments(study, connection)


def planned_judgments(study: Study, connection: Connection) -> int:
    """As many as the plan has, and one for every rater who was asked for besides."""
    return len(study.by_kind[MAIN]) * study.plan.overlap + sum(extra_raters(connection).values())


def record_look(study: Study) -> Look | None:
    """Write down that the results are looked at now; none where nothing was planned or nothing is there to see."""
    with study.store.writing() as connection:
        done, planned = progress_of(study, connection)
        if not done or not planned:
            return None
        found = next_look(connection, done, planned)
        # Two looks at the same data are one: whoever reloads the page has learnt nothing new.
        if found.fraction not in _fractions(connection):
            record_event(connection, LOOKED, detail=f"{done} of {planned} judgments")
        return found


def next_look(connection: Connection, done: int, planned: int) -> Look:
    """What a look at so many judgments would be, after those that are on record."""
    now = min(done / planned, 1.0)
    # Withdrawn answers make a study smaller again: a look at more data than now is still a look.
    return latest_look([*(min(share, now) for share in _fractions(connection)), now])


def _fractions(connection: Connection) -> list[float]:
    query = sa.select(events.c.detail).where(events.c.kind == LOOKED).order_by(events.c.id)
    pairs = (detail.removesuffix(" judgments").split(" of ") for detail in connection.scalars(query))
    return [min(int(done) / int(planned), 1.0) for done, planned in pairs]
