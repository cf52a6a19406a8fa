"""The library's tables, as SQLAlchemy sees them; `migrations/` makes them.

projects    one row a report to be written
sections    its outline; `position` orders it, `key` names a section for as long as it lives
facts       lines that the writer is told
versions    what a section's text was; `version` counts the changes of one section from 1. A row's text may
            still grow while its author sits at it (its `version` with it), but nothing in it goes away
windows     what the model saw when it wrote, by id
"""

from sqlalchemy import JSON, Column, ForeignKey, Integer, MetaData, String, Table, Text, UniqueConstraint

metadata = MetaData()

projects = Table(
    "projects",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("title", Text, nullable=False),
    Column("language", String(2), nullable=False),
    Column("source", String(64)),
    Column("created", String(32), nullable=False),
)

sections = Table(
    "sections",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("project", String(32), ForeignKey("projects.id"), nullable=False, index=True),
    Column("key", String(32), nullable=False),
    Column("position", Integer, nullable=False),
    Column("level", Integer, nullable=False),
    Column("number", String(32)),
    Column("heading", Text, nullable=False),
    Column("guidance", Text, nullable=False),
    UniqueConstraint("project", "key", name="one_section_a_key"),
)

facts = Table(
    "facts",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("project", String(32), ForeignKey("projects.id"), nullable=False, index=True),
    Column("position", Integer, nullable=False),
    Column("text", Text, nullable=False),
)

windows = Table(
    "windows",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("record", JSON, nullable=False),
)

versions = Table(
    "versions",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("section", Integer, ForeignKey("sections.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("finish", String(8), nullable=False),
    Column("window", String(64), ForeignKey("windows.id")),
    Column("adapter", String),
    Column("instruction", Text),
    Column("sitting", String(64), nullable=False),
    Column("created", String(32), nullable=False),
    Column("changed", String(32), nullable=False),
    UniqueConstraint("section", "version", name="one_change_a_number"),
)
