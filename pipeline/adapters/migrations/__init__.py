"""Alembic's scripts for the registry's schema; `pipeline.database` runs them when a database is opened."""
