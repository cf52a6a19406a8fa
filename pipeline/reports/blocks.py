"""What every reader of a format hands to the outline: headings and pieces of text, in reading order.

    file ── word | pdf | markup ──> Reading(events, tally) ── outline ──> Report(sections, characters)

Each event carries how many visible characters of the file it holds. The outline sums those of the events
that it places, so that a piece which gets lost on the way shows as unaccounted, whoever lost it.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import date

from pipeline.records import BlockKind

# Soft hyphens, zero-width marks and byte-order marks are no text that anybody sees.
_UNSEEN = "\u00ad\u200b\u200e\u200f\u2060\ufeff"
_TIDY = {
    **dict.fromkeys(map(ord, _UNSEEN)),
    **dict.fromkeys(map(ord, "\u00a0\u202f\u2007"), " "),
    **dict.fromkeys(map(ord, "\r\v"), "\n"),
}
_UNTIDY = re.compile(f"[{_UNSEEN}\u00a0\u202f\u2007\r\v]")
_TABS = re.compile(r"[ \t]*\t[ \t]*")
_SPACES = re.compile(r" {2,}")
_BREAKS = re.compile(r"[ \t]*\n\s*")


def visible(text: str) -> int:
    """How many characters of `text` leave ink: neither white space nor zero-width marks."""
    if not text.isascii():
        for mark in _UNSEEN:
            if mark in text:  # six looks are faster than a pattern
                text = text.replace(mark, "")
    return sum(map(len, text.split()))


def tidy(text: str) -> str:
    """One space for many, no trailing space, no empty line, plain spaces for hard ones, no soft hyphens."""
    if _UNTIDY.search(text):
        text = text.translate(_TIDY)
    if "\t" in text:
        text = _TABS.sub("\t", text)
    if "\n" in text:
        text = _BREAKS.sub("\n", text)
    if "  " in text:
        text = _SPACES.sub(" ", text)
    return text.strip()


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading as the file marks it. `level` counts from 1 and may jump; `number` is printed before it."""

    level: int
    text: str
    characters: int
    number: str | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A block of text. `emphatic` (all bold or capital) and `number` help where no heading is marked."""

    kind: BlockKind
    text: str
    characters: int
    emphatic: bool = False
    number: str | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """A reviewer's comment. It stands after the event that it hangs on, and belongs to that event's section."""

    text: str
    characters: int
    about: str = ""
    author: str | None = None


Event = Heading | Piece | Remark


@dataclass
class Tally:
    """Visible characters of a file: all there are, and those left out on purpose, by reason."""

    visible: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    def leave(self, reason: str, text: str) -> None:
        """Note that `text` was left out for `reason`."""
        if count := visible(text):
            self.left_out[reason] += count


@dataclass
class Reading:
    """All that a reader found in one file. `title_characters` are those that only the title holds."""

    events: list[Event] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    title: str = ""
    title_characters: int = 0
    created: date | None = None
    modified: date | None = None
    warnings: list[str] = field(default_factory=list)
