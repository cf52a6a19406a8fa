"""Alembic runs this to bring the library's schema up to date; see `pipeline.database`."""

from alembic import context

from copilot.library.tables import metadata
from pipeline.database import run_migrations

run_migrations(context, metadata)
