"""Every rater has an order of sides of their own; what was shown before stays as it was."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("assignments", sa.Column("shown", sa.String(2), nullable=False, server_default="ab"))
    op.execute("UPDATE assignments SET shown = (SELECT items.shown FROM items WHERE items.id = assignments.item)")
