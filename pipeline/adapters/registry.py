"""The registry of adapters: which there are, which one serves, and why.

States are never written, only events (see states.py); a champion is made by one transaction that also retires
the one before, and there is never more than one for a base.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from pipeline.adapters.files import verify
from pipeline.adapters.states import Cause, Event, State, latest_scores, line_of_champions, states
from pipeline.adapters.tables import adapters, events
from pipeline.database import open_database
from pipeline.errors import TransientError, UserError
from pipeline.records import Adapter, Record, Score, short
from pipeline.storage import Workspace

MIGRATIONS = "pipeline.adapters.migrations"


class Entry(Record):
    """What the registry knows of one adapter at this moment."""

    adapter: Adapter
    state: State
    created: str
    scores: tuple[Score, ...] = ()
    lineage: dict[str, Any]


class Registry:
    """The registry of one workspace, or of many machines when `url` names a shared database.

    Every method is one transaction. Methods that look for an adapter raise UserError if there is none.
    """

    def __init__(self, workspace: Workspace, url: str | None = None) -> None:
        self._root = workspace.root
        self._engine = open_database(url or workspace.path("adapters.db"), MIGRATIONS)

    def close(self) -> None:
        """Give the database's connections back."""
        self._engine.dispose()

    def register(self, adapter: Adapter, lineage: Mapping[str, Any]) -> None:
        """Make an adapter known as a candidate; again, it only tells where its files lie now.

        Args:
            lineage: what it was made from: base, slice, examples, settings, run, and under `reports` the
                SHA-256 of every report it learned from.

        Raises:
            FatalError: its files are not whole.
        """
        if "reports" not in lineage:
            raise ValueError("a lineage must say which reports the adapter learned from")
        verify(adapter)
        record = adapter.model_dump(mode="json", exclude={"path"})
        record["base_path"] = self._stored(adapter.base_path)
        row = {"path": self._stored(adapter.path), "record": record}
        with self._engine.begin() as connection:
            if self._row(connection, adapter.id) is not None:
                connection.execute(update(adapters).where(adapters.c.id == adapter.id).values(**row))
                return
            connection.execute(insert(adapters).values(id=adapter.id, base=adapter.base, lineage=dict(lineage), **row))
            _append(connection, adapter.base, _event(adapter.id, "candidate", "registered", "trained"))

    def promote(
        self, adapter_id: str, reason: str, evaluation: str | None = None, scores: Sequence[Score] = ()
    ) -> Adapter:
        """Make an adapter the champion of its base and retire the one before; returns the one in service.

        Nothing happens if it is champion already. An evaluation promotes but once: what was taken out of
        service since comes back by hand (no evaluation) or by new proof.

        Raises:
            FatalError: its files are not whole.
        """
        with self._engine.begin() as connection:
            adapter = self._adapter(connection, adapter_id)
            verify(adapter)
            happened = _history(connection, adapter.base)
            line = line_of_champions(happened)
            if line and line[-1] == adapter_id:
                return adapter
            if line and evaluation is not None and _promoted_by(evaluation, adapter_id, happened):
                return self._adapter(connection, line[-1])
            for old in line[-1:]:
                _append(
                    connection,
                    adapter.base,
                    _event(old, "retired", "promoted", f"followed by {short(adapter_id)}"),
                )
            event = _event(adapter_id, "champion", "promoted", reason, evaluation, scores)
            _append(connection, adapter.base, event)
            return adapter

    def refuse(self, adapter_id: str, reason: str, evaluation: str | None = None, scores: Sequence[Score] = ()) -> None:
        """Note that an adapter is not to serve, and why; again for the same reason, nothing happens.

        Raises:
            UserError: it is the champion.
        """
        with self._engine.begin() as connection:
            adapter = self._adapter(connection, adapter_id)
            happened = _history(connection, adapter.base)
            if line_of_champions(happened)[-1:] == [adapter_id]:
                raise UserError(
                    "the champion cannot be refused",
                    where=short(adapter_id),
                    fix="run: memoria adapters rollback",
                )
            last = [event for event in happened if event.adapter == adapter_id][-1]
            if (last.state, last.evaluation, last.reason) != ("refused", evaluation, reason):
                event = _event(adapter_id, "refused", "refused", reason, evaluation, scores)
                _append(connection, adapter.base, event)

    def rollback(self, base_id: str, reason: str = "rolled back by hand") -> Adapter:
        """Bring the champion before the present one back; again, the one before that.

        Raises:
            UserError: there is none to go back to.
            FatalError: its files are not whole; the present champion stays.
        """
        with self._engine.begin() as connection:
            line = line_of_champions(_history(connection, base_id))
            if len(line) < 2:
                raise UserError(
                    "no earlier champion to go back to",
                    where=short(base_id),
                    fix="see: memoria adapters list",
                )
            earlier = self._adapter(connection, line[-2])
            verify(earlier)
            _append(connection, base_id, _event(line[-1], "retired", "rolled back", reason))
            _append(connection, base_id, _event(earlier.id, "champion", "rolled back", reason))
            return earlier

    def champion(self, base_id: str) -> Adapter | None:
        """The adapter in service on a base, if any."""
        with self._engine.begin() as connection:
            line = line_of_champions(_history(connection, base_id))
            return self._adapter(connection, line[-1]) if line else None

    def rival(self, adapter: Adapter) -> Adapter | None:
        """The champion that an adapter has to beat (None: the bare base); for a champion, its predecessor.

        A candidate that has become champion is thus compared with the same rival when it is evaluated again.
        """
        with self._engine.begin() as connection:
            line = line_of_champions(_history(connection, adapter.base))
            if line[-1:] == [adapter.id]:
                line.pop()
            return self._adapter(connection, line[-1]) if line else None

    def newest_champion(self) -> Adapter | None:
        """Of the champions of all bases, the one that was promoted or brought back last."""
        with self._engine.begin() as connection:
            happened = _history(connection)
            now = states(happened)
            made = [e.adapter for e in happened if e.state == now[e.adapter] == "champion"]
            return self._adapter(connection, made[-1]) if made else None

    def champions(self) -> list[Adapter]:
        """The champions of all bases."""
        return [entry.adapter for entry in self.list() if entry.state == "champion"]

    def find(self, prefix: str) -> Entry:
        """The one adapter whose id begins with `prefix`."""
        found = [entry for entry in self.list() if prefix and entry.adapter.id.startswith(prefix)]
        if len(found) != 1:
            what = f"{len(found)} adapters begin with" if found else "no adapter begins with"
            raise UserError(f"{what} {prefix!r}", where=self._root, fix="see: memoria adapters list")
        return found[0]

    def history(self, adapter_id: str) -> list[Event]:
        """All that happened to an adapter, oldest first."""
        with self._engine.begin() as connection:
            return [
                e for e in _history(connection, self._adapter(connection, adapter_id).base) if e.adapter == adapter_id
            ]

    def list(self) -> list[Entry]:
        """All adapters, in the order in which they were registered."""
        with self._engine.begin() as connection:
            happened = _history(connection)
            rows = {row.id: row for row in connection.execute(select(adapters))}
        scores = latest_scores(happened)
        return [
            Entry(
                adapter=(adapter := self._loaded(rows[adapter_id])),
                state=state,
                created=adapter.created,
                scores=scores.get(adapter_id, ()),
                lineage=rows[adapter_id].lineage,
            )
            for adapter_id, state in states(happened).items()
        ]

    def _adapter(self, connection: Connection, adapter_id: str) -> Adapter:
        row = self._row(connection, adapter_id)
        if row is None:
            raise UserError(f"no adapter {short(adapter_id)}", where=self._root, fix="see: memoria adapters list")
        return self._loaded(row)

    def _row(self, connection: Connection, adapter_id: str) -> Any:
        return connection.execute(select(adapters).where(adapters.c.id == adapter_id)).one_or_none()

    def _loaded(self, row: Any) -> Adapter:
        places = {"path": str(self._root / row.path), "base_path": str(self._root / row.record["base_path"])}
        return Adapter(**{**row.record, **places})

    def _stored(self, path: str) -> str:
        """Relative to the workspace where possible, so that the folder can be moved."""
        place = Path(path).resolve()
        return str(place.relative_to(self._root) if place.is_relative_to(self._root) else place)


def _event(
    adapter: str,
    state: State,
    cause: Cause,
    reason: str,
    evaluation: str | None = None,
    scores: Sequence[Score] = (),
) -> Event:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return Event(
        adapter=adapter,
        state=state,
        cause=cause,
        reason=reason,
        evaluation=evaluation,
        scores=tuple(scores),
        time=now,
    )


def _append(connection: Connection, base: str, event: Event) -> None:
    last = connection.execute(select(func.max(events.c.turn)).where(events.c.base == base)).scalar()
    try:
        connection.execute(insert(events).values(base=base, turn=(last or 0) + 1, **event.model_dump(mode="json")))
    except IntegrityError as error:  # only where transactions do not wait for each other
        raise TransientError("another process changed the registry meanwhile", where=short(base)) from error


def _promoted_by(evaluation: str, adapter_id: str, happened: Sequence[Event]) -> bool:
    return any(e.adapter == adapter_id and e.state == "champion" and e.evaluation == evaluation for e in happened)


def _history(connection: Connection, base: str | None = None) -> list[Event]:
    query = select(events).order_by(events.c.number)
    rows = connection.execute(query if base is None else query.where(events.c.base == base)).mappings()
    return [Event(**{name: row[name] for name in Event.model_fields}) for row in rows]
