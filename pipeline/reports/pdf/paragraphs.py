"""Groups of lines become headings, paragraphs, list items, captions, tables and notes again."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pipeline.reports import markdown
from pipeline.reports.blocks import Event, Heading, Piece, Reading, Remark, tidy
from pipeline.reports.pdf.annotations import Link, Note
from pipeline.reports.pdf.groups import BULLET, NUMBERED, Group, ended
from pipeline.reports.pdf.hyphens import Words, joined
from pipeline.reports.pdf.lines import Line

# A link over two lines: twice the same target.
_OVER_LINES = re.compile(r"\[([^\[\]]+)\]\(([^()\s]+)\) \[([^\[\]]+)\]\(\2\)")
MARK = re.compile(r"\[\^[^\]]+\]")  # of a note, which no heading carries
LONGEST_SCRAP = 30  # characters of a label in a picture
INDENT_POINTS = 6  # a list item further right than that stands below the one before


class Around(NamedTuple):
    """What lies on the pages around their text."""

    links: Sequence[Link]
    notes: Sequence[Note]


def events_of(groups: Sequence[Group], words: Words, around: Around, reading: Reading) -> None:
    """Append the events of all groups to `reading`.

    A caption or table between two halves of a sentence follows the sentence; a remark follows what it lies on.
    """
    writer = _Writer(groups, words, around, reading)
    index = 0
    while index < len(groups):
        group = groups[index]
        floats, rest = _run_over(groups, index)
        writer.add(group, rest)
        for floating in floats:
            writer.add(floating)
        index += 1 + len(floats) + (rest is not None)
    writer.add_remarks(None)


def _run_over(groups: Sequence[Group], index: int) -> tuple[Sequence[Group], Group | None]:
    """The captions and tables that cut a sentence in two, and its second half; nothing if none do."""
    group = groups[index]
    if group.level is not None or _floats(group) or ended(group.text) or not group.lines[-1].upright:
        return (), None
    end = index + 1
    while end < len(groups) and (_floats(groups[end]) or _is_scrap(groups[end])):
        end += 1
    if end == len(groups) or not any(map(_floats, groups[index + 1 : end])):
        return (), None
    rest = groups[end]
    a, b = group.lines[-1], rest.lines[0]
    goes_on = rest.level is None and not rest.starts_list and b.upright and b.text[:1].islower() and a.size == b.size
    return (groups[index + 1 : end], rest) if goes_on else ((), None)


def _floats(group: Group) -> bool:
    return group.lines[0].table is not None or group.is_caption


def _is_scrap(group: Group) -> bool:
    """Is a group a label of a picture?"""
    return group.level is None and not group.starts_list and len(group.text) <= LONGEST_SCRAP and not ended(group.text)


class _Writer:
    def __init__(self, groups: Sequence[Group], words: Words, around: Around, reading: Reading) -> None:
        self._words, self._reading = words, reading
        self._lefts: list[float] = []  # where the open list items begin
        self._links: defaultdict[int, list[Link]] = defaultdict(list)
        for link in around.links:
            self._links[link.page].append(link)
        self._remarks: defaultdict[int | None, list[Remark]] = defaultdict(list)
        on_page: defaultdict[int, list[Group]] = defaultdict(list)
        for group in groups if around.notes else ():
            for page in {line.page for line in group.lines}:
                on_page[page].append(group)
        for note in around.notes:
            nearest = _nearest(on_page, note)
            self._remarks[None if nearest is None else id(nearest)].append(note.remark)

    def add(self, group: Group, rest: Group | None = None) -> None:
        """Append the events of a group, which goes on in `rest`."""
        if not group.starts_list:
            self._lefts.clear()
        lines = [*group.lines, *(rest.lines if rest else ())]
        self._reading.events.append(self._event(group, lines))
        for note in (note for line in lines for note in line.notes):
            text, characters = self._said(note.lines)
            self._reading.events.append(Piece("note", f"[^{note.label}]: {text}", characters))
        self.add_remarks(group)
        if rest is not None:
            self.add_remarks(rest)

    def add_remarks(self, group: Group | None) -> None:
        """Append the remarks that lie on a group, or on nothing."""
        self._reading.events += self._remarks[None if group is None else id(group)]

    def _event(self, group: Group, lines: Sequence[Line]) -> Event:
        if (table := lines[0].table) is not None:
            return Piece("table", markdown.table(table.rows), lines[0].characters)
        text, characters = self._said(lines)
        if group.level is not None:
            return Heading(group.level, MARK.sub("", text), characters)
        text = self._linked(text, lines)
        label = (BULLET.match(text) or NUMBERED.match(text)) if group.starts_list else None
        if label is not None:
            printed = "-" if BULLET.match(text) else label[1]
            item = markdown.list_item(printed, self._depth(lines[0].left), text[label.end() :])
            return Piece("list_item", item, characters)
        return Piece("caption" if group.is_caption else "paragraph", text, characters)

    def _said(self, lines: Sequence[Line]) -> tuple[str, int]:
        """The text of lines, and how many of their characters it holds; dropped hyphens count as left out."""
        text, dropped = joined([line.text for line in lines], self._words)
        self._reading.tally.left_out["hyphenation"] += dropped
        return tidy(text), sum(line.characters for line in lines) - dropped

    def _linked(self, text: str, lines: Sequence[Line]) -> str:
        """The text with the targets of its links, where it is sure which words are meant."""
        for page in {line.page for line in lines}:
            for link in self._links[page]:
                if not any(line.page == page and _height_between(line, link) < line.size for line in lines):
                    continue
                found = list(re.finditer(rf"(?<![\w\[]){re.escape(link.text)}(?!\w)", text))
                if len(found) == 1:
                    start, end = found[0].span()
                    text = text[:start] + markdown.link(link.text, link.target) + text[end:]
        return _OVER_LINES.sub(r"[\1 \3](\2)", text)

    def _depth(self, left: float) -> int:
        """How deep a list item stands, from where the open items above it begin."""
        while self._lefts and left < self._lefts[-1] - INDENT_POINTS:
            self._lefts.pop()
        if not self._lefts or left > self._lefts[-1] + INDENT_POINTS:
            self._lefts.append(left)
        return len(self._lefts) - 1


def _nearest(on_page: Mapping[int, Sequence[Group]], note: Note) -> Group | None:
    """The group on whose lines a note lies, or that is nearest to it on its page, or the last of a page before."""

    def distance(group: Group) -> float:
        return min(_height_between(line, note) for line in group.lines if line.page == note.page)

    if groups := on_page.get(note.page):
        return min(groups, key=distance)
    before = [page for page in on_page if page < note.page]
    return on_page[max(before)][-1] if before else None


def _height_between(line: Line, place: Link | Note) -> float:
    """How far what lies on a page is above or below the middle of a line's small letters."""
    return abs(line.base + line.size / 3 - place.height)
