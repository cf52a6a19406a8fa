"""Alembic's scripts for the library's schema; `pipeline.database` runs them when a database is opened."""
