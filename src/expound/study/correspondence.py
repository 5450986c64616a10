"""What raters ask and what researchers answer."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from expound.study.opened import Study
from expound.study.raters import pseudonym
from expound.study.store import record_event
from expound.study.tables import assignments, messages


@dataclass(frozen=True)
class Message:
    """A question, comment or feedback, with the item it is about."""

    id: int
    assignment: int
    rater: str
    item: str
    kind: str
    text: str
    reply: str
    is_public: bool


def all_messages(study: Study, connection: Connection) -> list[Message]:
    """Everything that was said, the latest first; unanswered questions before all others."""
    query = (
        sa.select(messages, assignments.c.rater, assignments.c.item)
        .join(assignments, assignments.c.id == messages.c.assignment)
        .order_by(messages.c.id.desc())
    )
    found = [
        Message(
            row.id, row.assignment, pseudonym(row.rater), study.items[row.item].item.id, row.kind, row.text, row.reply,
            bool(row.is_public),
        )
        for row in connection.execute(query)
    ]  # fmt: skip
    return sorted(found, key=lambda message: message.kind != "question" or bool(message.reply))


def message_lines(study: Study) -> str:
    """All of it as lines, in the order in which it was said."""
    with study.store.reading() as connection:
        found = sorted(all_messages(study, connection), key=lambda message: message.id)
    records = ({"study": study.plan.name, **asdict(message)} for message in found)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def reply_to(connection: Connection, message: int, text: str, *, is_public: bool) -> bool:
    """Answer a message; whether it exists."""
    row = connection.execute(
        sa.select(assignments.c.rater, assignments.c.item)
        .join(messages, messages.c.assignment == assignments.c.id)
        .where(messages.c.id == message)
    ).first()
    if row is None:
        return False
    values = {"reply": text, "is_public": int(is_public)}
    connection.execute(sa.update(messages).where(messages.c.id == message).values(**values))
    record_event(connection, "replied", rater=row.rater, item=row.item)
    return True


def give_feedback(connection: Connection, assignment: int, text: str) -> bool:
    """Say something about a rater's answer to an item; whether there is such an assignment."""
    row = connection.execute(sa.select(assignments).where(assignments.c.id == assignment)).first()
    if row is None:
        return False
    values = {"assignment": assignment, "kind": "feedback", "text": "", "reply": text, "is_public": 0}
    connection.execute(sa.insert(messages).values(**values, at=time.time()))
    record_event(connection, "feedback", rater=row.rater, item=row.item)
    return True
