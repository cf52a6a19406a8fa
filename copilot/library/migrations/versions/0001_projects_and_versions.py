"""Projects, their outlines and facts, and the versions of each section's text."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the five tables; SQLite is told that no version may be taken away."""
    _make_projects()
    _make_versions()
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER versions_no_delete BEFORE DELETE ON versions "
            "BEGIN SELECT RAISE(ABORT, 'versions are only ever added to'); END"
        )


def _make_projects() -> None:
    op.create_table(
        "projects",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("source", sa.String(64)),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_table(
        "sections",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("project", sa.String(32), sa.ForeignKey("projects.id"), nullable=False, index=True),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("level", sa.Integer, nullable=False),
        sa.Column("number", sa.String(32)),
        sa.Column("heading", sa.Text, nullable=False),
        sa.Column("guidance", sa.Text, nullable=False),
        sa.UniqueConstraint("project", "key", name="one_section_a_key"),
    )
    op.create_table(
        "facts",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("project", sa.String(32), sa.ForeignKey("projects.id"), nullable=False, index=True),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )


def _make_versions() -> None:
    op.create_table(
        "windows",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("record", sa.JSON, nullable=False),
    )
    op.create_table(
        "versions",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("section", sa.Integer, sa.ForeignKey("sections.id"), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("finish", sa.String(8), nullable=False),
        sa.Column("window", sa.String(64), sa.ForeignKey("windows.id")),
        sa.Column("adapter", sa.String),
        sa.Column("instruction", sa.Text),
        sa.Column("sitting", sa.String(64), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("changed", sa.String(32), nullable=False),
        sa.UniqueConstraint("section", "version", name="one_change_a_number"),
    )


def downgrade() -> None:
    """Take all tables away, and with them every draft."""
    for table in ("versions", "windows", "facts", "sections", "projects"):
        op.drop_table(table)
