"""What a rater does to an item: drafts, answers, parking. An answer is taken once, however often it is sent."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from expound.study.engine.assignment import DONE, FINAL, OPEN, PARKED
from expound.study.engine.opened import Study
from expound.study.engine.schema import assignments, messages, submissions
from expound.study.engine.study_store import record_event
from expound.study.forms.posted import COMMENT

# Two tabs meet once; the second try sees what the first tab wrote, the third is for bad luck.
_TRIES = 3

# These are used at every page: built once, since to build a query takes longer than to run it.
_WORK = (
    sa.select(assignments, submissions.c.version, submissions.c.answers)
    .outerjoin(submissions, submissions.c.assignment == assignments.c.id)
    .where(assignments.c.id == sa.bindparam("of_id"), assignments.c.rater == sa.bindparam("of_rater"))
    .order_by(submissions.c.version.desc())
    .limit(1)
)
_BEFORE = sa.select(submissions.c.submission, submissions.c.assignment, submissions.c.version).where(
    sa.or_(
        submissions.c.submission == sa.bindparam("of_submission"),
        submissions.c.assignment == sa.bindparam("of_assignment"),
    )
)
_SUBMISSION = sa.insert(submissions)
_ASSIGNMENT = sa.update(assignments).where(assignments.c.id == sa.bindparam("of_id"))

T = TypeVar("T")


@dataclass(frozen=True)
class Work:
    """An assignment and the answers it has so far: the version that counts, else the draft."""

    id: int
    rater: int
    item: int
    shown: str
    state: str
    seconds: float
    opened: float
    version: int
    answers: Mapping[str, Any]


@dataclass(frozen=True)
class Submission:
    """What a page sends: its own id, the version of the answers it began with, the answers, the active seconds."""

    id: str
    version: int
    answers: Mapping[str, Any]
    seconds: float


class Conflict(Exception):
    """The answers were changed elsewhere since the page was opened; nothing was written."""


def find_work(connection: Connection, id: int, *, rater: int) -> Work | None:
    """The assignment, if it is this rater's own."""
    row = connection.execute(_WORK, {"of_id": id, "of_rater": rater}).first()
    if row is None:
        return None
    # What was typed last is shown again, even if an older version counts.
    answers = json.loads(row.draft) or json.loads(row.answers or "{}")
    return Work(
        id=row.id,
        rater=row.rater,
        item=row.item,
        shown=row.shown,
        state=row.state,
        seconds=row.seconds,
        opened=row.opened,
        version=row.version or 0,
        answers=answers,
    )


def save_draft(connection: Connection, work: Work, sent: Submission) -> bool:
    """Keep what is filled in so far; the answers that count are untouched. False if it came too late."""
    latest = connection.scalar(sa.select(sa.func.max(submissions.c.version)).where(submissions.c.assignment == work.id))
    # A draft of a page that was opened before the last answer would bring old words back.
    if sent.version != (latest or 0):
        return False
    seconds = _active(work, sent.seconds)
    _set(connection, work.id, draft=json.dumps(sent.answers), seconds=seconds, touched=time.time())
    return True


def submit(study: Study, work: Work, sent: Submission, then: Callable[[Connection], T]) -> T:
    """Write an answer down and do what comes next, both or neither; on disk when this returns. Raises Conflict."""
    for _ in range(_TRIES):
        try:
            with study.store.writing() as connection:
                write_down(study, connection, work, sent)
                return then(connection)
        except IntegrityError:  # another tab or a second click was faster: look again
            continue
    raise Conflict


def write_down(study: Study, connection: Connection, work: Work, sent: Submission) -> None:
    """Add an answer as the next version, unless it is there already. Raises Conflict."""
    rows = list(connection.execute(_BEFORE, {"of_submission": sent.id, "of_assignment": work.id}))
    known = next((row for row in rows if row.submission == sent.id), None)
    if known is not None:
        # An id of another assignment is no accident of the network.
        if known.assignment != work.id:
            raise Conflict
        return  # it came before
    version = max((row.version for row in rows), default=0)
    # Training and exam are judged by the first answer, and a second click must not raise an error.
    if version and study.items[work.item].item.kind in FINAL:
        return  # the first answer stays
    if version != sent.version:
        raise Conflict
    seconds = _active(work, sent.seconds)
    now = time.time()
    values = {"assignment": work.id, "submission": sent.id, "version": version + 1, "at": now, "seconds": seconds}
    connection.execute(_SUBMISSION, {**values, "answers": json.dumps(sent.answers)})
    # The draft is done with: it must not come back over the answer.
    _set(connection, work.id, state=DONE, draft="{}", seconds=seconds, touched=now)
    # Once: a corrected answer does not send its comment again.
    if version == 0 and sent.answers.get(COMMENT):
        send_message(connection, work, COMMENT, sent.answers[COMMENT])
    record_event(connection, "saved", rater=work.rater, item=work.item, detail=f"version {version + 1}")


def park(connection: Connection, work: Work, text: str) -> None:
    """Put an unfinished item aside, with a question to the researchers if there is one."""
    # An answered item cannot be unfinished.
    if work.state == DONE:
        return
    _set(connection, work.id, state=PARKED, touched=time.time())
    if text:
        send_message(connection, work, "question", text)
    record_event(connection, "parked", rater=work.rater, item=work.item)


def take_up(connection: Connection, work: Work) -> None:
    """Come back to a parked item."""
    if work.state == PARKED:
        _set(connection, work.id, state=OPEN, touched=time.time())
        record_event(connection, "taken up", rater=work.rater, item=work.item)


def send_message(connection: Connection, work: Work, kind: str, text: str) -> None:
    values = {"assignment": work.id, "kind": kind, "text": text, "reply": "", "is_public": 0, "at": time.time()}
    connection.execute(sa.insert(messages).values(**values))


def _set(connection: Connection, id: int, **values: object) -> None:
    connection.execute(_ASSIGNMENT, {"of_id": id, **values})


def _active(work: Work, seconds: float) -> float:
    """The active time a page reports never shrinks and never exceeds the time since the item was opened."""
    return round(min(max(work.seconds, seconds), max(time.time() - work.opened, 0.0)), 1)
