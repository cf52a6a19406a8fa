"""What happens when something on the page is pressed. Knows the library and the desk, not the page's layout.

Every action gets the page's `Place` and answers with a whole `View`: what is shown always belongs together.
"""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count
from typing import Any
from urllib.parse import parse_qs

from copilot.app import views
from copilot.app.check_panel import check_failed, check_panel
from copilot.app.desk import Desk
from copilot.app.engine import Engine, Status
from copilot.app.words import Words
from copilot.checking import check_section
from copilot.drafting import Means, Request, window_of
from copilot.library import Entry, Library, Project, Version, format_outline, outline_of, parse_outline
from pipeline.errors import MemoriaError, UserError
from pipeline.records import Language, Report
from pipeline.settings import App

log = logging.getLogger(__name__)
_turns = count(1)


@dataclass(frozen=True)
class Place:
    """What a page has open. It lives in the browser: it changes at one moment with the text beside it.

    `sitting` names the browser tab, `version` the text that it was given; `turn` makes each answer new.
    """

    project: str = ""
    section: str = ""
    sitting: str = ""
    version: int = 0
    writing: bool = False
    turn: int = 0

    @classmethod
    def read(cls, text: str | None) -> "Place":
        """A place from the page; nothing in it is trusted."""
        try:
            found = json.loads(text or "{}")
            return cls(
                **{name: type(getattr(cls, name))(found[name]) for name in cls.__dataclass_fields__ if name in found}
            )
        except (ValueError, TypeError, AttributeError):
            return cls()

    def written(self) -> str:
        """For the page."""
        return json.dumps(asdict(self))


@dataclass(frozen=True)
class View:
    """All that the page shows of a place."""

    place: Place
    brand: str
    pill: str
    saved: str
    export: str
    outline: str
    heading: str
    guidance: str
    notices: str
    paper: str
    text: str
    note: str
    check: str
    preview: str
    window: str
    facts: str
    toast: str
    welcome: str
    ready: bool = False
    can_go_on: bool = False
    can_go_back: bool = False
    asking: bool = False


