"""Adapters, and the events that their states follow from."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the two tables; SQLite is told to refuse changes of an event."""
    op.create_table(
        "adapters",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("base", sa.String(64), nullable=False, index=True),
        sa.Column("path", sa.String, nullable=False),
        sa.Column("record", sa.JSON, nullable=False),
        sa.Column("lineage", sa.JSON, nullable=False),
    )
    op.create_table(
        "adapter_events",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("adapter", sa.String(64), sa.ForeignKey("adapters.id"), nullable=False, index=True),
        sa.Column("base", sa.String(64), nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("cause", sa.String(16), nullable=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("evaluation", sa.String(64)),
        sa.Column("scores", sa.JSON, nullable=False),
        sa.Column("time", sa.String(32), nullable=False),
        sa.UniqueConstraint("base", "turn", name="one_event_a_turn"),
    )
    if op.get_bind().dialect.name == "sqlite":
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER adapter_events_no_{change.lower()} BEFORE {change} ON adapter_events "
                "BEGIN SELECT RAISE(ABORT, 'adapter_events is append-only'); END"
            )


def downgrade() -> None:
    """Take both tables away, and with them the history."""
    op.drop_table("adapter_events")
    op.drop_table("adapters")
