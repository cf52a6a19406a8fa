"""What is gathered while one paragraph of Word is read: its text, and what hangs on it."""

from dataclasses import dataclass, field

from pipeline.reports.archive import Element
from pipeline.reports.blocks import tidy


@dataclass
class Line:
    """What one paragraph says, and what hangs on it. `text` is settled when it is first asked for."""

    pieces: list[str] = field(default_factory=list)
    characters: int = 0
    bold_characters: int = 0
    notes: list[tuple[str, str, str]] = field(default_factory=list)  # kind, id, mark
    boxes: list[Element] = field(default_factory=list)
    drawings: list[str] = field(default_factory=list)  # ids of relationships to charts and diagrams
    comments: list[str] = field(default_factory=list)  # their ids
    _text: str | None = None  # a cached_property would take a lock for every paragraph

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = tidy("".join(self.pieces))
        return self._text

    @property
    def is_bold(self) -> bool:
        return self.characters > 0 and self.bold_characters == self.characters

    @property
    def has_more(self) -> bool:
        """Does anything hang on it that stands elsewhere?"""
        return bool(self.notes or self.boxes or self.drawings or self.comments)

    def begin_with(self, other: "Line") -> None:
        """Put another line's text in front: of a drop capital, or of a paragraph whose end was deleted."""
        self.pieces[:0] = other.pieces
        self.characters += other.characters
        self.bold_characters += other.bold_characters
