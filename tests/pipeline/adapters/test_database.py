"""pipeline.database: opening, locking, migrating; on the registry's own migrations."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from pipeline.adapters.registry import MIGRATIONS
from pipeline.database import open_database
from pipeline.errors import FatalError, UserError

OPEN = "import sys; from pathlib import Path; from pipeline.database import open_database; "
OPEN += f"open_database(Path(sys.argv[1]), {MIGRATIONS!r}); print('alembic' in sys.modules)"


def test_schema_is_made_once_and_alembic_stays_out_afterwards(tmp_path: Path) -> None:
    def opened() -> str:
        return subprocess.run(
            [sys.executable, "-c", OPEN, str(tmp_path / "a.db")], capture_output=True, text=True, check=True
        ).stdout.strip()

    assert [opened(), opened()] == ["True", "False"]
    with open_database(tmp_path / "a.db", MIGRATIONS).begin() as connection:
        assert {"adapters", "adapter_events", "revision_of_pipeline_adapters"} == set(
            inspect(connection).get_table_names()
        )
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA busy_timeout")).scalar() == 15_000


def test_processes_that_open_a_new_database_at_once_make_one_schema(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OPEN, str(tmp_path / "a.db")]
    running = [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    for process in running:
        assert process.communicate()[1] == ""
        assert process.returncode == 0


def test_a_transaction_holds_the_write_lock_from_its_beginning(tmp_path: Path) -> None:
    engine = open_database(tmp_path / "a.db", MIGRATIONS)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE counts (value INTEGER)"))
        connection.execute(text("INSERT INTO counts VALUES (0)"))

    def add() -> None:
        for _ in range(25):
            with engine.begin() as connection:
                value = connection.execute(text("SELECT value FROM counts")).scalar_one()
                connection.execute(text("UPDATE counts SET value = :value"), {"value": value + 1})

    threads = [threading.Thread(target=add) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with engine.begin() as connection:
        assert connection.execute(text("SELECT value FROM counts")).scalar() == 75


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_bytes(b"not a database, but long enough to have a header of one" * 10)
    with pytest.raises(FatalError, match=r"a\.db: this is not a database"):
        open_database(tmp_path / "a.db", MIGRATIONS)


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    with open_database(tmp_path / "a.db", MIGRATIONS).begin() as connection:
        connection.execute(text("UPDATE revision_of_pipeline_adapters SET version_num = '9999'"))
    with pytest.raises(UserError, match="newer version of memoria"):
        open_database(tmp_path / "a.db", MIGRATIONS)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError, match="cannot write here"):
        open_database(tmp_path / "file" / "a.db", MIGRATIONS)


def test_a_schema_change_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from alembic.operations import Operations

    def fail(*args: object) -> None:
        raise RuntimeError("struck down half-way")

    monkeypatch.setattr(Operations, "execute", fail)  # the triggers come after the tables
    with pytest.raises(RuntimeError, match="half-way"):
        open_database(tmp_path / "a.db", MIGRATIONS)
    monkeypatch.undo()
    with open_database(tmp_path / "a.db", MIGRATIONS).begin() as connection:
        assert "adapter_events" in inspect(connection).get_table_names()
