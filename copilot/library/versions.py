"""The versions of one section's text: what was saved stays, and who saves over another is told.

    version   1            2         3 ...
    author    the model    Ana       Ana, still typing: her row grows, as long as she only puts in
              "whole"      "edited"

A save says which version it was made from. If somebody else has changed the text since, nothing is written
and the save raises `Conflict`; changes of the same sitting (one browser tab, one run of the model) are no
conflict, because whoever made them knows of them.
"""

from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Connection, Row, func, insert, select, update

from copilot.library.tables import versions, windows
from copilot.library.text import inserts_only, storable
from pipeline.errors import UserError
from pipeline.records import Window

Finish = Literal["whole", "stopped", "clipped", "edited", "accepted"]
LONGEST_GROWTH = timedelta(minutes=10)  # then a new row begins, so that the history has steps to go back to


@dataclass(frozen=True)
class Origin:
    """What a text was written from; all None: by a person."""

    window: Window | None = None
    adapter: str | None = None
    instruction: str | None = None


@dataclass(frozen=True)
class Version:
    """A section's text at one moment. Version 0 is the empty text before anything was written."""

    version: int
    text: str = ""
    finish: Finish = "edited"
    sitting: str = ""
    window: str | None = None
    adapter: str | None = None
    instruction: str | None = None
    created: str = ""
    changed: str = ""


class Conflict(UserError):
    """Somebody else has changed the text since; `latest` is what they made of it."""

    latest: Version


def now() -> str:
    """This moment, UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def latest(connection: Connection, section: int) -> Version:
    """The text as it is now."""
    newest = select(func.max(versions.c.version)).where(versions.c.section == section).scalar_subquery()
    row = connection.execute(
        select(versions).where(versions.c.section == section, versions.c.version == newest)
    ).first()
    return _version(row) if row else Version(0)


def history(connection: Connection, section: int) -> list[Version]:
    """All versions, the newest first."""
    rows = connection.execute(select(versions).where(versions.c.section == section).order_by(versions.c.version.desc()))
    return [_version(row) for row in rows]


def save(
    connection: Connection,
    section: int,
    text: str,
    *,
    version: int,
    sitting: str,
    finish: Finish = "edited",
    origin: Origin | None = None,
) -> Version:
    """Add a version, or let the latest one grow if it is of the same sitting and loses nothing by it.

    Args:
        section: row number of the section.
        version: the one that the text was made from.
        sitting: who saves: one browser tab, one run of the model.
        finish: how the text ended.
        origin: what it was written from.

    Returns:
        The version that now holds the text.

    Raises:
        Conflict: somebody else has changed the text since `version`; nothing was written.
    """
    text, current = storable(text), latest(connection, section)
    if finish == "edited" and text == current.text:
        return current
    check_unchanged(connection, section, current, version, sitting)
    if _grows(current, text, sitting, finish):
        row = {"version": current.version + 1, "text": text, "finish": finish, "changed": now()}
        connection.execute(
            update(versions).where(versions.c.section == section, versions.c.version == current.version).values(**row)
        )
        return latest(connection, section)
    origin = origin or Origin()
    written_from = (_keep_window(connection, origin.window), origin.adapter, origin.instruction)
    return _add(connection, section, Version(current.version + 1, text, finish, sitting, *written_from))


def repeat(connection: Connection, section: int, source: Version, finish: Finish, sitting: str) -> Version:
    """Make the text of `source` the latest (again), with what it was written from."""
    number = latest(connection, section).version + 1
    return _add(connection, section, replace(source, version=number, finish=finish, sitting=sitting))


def set_aside(connection: Connection, section: int, text: str, sitting: str) -> Version:
    """Add a text to the history; what was the latest stays the latest, and is given back."""
    text, current = storable(text), latest(connection, section)
    if text == current.text:
        return current
    _add(connection, section, Version(current.version + 1, text, "edited", sitting))
    return repeat(connection, section, current, current.finish, current.sitting)


def _add(connection: Connection, section: int, version: Version) -> Version:
    time = now()
    added = replace(version, created=time, changed=time)
    connection.execute(insert(versions).values(section=section, **asdict(added)))
    return added


def check_unchanged(connection: Connection, section: int, current: Version, version: int, sitting: str) -> None:
    """Has nobody else changed the text since `version`?

    Raises:
        Conflict: somebody has.
    """
    if current.version == version:
        return
    base = select(versions.c.text).where(versions.c.section == section, versions.c.version == version)
    if connection.execute(base).scalar() == current.text:  # accepted meanwhile, or changed there and back
        return
    others = select(func.count()).where(
        versions.c.section == section, versions.c.version > version, versions.c.sitting != sitting
    )
    if connection.execute(others).scalar_one():
        conflict = Conflict(
            "this section was changed elsewhere in the meantime",
            fix="keep your text or take the other one: both stay in the history",
        )
        conflict.latest = current
        raise conflict


def _grows(current: Version, text: str, sitting: str, finish: Finish) -> bool:
    if not current.version or current.sitting != sitting:
        return False
    if (finish == "edited") != (current.finish == "edited"):  # what was accepted stays as it was
        return False
    young = datetime.now(UTC) - datetime.fromisoformat(current.created) < LONGEST_GROWTH
    return inserts_only(current.text, text) and (young or finish != "edited")


def _keep_window(connection: Connection, window: Window | None) -> str | None:
    if window is None:
        return None
    if not connection.execute(select(windows.c.id).where(windows.c.id == window.id)).first():
        connection.execute(insert(windows).values(id=window.id, record=window.model_dump(mode="json")))
    return window.id


def _version(row: Row[Any]) -> Version:
    fields = dict(row._mapping)
    del fields["id"], fields["section"]
    return Version(**fields)
