"""Adjudication: one more rater for an item, or an expert's decision. What the raters said stays as it is."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from expound.study.design.collected import Collected
from expound.study.design.items import Placed
from expound.study.engine.opened import Study
from expound.study.engine.schema import decisions, items
from expound.study.engine.study_store import record_event

EXPERT = "expert"


def decide(connection: Connection, placed: Placed, answers: Mapping[str, Any]) -> None:
    """Write an expert's answers to an item down; a later decision takes the place of an earlier one."""
    values = {"item": placed.number, "shown": placed.shown, "answers": json.dumps(answers), "at": time.time()}
    # Added and never changed: an earlier decision stays in the history of the study.
    connection.execute(sa.insert(decisions).values(**values))
    record_event(connection, "decided", item=placed.number)


def latest_decisions(study: Study) -> dict[int, Collected]:
    """The decision that counts, by the number of its item."""
    with study.store.reading() as connection:
        rows = list(connection.execute(sa.select(decisions).order_by(decisions.c.id)))
    return {
        row.item: Collected(
            placed=study.place(row.item, row.shown),
            rater=EXPERT,
            assignment=0,
            version=1,
            answers=json.loads(row.answers),
            seconds=0.0,
            at=row.at,
        )
        for row in rows
    }


def ask_one_more(connection: Connection, item: int) -> None:
    """Let one rater more than planned judge an item."""
    # Counted up in the database itself: two researchers who click at once ask for two.
    connection.execute(sa.update(items).where(items.c.id == item).values(more_raters=items.c.more_raters + 1))
    record_event(connection, "one more rater", item=item)


def extra_raters(connection: Connection) -> dict[int, int]:
    """How many raters more than planned an item has, where it has any."""
    query = sa.select(items.c.id, items.c.more_raters).where(items.c.more_raters > 0)
    return {row.id: row.more_raters for row in connection.execute(query)}
