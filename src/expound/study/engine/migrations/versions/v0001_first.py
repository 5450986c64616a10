"""The first version: all tables, and a history that cannot be changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_POSTGRESQL = (
    "CREATE FUNCTION expound_keep_events() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'events are append-only'; END $$",
    "CREATE TRIGGER events_are_append_only BEFORE UPDATE OR DELETE ON events "
    "FOR EACH ROW EXECUTE FUNCTION expound_keep_events()",
)
_SQLITE = tuple(
    f"CREATE TRIGGER events_refuse_{what} BEFORE {what} ON events "
    "BEGIN SELECT RAISE(ABORT, 'events are append-only'); END"
    for what in ("update", "delete")
)


def upgrade() -> None:
    op.create_table(
        "settings",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "items",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.Text, nullable=False, unique=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("shown", sa.String(2), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
    )
    op.create_table(
        "raters",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("code", sa.String(32), nullable=False, unique=True),
        sa.Column("external", sa.String(200), unique=True),
        sa.Column("stage", sa.String(16), nullable=False),
        sa.Column("joined", sa.Float),
    )
    _create_work_tables()
    op.create_table(
        "events",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("rater", sa.Integer),
        sa.Column("item", sa.Integer),
        sa.Column("detail", sa.String(200), nullable=False),
    )
    for statement in _POSTGRESQL if op.get_bind().dialect.name == "postgresql" else _SQLITE:
        op.execute(statement)


def _create_work_tables() -> None:
    op.create_table(
        "assignments",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("rater", sa.Integer, sa.ForeignKey("raters.id"), nullable=False),
        sa.Column("item", sa.Integer, sa.ForeignKey("items.id"), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("draft", sa.Text, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("opened", sa.Float, nullable=False),
        sa.Column("touched", sa.Float, nullable=False),
        sa.UniqueConstraint("rater", "item"),
    )
    op.create_index("assignments_by_item", "assignments", ["item", "state"])
    op.create_table(
        "submissions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("assignment", sa.Integer, sa.ForeignKey("assignments.id"), nullable=False),
        sa.Column("submission", sa.String(64), nullable=False, unique=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("answers", sa.Text, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.UniqueConstraint("assignment", "version"),
    )
    op.create_table(
        "viewed",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("assignment", sa.Integer, sa.ForeignKey("assignments.id"), nullable=False),
        sa.Column("passage", sa.String(200), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.UniqueConstraint("assignment", "passage"),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("assignment", sa.Integer, sa.ForeignKey("assignments.id"), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("reply", sa.Text, nullable=False),
        sa.Column("is_public", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
