"""The tables of a study. What raters enter is only ever added; `events` is the history and holds no content."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text, UniqueConstraint

# Whoever fills these columns cuts to their width: PostgreSQL refuses what is longer.
NAME_WIDTH = 200
SUBMISSION_WIDTH = 64  # a page's own id of what it sends: a UUID has 36 characters

metadata = MetaData()

settings = Table(
    "settings",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

items = Table(
    "items",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("kind", String(16), nullable=False),
    Column("shown", String(2), nullable=False),
    # The item as it was when the study began, whole: judgments are of this text, whatever becomes of the file.
    Column("record", Text, nullable=False),
    Column("more_raters", Integer, nullable=False, server_default="0"),
)

raters = Table(
    "raters",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("code", String(32), nullable=False, unique=True),
    # May be missing, and otherwise once: a worker who comes a second time must not become a second rater.
    Column("external", String(NAME_WIDTH), unique=True),
    Column("paid_for", String(NAME_WIDTH), nullable=False, server_default=""),
    Column("stage", String(16), nullable=False),
    Column("joined", Float),
)

assignments = Table(
    "assignments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("rater", ForeignKey("raters.id"), nullable=False),
    Column("item", ForeignKey("items.id"), nullable=False),
    Column("state", String(16), nullable=False),
    Column("shown", String(2), nullable=False),
    Column("draft", Text, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("opened", Float, nullable=False),
    Column("touched", Float, nullable=False),
    # Nobody judges an item twice, however many tabs ask for the next one at the same moment.
    UniqueConstraint("rater", "item"),
    # In this order for the query that runs at every answer: how many hold a place of each item.
    Index("assignments_by_item", "item", "state", "touched"),
)

# A page has one submission id however often it is sent, and each version of a judgment exists once: between them,
# double clicks, two tabs and reconnects can neither double nor lose an answer.
submissions = Table(
    "submissions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("assignment", ForeignKey("assignments.id"), nullable=False),
    Column("submission", String(SUBMISSION_WIDTH), nullable=False, unique=True),
    Column("version", Integer, nullable=False),
    Column("answers", Text, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("at", Float, nullable=False),
    UniqueConstraint("assignment", "version"),
)

viewed = Table(
    "viewed",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("assignment", ForeignKey("assignments.id"), nullable=False),
    Column("passage", String(NAME_WIDTH), nullable=False),
    Column("title", Text, nullable=False),
    UniqueConstraint("assignment", "passage"),
)

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("assignment", ForeignKey("assignments.id"), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("text", Text, nullable=False),
    Column("reply", Text, nullable=False),
    Column("is_public", Integer, nullable=False),
    Column("is_read", Integer, nullable=False, server_default="0"),
    Column("at", Float, nullable=False),
)

# What an expert decided where raters disagreed; the latest one counts, and what the raters said stays as it is.
decisions = Table(
    "decisions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("item", ForeignKey("items.id"), nullable=False),
    Column("shown", String(2), nullable=False),
    Column("answers", Text, nullable=False),
    Column("at", Float, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("kind", String(32), nullable=False),
    # No foreign keys: history outlives what a rater withdraws.
    Column("rater", Integer),
    Column("item", Integer),
    Column("detail", String(NAME_WIDTH), nullable=False),
)
