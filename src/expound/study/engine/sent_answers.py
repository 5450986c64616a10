"""What raters have sent so far: every version of every answer, and those that count."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from expound.study.design.collected import Collected, Earlier
from expound.study.engine.assignment import MAIN
from expound.study.engine.opened import Study, open_study
from expound.study.engine.raters import pseudonym, worker_id
from expound.study.engine.schema import assignments, raters, submissions, viewed


def all_answers(study: Study) -> Iterator[Collected]:
    """Every version of every answer, by item, rater and version."""
    order = (assignments.c.item, assignments.c.rater, submissions.c.version)
    return (one for _, one in _answers(study, sa.true(), *order))


def _answers(study: Study, which: sa.ColumnElement[bool], *order: sa.Column[int]) -> Iterator[tuple[int, Collected]]:
    query = (
        sa.select(submissions, assignments.c.rater, assignments.c.item, assignments.c.shown, raters.c.external)
        .join(assignments, assignments.c.id == submissions.c.assignment)
        .join(raters, raters.c.id == assignments.c.rater)
        .where(which)
        .order_by(*order)
    )
    with study.store.reading() as connection:
        rows = list(connection.execute(query))
    for row in rows:
        yield (
            row.id,
            Collected(
                placed=study.place(row.item, row.shown),
                rater=pseudonym(row.rater),
                assignment=row.assignment,
                version=row.version,
                answers=json.loads(row.answers),
                seconds=row.seconds,
                at=row.at,
                worker=worker_id(row.external),
            ),
        )


def answers_after(study: Study, number: int) -> Iterator[tuple[int, Collected]]:
    """What was saved after a submission, each with its own number; main items only, every version."""
    for own, one in _answers(study, submissions.c.id > number, submissions.c.id):
        if one.placed.item.kind == MAIN:
            yield own, one


def latest_answers(study: Study) -> Iterator[Collected]:
    """The answers that count, by item and rater: the last version of each, main items only."""
    answers = list(all_answers(study))
    # Versions come in rising order: the last one stays in the dictionary.
    newest = {one.assignment: one.version for one in answers}
    for one in answers:
        if one.placed.item.kind == MAIN and one.version == newest[one.assignment]:
            yield one


def read_earlier(path: Path) -> Earlier:
    """The study of a plan, for another one to continue."""
    study = open_study(path)
    return Earlier(
        path=path,
        form=study.form.name,
        corpus=study.plan.corpus,
        collected=tuple(latest_answers(study)),
        viewed=_find_viewed(study),
    )


def _find_viewed(study: Study) -> dict[int, dict[str, str]]:
    query = sa.select(viewed.c.passage, viewed.c.title, assignments.c.item).join(
        assignments, assignments.c.id == viewed.c.assignment
    )
    found: dict[int, dict[str, str]] = defaultdict(dict)
    with study.store.reading() as connection:
        for row in connection.execute(query.order_by(viewed.c.id)):
            found[row.item][row.passage] = row.title
    return found
