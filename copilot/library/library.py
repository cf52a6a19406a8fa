"""The shelf: which projects there are."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, insert, select

from copilot.library.outline import Heading, outline_of
from copilot.library.project import Project
from copilot.library.tables import projects, sections
from copilot.library.text import storable
from copilot.library.versions import now
from pipeline.database import open_database
from pipeline.errors import UserError
from pipeline.records import Language, Report
from pipeline.storage import Workspace

MIGRATIONS = "copilot.library.migrations"


@dataclass(frozen=True)
class Card:
    """What the shelf tells of one project."""

    id: str
    title: str
    language: Language
    created: str
    sections: int


class Library:
    """The projects of one workspace, or of many machines when `url` names a shared database."""

    def __init__(self, workspace: Workspace, url: str | None = None) -> None:
        self._engine = open_database(url or workspace.path("library.db"), MIGRATIONS)

    def close(self) -> None:
        """Give the database's connections back."""
        self._engine.dispose()

    def projects(self) -> list[Card]:
        """All projects, the newest first."""
        counted = (
            select(projects, func.count(sections.c.id).label("sections"))
            .join(sections, sections.c.project == projects.c.id, isouter=True)
            .group_by(projects.c.id)
            .order_by(projects.c.created.desc())
        )
        with self._engine.begin() as connection:
            rows = connection.execute(counted).all()
        return [Card(row.id, row.title, row.language, row.created, row.sections) for row in rows]

    def create_project(
        self, title: str, language: Language, outline: Sequence[Heading], *, source: str | None = None
    ) -> Project:
        """Begin a report.

        Args:
            title: its title.
            language: the one it is written in.
            outline: its headings in order.
            source: id of the report that the outline was taken from.

        Raises:
            UserError: there is no title, or no heading.
        """
        if not title.strip():
            raise UserError("the report has no title", fix="give it one")
        if not outline:
            raise UserError("the outline has no heading", fix="write one heading on each line")
        identity, created = uuid.uuid4().hex, now()
        title = storable(title).strip()
        row = {"title": title, "language": language, "source": source, "created": created}
        headings = [
            {
                "project": identity,
                "key": uuid.uuid4().hex[:12],
                "position": position,
                "level": heading.level,
                "number": heading.number,
                "heading": storable(heading.heading),
                "guidance": "",
            }
            for position, heading in enumerate(outline)
        ]
        with self._engine.begin() as connection:
            connection.execute(insert(projects).values(id=identity, **row))
            connection.execute(insert(sections), headings)
        return Project(self._engine, identity, title, language, created, source)

    def from_report(self, report: Report, title: str | None = None) -> Project:
        """Begin a report with the outline (not the text) of a past one.

        Raises:
            UserError: the past report has no headings.
        """
        return self.create_project(title or report.title, report.language or "en", outline_of(report), source=report.id)

    def open(self, project: str) -> Project:
        """A project by its id.

        Raises:
            UserError: there is none.
        """
        with self._engine.begin() as connection:
            row = connection.execute(select(projects).where(projects.c.id == project)).first()
        if row is None:
            raise UserError("there is no such project", where=project, fix="choose one from the list")
        return Project(self._engine, row.id, row.title, row.language, row.created, row.source)
