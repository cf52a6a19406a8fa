"""What hangs on a paragraph but stands elsewhere: notes, text boxes, charts, diagrams, comments, embedded files."""

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Protocol

from pipeline.reports.archive import Element
from pipeline.reports.blocks import Event, Piece, Reading, Remark
from pipeline.reports.word import names as n
from pipeline.reports.word.account import MISPLACED, Account, characters_of
from pipeline.reports.word.drawings import drawing_text
from pipeline.reports.word.embedded import read_embedded
from pipeline.reports.word.inline import Inline, Relations
from pipeline.reports.word.line import Line
from pipeline.reports.word.names import w
from pipeline.reports.word.package import Package
from pipeline.reports.word.stream import group_of
from pipeline.settings import Reports

_NOTE_PARTS = (("footnotes", "footnote"), ("endnotes", "endnote"))


class Blocks(Protocol):
    """Who reads blocks: the walker."""

    reading: Reading
    account: Account
    inline: Inline

    def inside(self, parent: Element) -> list[Event]: ...
    def box(self, box: Element) -> None: ...
    def add(self, *events: Event) -> None: ...
    def place_waiting(self) -> None: ...


@dataclass(frozen=True)
class _Story:
    """A note or a comment: its blocks, and the relationships of the part that it stands in."""

    body: Element
    relations: Relations


class Aside:
    """Keeps what stands elsewhere until a paragraph refers to it. Each is read once."""

    def __init__(
        self, package: Package, blocks: Blocks, settings: Reports, read_nested: Callable[[BytesIO], Reading]
    ) -> None:
        """
        Args:
            read_nested: reads a Word file that is embedded in this one.
        """
        self.parts_read = {package.main_name}
        self._package, self._blocks, self._settings, self._read_nested = package, blocks, settings, read_nested
        self._notes: dict[tuple[str, str], _Story] = {}
        for kind, element in _NOTE_PARTS:
            self._load(kind, element, element)
        if "comments" in settings.keep:
            self._load("comments", "comment", "comment")

    def _load(self, part: str, tag: str, kind: str) -> None:
        name = self._package.related(part)
        root = self._package.part(name)
        if name is None or root is None or name in self.parts_read:
            return
        self.parts_read.add(name)
        relations = self._package.relations(name)
        within = 0
        for body in root.iterfind(w(tag)):
            within += characters_of(body)
            key = kind, body.get(n.ID, "")
            if key in self._notes:  # a second one of the same name can never be meant
                self._blocks.inline.drop(body, "note without a reference")
            else:
                self._notes[key] = _Story(body, relations)
        if outside := characters_of(root) - within:
            self._blocks.reading.tally.left_out[MISPLACED] += outside

    def place(self, line: Line) -> None:
        """Read what hangs on a line into the place where we are."""
        for box in line.boxes:
            self._blocks.box(box)
        for relation in line.drawings:
            self._drawing(relation)
        for kind, note, mark in line.notes:
            self._note(kind, note, mark)
        for comment in line.comments:
            self._comment(comment)

    def finish(self) -> None:
        """Comments that hang on nothing stand at the end; notes that nothing refers to are left out."""
        for kind, identity in list(self._notes):
            if kind == "comment":
                self._blocks.account.enter(())
                self._comment(identity)
                self._blocks.account.leave(f"comment {identity}")
            else:
                self._blocks.inline.drop(self._notes.pop((kind, identity)).body, "note without a reference")

    def _events_of(self, kind: str, identity: str) -> list[Event] | None:
        story = self._notes.pop((kind, identity), None)
        if story is None:
            return None
        self._blocks.account.came_along(characters_of(story.body))
        with self._blocks.inline.story(story.relations, group_of(story.body).fields):
            return self._blocks.inside(story.body)

    def _note(self, kind: str, identity: str, mark: str) -> None:
        events = self._events_of(kind, identity)
        if events is None:
            return
        text, characters = _said(events)
        self._blocks.add(Piece("note", f"[^{mark}]: {text}", characters))
        self._blocks.place_waiting()

    def _comment(self, identity: str) -> None:
        story = self._notes.get(("comment", identity))
        events = self._events_of("comment", identity)
        if story is None or events is None:
            return
        text, characters = _said(events)
        about = self._blocks.inline.ranges.about(identity)
        self._blocks.add(Remark(text, characters, about, story.body.get(w("author")) or None))
        self._blocks.place_waiting()

    def _drawing(self, relation: str) -> None:
        _, target, outside = self._blocks.inline.relations.get(relation, ("", "", True))
        is_drawing = not outside and any(folder in target for folder in ("charts/", "diagrams/"))
        part = self._package.part(target) if is_drawing and target not in self.parts_read else None
        if part is None:
            return
        self.parts_read.add(target)
        left_out = self._blocks.reading.tally.left_out.total()
        text, characters = drawing_text(part, self._blocks.reading.tally)
        self._blocks.account.came_along(characters + self._blocks.reading.tally.left_out.total() - left_out)
        if text:
            self._blocks.add(Piece("paragraph", text, characters))

    def subdocument(self, element: Element) -> None:
        """Tell of a chapter that a master document keeps in a file of its own: that one has to be read by itself."""
        _, target, _ = self._blocks.inline.relations.get(element.get(n.R_ID, ""), ("", "?", True))
        self._blocks.reading.warnings.append(f"a chapter stands in another file, which was not read: {target}")

    def embedded(self, element: Element) -> None:
        """Read an embedded file where it stands."""
        reading = self._blocks.reading
        _, target, outside = self._blocks.inline.relations.get(element.get(n.R_ID, ""), ("", "?", True))
        known = not outside and target in self._package.names
        inner = read_embedded(self._package.data(target), self._settings, self._read_nested) if known else None
        if inner is None:
            reading.warnings.append(f"an embedded file was not read: {target}")
            return
        self._blocks.account.came_along(inner.tally.visible)
        reading.tally.visible += inner.tally.visible
        reading.tally.left_out.update(inner.tally.left_out)
        reading.warnings += inner.warnings
        self._blocks.add(*inner.events)


def _said(events: list[Event]) -> tuple[str, int]:
    """The events of a note or a comment in one text, and its characters."""
    return "\n".join(event.text for event in events if event.text), sum(event.characters for event in events)
