"""How far a rater is, and what has been said between raters and researchers."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from expound.study.opened import Study
from expound.study.tables import assignments, messages


@dataclass(frozen=True)
class OwnItem:
    """A line in a rater's list."""

    assignment: int
    question: str
    state: str


def own_items(study: Study, connection: Connection, rater: int) -> list[OwnItem]:
    """The rater's items in the order in which they came."""
    column = assignments.c
    query = sa.select(column.id, column.item, column.state).where(column.rater == rater).order_by(column.id)
    return [OwnItem(row.id, study.items[row.item].item.question, row.state) for row in connection.execute(query)]


@dataclass(frozen=True)
class Reply:
    """A message and what the researchers said to it."""

    text: str
    reply: str


def replies_to(connection: Connection, assignment: int) -> list[Reply]:
    """What has been asked and said about an assignment."""
    query = sa.select(messages).where(messages.c.assignment == assignment).order_by(messages.c.id)
    return [Reply(row.text, row.reply) for row in connection.execute(query) if row.kind != "comment" or row.reply]


def public_replies(connection: Connection) -> list[Reply]:
    """Questions and answers that the researchers have shown to everyone; nobody is named."""
    query = sa.select(messages).where(messages.c.is_public == 1).order_by(messages.c.id)
    return [Reply(row.text, row.reply) for row in connection.execute(query)]
