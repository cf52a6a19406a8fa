"""Opening a database: SQLite on one machine, any other by URL; its schema is brought up to date on the way.

    package/migrations/
      env.py                     two lines: hands the tables' metadata to `run_migrations`
      versions/0001_words.py     Alembic's scripts, one after the other; the number is the revision

Several processes may open and write the same file: every transaction takes the write lock as it begins (BEGIN
IMMEDIATE), so that what it read is still true when it writes, and waits for others up to `BUSY_TIMEOUT_MS`.
"""

import logging
import sqlite3
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, create_engine, event, inspect, make_url, text
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.engine.interfaces import DBAPIConnection

from pipeline.errors import FatalError, MemoriaError, TransientError, UserError

BUSY_TIMEOUT_MS = 15_000
log = logging.getLogger(__name__)


def open_database(place: Path | str, migrations: str) -> Engine:
    """The engine of a database whose schema is current.

    Args:
        place: an SQLite file (made if it is not there), or a URL such as postgresql+psycopg://host/name.
        migrations: the package with the Alembic scripts, for instance "pipeline.adapters.migrations".

    Raises:
        UserError: the place cannot be written, or the database was made by a newer version of the product.
        TransientError: another process holds the database for longer than the timeout.
        FatalError: the file is not a database.
    """
    engine = _engine(place)
    newest = _newest_revision(migrations)
    with engine.connect() as connection:
        current = _revision(connection, migrations)
    if current != newest:
        _migrate(engine, migrations, newest)
    return engine


def run_migrations(context: Any, metadata: MetaData) -> None:
    """The whole of a package's env.py: run what Alembic's `context` asks for, on its connection."""
    options: Mapping[str, Any] = context.config.attributes
    context.configure(
        connection=options["connection"],
        target_metadata=metadata,
        version_table=options["version_table"],
        render_as_batch=True,  # SQLite cannot alter a table; Alembic then makes a new one and copies
    )
    context.run_migrations()


def _engine(place: Path | str) -> Engine:
    if isinstance(place, Path):
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError("cannot write here", where=place.parent, fix="choose another --workspace") from error
    url = make_url(f"sqlite:///{place}" if isinstance(place, Path) else place)
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True)
    engine = create_engine(url)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_immediate)
    event.listen(engine, "handle_error", _clear_sqlite_errors)
    return engine


def _prepare_sqlite(connection: DBAPIConnection, record: object) -> None:
    connection.isolation_level = None  # the driver must not begin by itself: `_begin_immediate` does
    connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA journal_mode=WAL")


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _clear_sqlite_errors(context: ExceptionContext) -> None:
    """Tell SQLite's failures that are not bugs of ours in one line."""
    error = context.original_exception
    if isinstance(error, sqlite3.DatabaseError) and context.engine is not None:
        told = _told(error.sqlite_errorcode & 0xFF, context.engine.url.database) if _has_code(error) else None
        if told is not None:
            raise told from error


def _has_code(error: sqlite3.DatabaseError) -> bool:
    return getattr(error, "sqlite_errorcode", None) is not None


def _told(code: int, where: object) -> MemoriaError | None:
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return TransientError("another process holds the database", where=where, fix="try again in a moment")
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return FatalError(
            "this is not a database any more", where=where, fix="restore it from a backup, or move it away"
        )
    if code == sqlite3.SQLITE_FULL:
        return UserError("the disk is full", where=where, fix="free some space, then run the same again")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return UserError("cannot write here", where=where, fix="choose another --workspace")
    return None


def _version_table(migrations: str) -> str:
    """Each package counts its own revisions, so that two may live in one database."""
    return "revision_of_" + migrations.removesuffix(".migrations").replace(".", "_")


def _newest_revision(migrations: str) -> str:
    """The number of the last script; Alembic would tell, too, but its import takes half a second."""
    names = (entry.name for entry in files(migrations).joinpath("versions").iterdir())
    return max(name.partition("_")[0] for name in names if name[:1].isdigit() and name.endswith(".py"))


def _revision(connection: Connection, migrations: str) -> str | None:
    table = _version_table(migrations)
    if not inspect(connection).has_table(table):
        return None
    return connection.execute(text(f"SELECT version_num FROM {table}")).scalar()


def _migrate(engine: Engine, migrations: str, newest: str) -> None:
    """Bring the schema up to date in one transaction: one process does it, and a crash leaves the old one."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(files(migrations)).replace("%", "%%"))
    with engine.begin() as connection:
        current = _revision(connection, migrations)
        if current is not None and current > newest:
            raise UserError(
                f"made by a newer version of memoria (schema {current}, this one knows {newest})",
                where=engine.url.database,
                fix="update memoria",
            )
        config.attributes.update(connection=connection, version_table=_version_table(migrations))
        command.upgrade(config, "head")
    log.info("schema of %s at %s", migrations, newest)
