"""What a window keeps of each earlier section: where it stands in the section, and why. All pictures show these rows.

sections    1            2                3
spans       ■■···■····   ·······■■■····   ■■■■■■■■■■■■
bar         ██░░░▓░░░░   ░░░░░░░██▒░░░░   ████████████      30 cells each: `lines_of`, for the terminal
            picture_page.py: a page for the browser; picture_plot.py: an image
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline.records import Section, Window, WindowPart
from pipeline.windows.build import FITS, SINCE
from pipeline.windows.decay import BEGINNING
from pipeline.windows.select import FACTS, TOPIC
from pipeline.windows.tail import RECENT

CELLS = 30


@dataclass(frozen=True)
class Reason:
    """How a reason for keeping text is shown: its colours on white and on black, and what it means."""

    light: str
    dark: str
    meaning: str


REASONS = {  # in the order in which they are shown: older text before newer
    BEGINNING: Reason("#3568b8", "#7aa7f0", "the beginning of a section: less of it with its distance"),
    FACTS: Reason("#c2560c", "#ff9d5c", "older text with figures, dates and names that will be needed again"),
    TOPIC: Reason("#8a4fb0", "#c79be8", "older text about what comes next"),
    RECENT: Reason("#0b6e6e", "#5cc4c0", "the latest text, word for word"),
    SINCE: Reason("#5f9e2f", "#9bd469", "written since the window was last chosen"),
    FITS: Reason("#0b6e6e", "#5cc4c0", "all that was written so far"),
}
OTHER = Reason("#6b7683", "#9aa5b1", "")  # a heading without text, or a policy that has no colour yet


@dataclass(frozen=True)
class Row:
    """One earlier section. `distance` counts sections back from the target: 1 stands right before it."""

    section: Section
    distance: int
    part: WindowPart | None

    @property
    def characters(self) -> int:
        """Characters of the section's text; 0: it is a heading alone."""
        return len(self.section.text)

    @property
    def share_kept(self) -> float:
        """Share of the section's text that is kept; 0 where there is no text."""
        return self.part.share_kept if self.part and self.characters else 0.0

    @property
    def tokens(self) -> int:
        """Tokens that the section takes of the window."""
        return self.part.tokens if self.part else 0

    def spans(self) -> Iterator[tuple[float, float, str]]:
        """Kept spans in document order: where each begins and ends, as shares of the section's text, and its reason."""
        for span in self.part.spans if self.part else ():
            yield span.start / self.characters, span.end / self.characters, span.reason

    def share_by_reason(self) -> dict[str, float]:
        """Share of the section's text that is kept for each reason."""
        shares: dict[str, float] = defaultdict(float)
        for start, end, reason in self.spans():
            shares[reason] += end - start
        return dict(sorted(shares.items(), key=_rank))


def rows_of(window: Window, earlier: Sequence[Section]) -> tuple[Row, ...]:
    """A row for each section before the window's own, in document order, also where nothing is kept."""
    parts = {part.section: part for part in window.parts}
    return tuple(Row(section, len(earlier) - place, parts.get(section.id)) for place, section in enumerate(earlier))


@dataclass(frozen=True)
class Picture:
    """A window and what it was chosen from. `report` is the title of the report."""

    window: Window
    report: str
    target: Section
    rows: tuple[Row, ...]

    @cached_property
    def tokens_by_reason(self) -> dict[str, int]:
        """Tokens of the window without its outline, by reason; what is kept of a section is divided by characters."""
        tokens: Counter[str] = Counter()
        for part in self.window.parts:
            tokens.update(_divided(part))
        return dict(sorted(tokens.items(), key=_rank))

    @cached_property
    def longest(self) -> int:
        """Characters of the longest section, at least 1: the measure of all tracks."""
        return max((row.characters for row in self.rows), default=0) or 1


def picture_of(window: Window, sections: Sequence[Section], report: str) -> Picture:
    """A window as all its pictures show it.

    Args:
        sections: those before the window's own, then its own.
        report: the report's title.
    """
    *earlier, target = sections
    return Picture(window, report, target, rows_of(window, earlier))


def _divided(part: WindowPart) -> dict[str, int]:
    """A part's tokens by reason, in proportion to characters; their sum is the part's."""
    characters: Counter[str] = Counter()
    for span in part.spans:
        characters[span.reason] += span.end - span.start
    if not (total := characters.total()):
        return {part.reason: part.tokens}
    tokens, done = {}, 0
    for reason, count in characters.items():
        tokens[reason] = part.tokens * (done + count) // total - part.tokens * done // total
        done += count
    return tokens


def _rank(item: tuple[str, float]) -> int:
    """Where a reason with its share stands among the others."""
    return list(REASONS).index(item[0]) if item[0] in REASONS else len(REASONS)


def lines_of(picture: Picture) -> Iterator[str]:
    """The picture for a terminal: a line for the window, then one for each earlier section."""
    window = picture.window
    yield (
        f"Window of {picture.target.title}: {window.used_tokens:,} of {window.budget_tokens:,} tokens "
        f"({window.policy}), {window.outline_tokens:,} of them for the outline"
    )
    for row in picture.rows:
        share = f"{row.share_kept:4.0%}" if row.characters else "   –"
        told = row.part.reason if row.part else "nothing kept" if row.characters else "no text"
        yield f"{bar_of(row)} {share} {row.tokens:6,}  {row.section.title}  ({told})"


def bar_of(row: Row) -> str:
    """Where in the section text is kept, in 30 cells: █ all of the cell, ▓ half or more, ▒ less, ░ nothing."""
    if not row.characters:
        return " " * CELLS
    return "".join("░" if not kept else "█" if kept == 1 else "▓" if kept >= 0.5 else "▒" for kept in _cells(row))


def _cells(row: Row) -> list[float]:
    """How much of each cell is kept; exactly 1 where it is all, since in units of 1/CELLS character all is whole."""
    size = row.characters
    kept = [0] * CELLS
    for span in row.part.spans if row.part else ():
        start, end = span.start * CELLS, span.end * CELLS
        for cell in range(start // size, -(-end // size)):
            kept[cell] += min(end, (cell + 1) * size) - max(start, cell * size)
    return [count / size for count in kept]
