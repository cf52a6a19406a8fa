"""Events from the words of a LaTeX document: gathers a block, closes it, and puts its notes after it."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline.reports import markdown
from pipeline.reports.blocks import Event, Piece, Reading, tidy, visible
from pipeline.reports.tex.numbers import Items
from pipeline.reports.tex.source import Node, leaves

LONGEST_EMPHATIC_CHARACTERS = 250
_SPACE = re.compile(r"\s+")


@dataclass
class Block:
    """What has been gathered of the block that is being read."""

    pieces: list[str] = field(default_factory=list)
    characters: int = 0
    bold_characters: int = 0


class Writer(ABC):
    """The block that is being read, the lists that it stands in, and the notes that wait for its end."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.events: list[Event] = reading.events
        self.block = Block()
        self.lists: list[Items] = []
        self.label: str | None = None  # of an item whose first paragraph is still to come
        self.notes: list[Event] = []
        self.marks = 0
        self.bold = False
        self.counts = True  # not while the body of an author's own command is read
        self.depth = 0  # of cells, notes and captions around what is read

    @abstractmethod
    def nodes(self, nodes: Iterable[Node]) -> None:
        """Read some nodes into the block."""

    def emit(self, text: str) -> None:
        """Add to the block what is no word of the source."""
        self.block.pieces.append(text)

    def count(self, characters: int) -> None:
        """Count characters of the source as read in this block."""
        if self.counts:
            self.block.characters += characters
            self.block.bold_characters += characters if self.bold else 0

    def leave(self, nodes: Iterable[Node | None], reason: str = "markup") -> None:
        """Leave out all text of some nodes."""
        if self.counts:
            for text in leaves(nodes):
                self.reading.tally.leave(reason, text)

    def words(self, text: str) -> None:
        """Add words of the source to the block."""
        self.emit(_SPACE.sub(" ", text))
        self.count(visible(text))

    def flush(self) -> None:
        """Close the block that has been gathered; its notes follow it."""
        block, self.block = self.block, Block()
        text = tidy("".join(block.pieces))
        if text or block.characters:
            self.events.append(self._event(text, block))
        if not self.depth:
            self.place_notes()

    def _event(self, text: str, block: Block) -> Event:
        emphatic = block.characters == block.bold_characters > 0 and len(text) <= LONGEST_EMPHATIC_CHARACTERS
        if not self.lists:
            return Piece("paragraph", text, block.characters, emphatic)
        label, self.label = self.label, None
        depth = len(self.lists) - 1
        if label is None:
            return Piece("list_item", markdown.list_more(depth, text), block.characters)
        number = label if label != "-" else None
        return Piece("list_item", markdown.list_item(label, depth, text), block.characters, emphatic, number)

    def place_notes(self) -> None:
        """Put the notes that wait after what has been written."""
        self.events += self.notes
        self.notes = []

    def inside(self, nodes: Iterable[Node]) -> list[Event]:
        """The events of a cell, a note, a heading; notes in it wait for the end of the outermost one."""
        outer = self.events, self.block, self.lists, self.label, self.bold
        self.events, self.block, self.lists, self.label, self.bold = [], Block(), [], None, False
        self.depth += 1
        self.nodes(nodes)
        self.flush()
        self.depth -= 1
        events = self.events
        self.events, self.block, self.lists, self.label, self.bold = outer
        return events

    def said(self, nodes: Iterable[Node]) -> tuple[str, int]:
        """Some nodes in one text, and how many characters it holds."""
        events = self.inside(nodes)
        return "\n".join(event.text.strip() for event in events), sum(event.characters for event in events)

    def line(self, nodes: Iterable[Node]) -> tuple[str, int]:
        """The same in one line."""
        text, characters = self.said(nodes)
        return " ".join(text.split()), characters

    def unmarked(self, nodes: Iterable[Node]) -> tuple[str, int]:
        """A heading's line: it stands in tables of contents, too, and there without the marks of its notes."""
        before = self.marks
        text, characters = self.line(nodes)
        for mark in range(before + 1, self.marks + 1):
            text = text.replace(f"[^{mark}]", "")
        return text, characters
