"""The registry's two tables, as SQLAlchemy sees them; `migrations/` makes them.

adapters          one row an adapter: the record, where its files lie, what it was made from
adapter_events    one row a change of state, never altered; `turn` counts the events of one base, so that of
                  two writers who both think it is their turn one fails, whatever the database
"""

from sqlalchemy import JSON, Column, ForeignKey, Integer, MetaData, String, Table, UniqueConstraint

metadata = MetaData()

adapters = Table(
    "adapters",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("base", String(64), nullable=False, index=True),
    Column("path", String, nullable=False),
    Column("record", JSON, nullable=False),
    Column("lineage", JSON, nullable=False),
)

events = Table(
    "adapter_events",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("adapter", String(64), ForeignKey("adapters.id"), nullable=False, index=True),
    Column("base", String(64), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("cause", String(16), nullable=False),
    Column("reason", String, nullable=False),
    Column("evaluation", String(64)),
    Column("scores", JSON, nullable=False),
    Column("time", String(32), nullable=False),
    UniqueConstraint("base", "turn", name="one_event_a_turn"),
)
