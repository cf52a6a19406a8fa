"""Alembic runs this to bring the registry's schema up to date; see `pipeline.database`."""

from alembic import context

from pipeline.adapters.tables import metadata
from pipeline.database import run_migrations

run_migrations(context, metadata)
