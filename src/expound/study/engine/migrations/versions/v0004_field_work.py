"""For work in the field: what a platform pays for, replies that were read, further raters and decisions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("raters", sa.Column("paid_for", sa.String(200), nullable=False, server_default=""))
    op.add_column("messages", sa.Column("is_read", sa.Integer, nullable=False, server_default="0"))
    op.add_column("items", sa.Column("more_raters", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("item", sa.Integer, sa.ForeignKey("items.id"), nullable=False),
        sa.Column("shown", sa.String(2), nullable=False),
        sa.Column("answers", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