class Actions:
    """The page's actions, for one workspace and one engine."""

    def __init__(
        self,
        library: Library,
        desk: Desk,
        engine: Engine,
        reports: Callable[[], Sequence[tuple[str, str]]],
        open_report: Callable[[str], Report | None],
        app: App,
    ) -> None:
        """
        Args:
            reports: lists past reports: title and id.
            open_report: a past report by its id; None if it is there no more.
        """
        self._library, self._desk, self._engine = library, desk, engine
        self._reports, self._open_report, self._app = reports, open_report, app

    def load(self, say: Words, sitting: str, search: str) -> View:
        """The page anew, at the project and section of its address, else at the newest project."""
        asked = parse_qs((search or "").lstrip("?"))
        wanted = Place(asked.get("project", [""])[0], asked.get("section", [""])[0], sitting)
        return self.show(say, wanted)

    def show(self, say: Words, place: Place, toast: str = "") -> View:
        """What there is at a place, or at the nearest there is."""
        cards = self._library.projects()
        project_id = next((card.id for card in cards if card.id == place.project), cards[0].id if cards else "")
        status = self._engine.status()
        model = self._model(status)
        frame: dict[str, Any] = {
            "brand": views.brand(say, cards, project_id),
            "pill": views.pill(say, status, model),
            "saved": views.saved(say),
            "notices": views.notices(say),
            "paper": views.paper(say),
            "toast": views.toast(toast),
            "welcome": views.welcome(say),
        }
        if not project_id:
            parts = ("export", "outline", "heading", "guidance", "text", "note", "check", "preview", "window", "facts")
            empty: dict[str, Any] = dict.fromkeys(parts, "")
            return View(place=replace(Place(sitting=place.sitting), turn=next(_turns)), asking=True, **frame, **empty)
        project = self._library.open(project_id)
        body = self._body(say, project, place)
        return View(ready=status.state == "ready", **frame, **body)

    def _body(self, say: Words, project: Project, place: Place) -> dict[str, Any]:
        entries = project.outline()
        entry = next((e for e in entries if e.key == place.section), entries[0])
        version = project.latest(entry.key)
        job = self._desk.job(project.id, entry.key)
        writing = self._desk.writing(project.id)
        is_written = entry.key in writing
        # What a past job said of its text no longer holds once a person has changed it.
        event = job.event if job and (job.event.version == version.version or job.event.stage == "failed") else None
        return {
            "place": Place(project.id, entry.key, place.sitting, version.version, is_written, next(_turns)),
            "export": views.export_menu(say, project, entries),
            "outline": views.outline(say, entries, entry.key, writing),
            "heading": views.heading(say, entry, is_written),
            "guidance": entry.guidance,
            "text": version.text,
            "note": "" if is_written else views.note(say, version, event),
            "check": "" if is_written else self._check(say, project, entry.key, version),
            "preview": views.preview(say, version.text),
            "window": self._window(say, project, entry.key, entries.index(entry)),
            "facts": "\n".join(project.facts()),
            "can_go_on": not is_written and version.finish in ("clipped", "stopped"),
            "can_go_back": not is_written and len(project.history(entry.key)) > 1,
        }

    def _model(self, status: Status) -> str:
        """The name of the model; none when it is not ready, or just went away."""
        try:
            return self._engine.serving().model if status.state == "ready" else ""
        except MemoriaError:
            return ""

    def _window(self, say: Words, project: Project, key: str, place: int) -> str:
        try:
            window = window_of(project, key, *self._engine.reading())
        except MemoriaError as error:
            return views.no_window(say, error.line)
        return views.window_panel(say, window, project.sections()[:place])

    def _check(self, say: Words, project: Project, key: str, version: Version) -> str:
        if not version.text.strip():
            return ""
        try:
            return check_panel(say, check_section(project, key, version.text, version.instruction or ""))
        except Exception:  # a bug of ours: it must not keep a person from her text
            log.exception("check of section %s in project %s", key, project.id)
            return check_failed(say)

    def choose(self, say: Words, place: Place, kind: str, value: str) -> View:
        """Go to another section or project."""
        if kind == "project":
            return self.show(say, Place(value, "", place.sitting))
        return self.show(say, replace(place, section=value))

    def generate(self, say: Words, place: Place, instruction: str, go_on: bool = False) -> View:
        """Let the model write the open section."""
        request = Request(place.section, instruction, go_on)
        return self._do(say, place, partial(self._start, place, request))

    def _start(self, place: Place, request: Request) -> None:
        if (status := self._engine.status()).state != "ready":
            raise UserError(status.line or "the model is not ready", fix="wait until it is, or write by hand")
        means = Means(*self._engine.serving(), *self._engine.reading(), self._app)
        self._desk.start(self._library.open(place.project), request, means)

    def stop(self, say: Words, place: Place) -> View:
        """End what is being written; what there is stays."""
        if job := self._desk.job(place.project, place.section):
            job.stop()
            job.wait(5)
        return self.show(say, place)

    def accept(self, say: Words, place: Place) -> View:
        """The open section is good; on to the next that is not."""
        try:
            project = self._library.open(place.project)
            project.accept(place.section, version=place.version, sitting=place.sitting)
        except MemoriaError as error:
            return self.show(say, place, error.line)
        return self.show(say, replace(place, section=_next(project.outline(), place.section)))

    def go_back(self, say: Words, place: Place) -> View:
        """Take the text before this one, as a new version."""
        return self._do(say, place, partial(self._go_back, place))

    def _go_back(self, place: Place) -> None:
        project = self._library.open(place.project)
        history = project.history(place.section)
        older = next((v.version for v in history if v.text != history[0].text), None)
        if older is not None:
            project.restore(place.section, older, version=place.version, sitting=place.sitting)

    def _do(self, say: Words, place: Place, act: Callable[[], None]) -> View:
        try:
            act()
        except MemoriaError as error:
            return self.show(say, place, error.line)
        return self.show(say, place)

    def outlines(self) -> list[tuple[str, str]]:
        """Past reports that an outline can be taken from: title and id."""
        return list(self._reports())

    def outline_text(self, report: str) -> str:
        """The outline of a past report, as one would type it; empty if there is no such report."""
        found = self._open_report(report)
        return format_outline(outline_of(found)) if found else ""

    def create(self, title: str, language: Language, headings: str, report: str) -> Place:
        """Begin a report.

        Raises:
            UserError: there is no title or no heading.
        """
        project = self._library.create_project(title, language, parse_outline(headings), source=report or None)
        return Place(project.id)


def _next(entries: list[Entry], key: str) -> str:
    """The section after `key` that is not accepted yet; else the first such; else `key` itself."""
    at = next((i for i, entry in enumerate(entries) if entry.key == key), 0)
    open_ones = [e.key for e in (*entries[at + 1 :], *entries[:at]) if e.state != "accepted"]
    return open_ones[0] if open_ones else key
