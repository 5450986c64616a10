"""How far a rater is, and what has been said between raters and researchers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from expound.study.engine.opened import Study
from expound.study.engine.schema import assignments, messages

# Used at every page, and built once.
_STATES = (
    sa.select(assignments.c.state, sa.func.count())
    .where(assignments.c.rater == sa.bindparam("of_rater"))
    .group_by(assignments.c.state)
)
_MESSAGES = sa.select(messages).where(messages.c.assignment == sa.bindparam("of_assignment")).order_by(messages.c.id)


# A reply that the rater has not opened yet; a new reply to the same message is unread again.
_IS_NEWS = sa.and_(messages.c.reply != "", messages.c.is_read == 0)
_NEWS = (
    sa.select(messages.c.assignment)
    .join(assignments, assignments.c.id == messages.c.assignment)
    .where(_IS_NEWS, assignments.c.rater == sa.bindparam("of_rater"))
)
_READ = sa.update(messages).where(_IS_NEWS, messages.c.assignment == sa.bindparam("of_assignment")).values(is_read=1)


@dataclass(frozen=True)
class OwnItem:
    """A line in a rater's list; `has_news` is a reply that was not read yet."""

    assignment: int
    question: str
    state: str
    has_news: bool


def own_items(study: Study, connection: Connection, rater: int) -> list[OwnItem]:
    """The rater's items in the order in which they came."""
    column = assignments.c
    query = sa.select(column.id, column.item, column.state).where(column.rater == rater).order_by(column.id)
    news = set(unread_replies(connection, rater))
    return [
        OwnItem(row.id, study.items[row.item].item.question, row.state, row.id in news)
        for row in connection.execute(query)
    ]


def unread_replies(connection: Connection, rater: int) -> list[int]:
    """The assignments with a reply or feedback that the rater has not read, one for each reply."""
    return list(connection.scalars(_NEWS, {"of_rater": rater}))


def mark_read(connection: Connection, assignment: int) -> None:
    """The rater has the page of the item before them."""
    connection.execute(_READ, {"of_assignment": assignment})


def counts_by_state(connection: Connection, rater: int) -> Counter[str]:
    """How many of the rater's items are open, parked and done."""
    return Counter({row[0]: row[1] for row in connection.execute(_STATES, {"of_rater": rater})})


@dataclass(frozen=True)
class MessageWithReply:
    """A message and what the researchers said to it."""

    text: str
    reply: str


def replies_to(connection: Connection, assignment: int) -> list[MessageWithReply]:
    """What has been asked and said about an assignment."""
    rows = connection.execute(_MESSAGES, {"of_assignment": assignment})
    # A comment needs no answer, and is shown to its writer only if there is one.
    return [MessageWithReply(row.text, row.reply) for row in rows if row.kind != "comment" or row.reply]


def public_replies(connection: Connection) -> list[MessageWithReply]:
    """Questions and answers that the researchers have shown to everyone; nobody is named."""
    query = sa.select(messages).where(messages.c.is_public == 1).order_by(messages.c.id)
    return [MessageWithReply(row.text, row.reply) for row in connection.execute(query)]
