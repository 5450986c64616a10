"""Right and wrong on items with known answers: training, exam, gold and attention."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from expound.study.design.expected import Expectation, expectations_of
from expound.study.design.form import Field
from expound.study.design.items import Placed
from expound.study.engine.opened import Study
from expound.study.engine.schema import assignments, submissions


def wrong_fields(study: Study, placed: Placed, answers: Mapping[str, Any]) -> list[Field]:
    """The fields whose answer is not the expected one."""
    return [one.field for one in expectations_of(study.form, placed) if not one.is_met(answers)]


def checked_fields(study: Study, placed: Placed, answers: Mapping[str, Any]) -> list[tuple[Expectation, bool]]:
    """Everything that is expected of an item, and whether the answers hold it."""
    return [(one, one.is_met(answers)) for one in expectations_of(study.form, placed)]


def first_answers(
    study: Study, connection: Connection, rater: int, kinds: Sequence[str]
) -> Iterator[tuple[Placed, dict[str, Any]]]:
    """What a rater first said to each item of these kinds."""
    numbers = [placed.number for kind in kinds for placed in study.by_kind[kind]]
    if not numbers:
        return
    query = (
        sa.select(assignments.c.item, assignments.c.shown, submissions.c.answers)
        .join(submissions, submissions.c.assignment == assignments.c.id)
        # The first version: what was corrected after the feedback shows no attention.
        .where(assignments.c.rater == rater, assignments.c.item.in_(numbers), submissions.c.version == 1)
        .order_by(submissions.c.id)
    )
    for row in connection.execute(query):
        yield study.place(row.item, row.shown), json.loads(row.answers)


def share_right(study: Study, connection: Connection, rater: int, kinds: Sequence[str]) -> float | None:
    """The share of a rater's items of these kinds that are all right; None if there is none."""
    first = first_answers(study, connection, rater, kinds)
    # All fields of an item right, or the item is wrong: half an answer shows no attention.
    found = [not wrong_fields(study, placed, answers) for placed, answers in first]
    return sum(found) / len(found) if found else None
