"""Right and wrong on items with known answers: training, exam, gold and attention."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from expound.study.design.items import Placed, side_to_letter
from expound.study.engine.opened import Study
from expound.study.engine.schema import assignments, submissions


def wrong_fields(placed: Placed, answers: dict[str, Any]) -> list[str]:
    """The fields whose answer is not the expected one; `expected` names sides as a and b."""
    wrong = []
    for name, expected in placed.item.expected.items():
        given = answers.get(name)
        if isinstance(given, str):
            given = side_to_letter(given, placed.shown)
        accepted = expected if isinstance(expected, list) and not isinstance(given, list) else [expected]
        if given not in accepted:
            wrong.append(name)
    return wrong


def first_answers(
    study: Study, connection: Connection, rater: int, kinds: Sequence[str]
) -> Iterator[tuple[Placed, dict[str, Any]]]:
    """What a rater first said to each item of these kinds."""
    numbers = [placed.number for kind in kinds for placed in study.by_kind[kind]]
    if not numbers:
        return
    query = (
        sa.select(assignments.c.item, submissions.c.answers)
        .join(submissions, submissions.c.assignment == assignments.c.id)
        .where(assignments.c.rater == rater, assignments.c.item.in_(numbers), submissions.c.version == 1)
        .order_by(submissions.c.id)
    )
    for row in connection.execute(query):
        yield study.items[row.item], json.loads(row.answers)


def share_right(study: Study, connection: Connection, rater: int, kinds: Sequence[str]) -> float | None:
    """The share of a rater's items of these kinds that are all right; None if there is none."""
    found = [not wrong_fields(placed, answers) for placed, answers in first_answers(study, connection, rater, kinds)]
    return sum(found) / len(found) if found else None
