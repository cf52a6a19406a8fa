"""One report in the making: its outline, its facts, and the text of each section."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

from sqlalchemy import Connection, Engine, delete, func, insert, select, update

from copilot.library import versions as history_of
from copilot.library.outline import paths
from copilot.library.tables import facts, sections, versions, windows
from copilot.library.text import blocks_of, merge_lines, storable, words
from copilot.library.versions import Finish, Origin, Version
from pipeline.errors import FatalError, UserError
from pipeline.records import Draft, Language, Section, Window

State = Literal["empty", "draft", "accepted", "changed"]


@dataclass(frozen=True)
class Entry:
    """One line of the outline. `state` is "changed" when the text was edited after it was accepted."""

    key: str
    position: int
    level: int
    number: str | None
    heading: str
    guidance: str
    state: State
    text: str
    accepted: str | None

    @property
    def title(self) -> str:
        """Heading with its number in front."""
        return f"{self.number} {self.heading}" if self.number else self.heading

    @property
    def words(self) -> int:
        """Words of the latest text."""
        return words(self.text)


class Project:
    """A project of a `Library`. Every method is one transaction; sections are named by their keys.

    Methods that take a key raise UserError if there is no such section.
    """

    def __init__(
        self, engine: Engine, id: str, title: str, language: Language, created: str, source: str | None
    ) -> None:
        self._engine = engine
        self.id, self.title, self.language = id, title, language
        self.created, self.source = created, source

    def outline(self) -> list[Entry]:
        """The sections in order, with how far each is."""
        with self._engine.begin() as connection:
            rows = connection.execute(
                select(sections).where(sections.c.project == self.id).order_by(sections.c.position)
            ).all()
            newest = self._texts(connection)
            accepted = self._texts(connection, "accepted")
        return [
            Entry(
                row.key,
                row.position,
                row.level,
                row.number,
                row.heading,
                row.guidance,
                _state(newest.get(row.id), accepted.get(row.id)),
                newest[row.id].text if row.id in newest else "",
                accepted[row.id].text if row.id in accepted else None,
            )
            for row in rows
        ]

    def entry(self, key: str) -> Entry:
        """One line of the outline."""
        found = next((entry for entry in self.outline() if entry.key == key), None)
        if found is None:
            raise _no_section(self.title)
        return found

    def sections(self) -> list[Section]:
        """The report as it stands, for windows: each section with its accepted text, else its latest."""
        entries = self.outline()
        above = paths([(entry.level, entry.title) for entry in entries])
        return [
            Section(
                document=self.id,
                position=entry.position,
                level=entry.level,
                number=entry.number,
                heading=entry.heading,
                path=path,
                language=self.language,
                blocks=blocks_of(entry.accepted if entry.accepted is not None else entry.text),
            )
            for entry, path in zip(entries, above, strict=True)
        ]

    def latest(self, key: str) -> Version:
        """The section's text as it is now."""
        with self._engine.begin() as connection:
            return history_of.latest(connection, self._row(connection, key))

    def history(self, key: str) -> list[Version]:
        """All versions of a section's text, the newest first."""
        with self._engine.begin() as connection:
            return history_of.history(connection, self._row(connection, key))

    def save_text(
        self,
        key: str,
        text: str,
        *,
        version: int,
        sitting: str,
        finish: Finish = "edited",
        origin: Origin | None = None,
    ) -> Version:
        """Save a section's text; see `versions.save`.

        Raises:
            Conflict: somebody else has changed it since `version`; nothing was written.
        """
        save = partial(history_of.save, version=version, sitting=sitting, finish=finish, origin=origin)
        with self._engine.begin() as connection:
            return save(connection, self._row(connection, key), text)

    def set_aside(self, key: str, text: str, *, sitting: str) -> Version:
        """Keep a text in the history only: the latest one stays the latest. Returns the latest."""
        with self._engine.begin() as connection:
            return history_of.set_aside(connection, self._row(connection, key), text, sitting)

    def accept(self, key: str, *, version: int, sitting: str) -> Version:
        """Mark the text as good enough to hand in.

        Raises:
            Conflict: somebody else has changed it since `version`.
            UserError: there is no text.
        """
        with self._engine.begin() as connection:
            section = self._row(connection, key)
            current = history_of.latest(connection, section)
            history_of.check_unchanged(connection, section, current, version, sitting)
            if not current.text.strip():
                raise UserError("there is no text to accept", fix="write or generate it first")
            if current.finish == "accepted":
                return current
            return history_of.repeat(connection, section, current, "accepted", sitting)

    def restore(self, key: str, old: int, *, version: int, sitting: str) -> Version:
        """Make the text of version `old` the latest again, as a new version.

        Raises:
            Conflict: somebody else has changed the text since `version`.
            UserError: there is no version `old`.
        """
        text = next((v.text for v in self.history(key) if v.version == old), None)
        if text is None:
            raise UserError(f"there is no version {old}", where=self.title)
        return self.save_text(key, text, version=version, sitting=sitting)

    def drafts(self, key: str) -> list[Draft]:
        """The section's versions as records, the newest first."""
        return [
            Draft(
                project=self.id,
                section=key,
                text=v.text,
                window=v.window,
                adapter=v.adapter,
                instruction=v.instruction,
                finish=v.finish,
                created=v.created,
            )
            for v in self.history(key)
        ]

    def window(self, window: str) -> Window:
        """What the model saw when it wrote, by the id that a version carries."""
        with self._engine.begin() as connection:
            record = connection.execute(select(windows.c.record).where(windows.c.id == window)).scalar()
        if record is None:
            raise FatalError(f"no window {window}", where=self.title)
        return Window.model_validate(record)

    def save_guidance(self, key: str, text: str, *, base: str) -> str:
        """Save what the section should say, made from `base`; lines that others added since are kept."""
        with self._engine.begin() as connection:
            section = self._row(connection, key)
            there = select(sections.c.guidance).where(sections.c.id == section)
            stored = connection.execute(there).scalar_one()
            merged = storable(text) if stored == base else merge_lines(base, storable(text), stored)
            connection.execute(update(sections).where(sections.c.id == section).values(guidance=merged))
        return merged

    def facts(self) -> tuple[str, ...]:
        """The lines that the writer is told."""
        with self._engine.begin() as connection:
            return self._facts(connection)

    def save_facts(self, text: str, *, base: str) -> tuple[str, ...]:
        """Save facts, one a line, made from `base`; facts that others added since are kept."""
        with self._engine.begin() as connection:
            lines = merge_lines(base, storable(text), "\n".join(self._facts(connection))).splitlines()
            connection.execute(delete(facts).where(facts.c.project == self.id))
            if lines:
                rows = [{"project": self.id, "position": i, "text": line} for i, line in enumerate(lines)]
                connection.execute(insert(facts), rows)
        return tuple(lines)

    def _facts(self, connection: Connection) -> tuple[str, ...]:
        ordered = select(facts.c.text).where(facts.c.project == self.id).order_by(facts.c.position)
        return tuple(connection.execute(ordered).scalars())

    def _row(self, connection: Connection, key: str) -> int:
        found = connection.execute(
            select(sections.c.id).where(sections.c.project == self.id, sections.c.key == key)
        ).scalar()
        if found is None:
            raise _no_section(self.title)
        return found

    def _texts(self, connection: Connection, finish: Finish | None = None) -> dict[int, Version]:
        """By section: its latest version, or its latest with this finish."""
        newest = (
            select(versions.c.section, func.max(versions.c.version).label("version"))
            .join(sections, sections.c.id == versions.c.section)
            .where(sections.c.project == self.id, *([versions.c.finish == finish] if finish else []))
            .group_by(versions.c.section)
            .subquery()
        )
        on = (versions.c.section == newest.c.section) & (versions.c.version == newest.c.version)
        rows = connection.execute(
            select(versions.c.section, versions.c.version, versions.c.text, versions.c.finish).join(newest, on)
        )
        return {row.section: Version(row.version, row.text, row.finish) for row in rows}


def _state(newest: Version | None, accepted: Version | None) -> State:
    if accepted is not None:
        unchanged = newest is not None and newest.text == accepted.text
        return "accepted" if unchanged else "changed"
    return "draft" if newest is not None and newest.text.strip() else "empty"


def _no_section(title: str) -> UserError:
    return UserError("there is no such section", where=title, fix="choose one from the outline")
