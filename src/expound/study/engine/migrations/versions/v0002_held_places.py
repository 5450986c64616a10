"""Count the held places of every item from an index alone: it happens at every answer."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.drop_index("assignments_by_item", "assignments")
    op.create_index("assignments_by_item", "assignments", ["item", "state", "touched"])
