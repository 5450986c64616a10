"""What raters ask and what researchers answer."""

from __future__ import annotations

import time
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from expound.study.engine.opened import Study
from expound.study.engine.raters import pseudonym, worker_id
from expound.study.engine.schema import assignments, messages, raters
from expound.study.engine.study_store import record_event


@dataclass(frozen=True)
class Message:
    """A question, comment or feedback, with the item it is about."""

    id: int
    assignment: int
    rater: str
    worker: str
    item: str
    question: str
    kind: str
    text: str
    reply: str
    is_public: bool


def all_messages(study: Study, connection: Connection) -> list[Message]:
    """Everything that was said, the latest first; unanswered questions before all others."""
    query = (
        sa.select(messages, assignments.c.rater, assignments.c.item, raters.c.external)
        .join(assignments, assignments.c.id == messages.c.assignment)
        .join(raters, raters.c.id == assignments.c.rater)
        .order_by(messages.c.id.desc())
    )
    found = [
        Message(
            id=row.id,
            assignment=row.assignment,
            rater=pseudonym(row.rater),
            worker=worker_id(row.external),
            item=study.items[row.item].item.id,
            question=study.items[row.item].item.question,
            kind=row.kind,
            text=row.text,
            reply=row.reply,
            is_public=bool(row.is_public),
        )
        for row in connection.execute(query)
    ]
    # The sort is stable: within each half the latest stay first.
    return sorted(found, key=lambda message: message.kind != "question" or bool(message.reply))


def reply_to(connection: Connection, message: int, text: str, *, is_public: bool) -> bool:
    """Answer a message; whether it exists."""
    row = connection.execute(
        sa.select(assignments.c.rater, assignments.c.item)
        .join(messages, messages.c.assignment == assignments.c.id)
        .where(messages.c.id == message)
    ).first()
    if row is None:
        return False
    # Unread again, also where it replaces an earlier reply: the rater has to see the new one.
    values = {"reply": text, "is_public": int(is_public), "is_read": 0}
    connection.execute(sa.update(messages).where(messages.c.id == message).values(**values))
    record_event(connection, "replied", rater=row.rater, item=row.item)
    return True


def give_feedback(connection: Connection, assignment: int, text: str) -> int | None:
    """Say something about a rater's answer to an item; the number of that rater, if there is such an assignment."""
    row = connection.execute(sa.select(assignments).where(assignments.c.id == assignment)).first()
    if row is None:
        return None
    values = {"assignment": assignment, "kind": "feedback", "text": "", "reply": text, "is_public": 0}
    # Nobody else's answer is shown to all.
    connection.execute(sa.insert(messages).values(**values, at=time.time()))
    record_event(connection, "feedback", rater=row.rater, item=row.item)
    return int(row.rater)
