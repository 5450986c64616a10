"""Items that join a study while it runs; those that are there stay as they are."""

from __future__ import annotations

import json
from collections.abc import Sequence

import sqlalchemy as sa

from expound.errors import BadInput
from expound.study.design.expected import check_candidates, check_expected
from expound.study.design.items import Item, Placed, check_unique, item_record
from expound.study.design.side_orders import draw_orders
from expound.study.engine import schema
from expound.study.engine.opened import Study
from expound.study.engine.study_store import record_event

_WHERE = "what was sent"


def add_items(study: Study, items: Sequence[Item]) -> int:
    """Add items to the study, all or none; how many. An id that is there already is refused."""
    if not items:
        raise BadInput(f"{_WHERE} has no items")
    check_unique([*(placed.item for placed in study.items.values()), *items], _WHERE)
    check_candidates(study.form, items, _WHERE)
    check_expected(study.form, items, _WHERE)
    placed: dict[int, Placed] = {}
    with study.store.writing() as connection:
        for item, shown in zip(items, draw_orders(items, seed=study.plan.seed), strict=True):
            values = {"key": item.id, "kind": item.kind, "shown": shown, "record": json.dumps(item_record(item))}
            key = connection.execute(sa.insert(schema.items).values(**values)).inserted_primary_key
            assert key is not None  # an insert of one row has a key
            placed[int(key[0])] = Placed(int(key[0]), item, shown)
        record_event(connection, "items added", detail=f"{len(items)} items")
    study.take(placed)
    return len(items)
