"""One walk over the blocks of a Word document: paragraphs, tables and content controls become events."""

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO

from pipeline.records import BlockKind
from pipeline.reports import markdown
from pipeline.reports.archive import Element
from pipeline.reports.blocks import Event, Heading, Piece, Reading
from pipeline.reports.word import names as n
from pipeline.reports.word.account import Account
from pipeline.reports.word.alternatives import alternative
from pipeline.reports.word.aside import Aside
from pipeline.reports.word.heading import LONGEST_HEADING_CHARACTERS, can_head, is_loud
from pipeline.reports.word.inline import Inline, Relations
from pipeline.reports.word.line import Line
from pipeline.reports.word.names import w
from pipeline.reports.word.numbering import Label, Numbering
from pipeline.reports.word.package import Package
from pipeline.reports.word.properties import Properties, properties_of
from pipeline.reports.word.stream import Group, group_of
from pipeline.reports.word.styles import Style, Styles
from pipeline.settings import Reports


class Walker:
    """Walks the main text, and from there into what hangs on it: notes, text boxes, charts, embedded files."""

    def __init__(
        self, package: Package, reading: Reading, settings: Reports, read_nested: Callable[[BytesIO], Reading]
    ) -> None:
        """
        Args:
            read_nested: reads a Word file that is embedded in this one.
        """
        self.reading = reading
        self.account = Account(reading)
        self._keep = frozenset(settings.keep)
        self._styles = Styles(package.part(package.related("styles")))
        self._numbering = Numbering(package.part(package.related("numbering")), self._styles)
        self.inline = Inline(self._styles, reading.tally, self._keep)
        self.aside = Aside(package, self, settings, read_nested)
        self._events: list[Event] = reading.events
        self._waiting: list[Line] = []  # lines on which something hangs that has not found its place yet
        self._open_depths: list[int] = []  # of the list that is being read, from its outermost level
        self._carried: Line | None = None  # a line that the next one goes on: a drop capital, or its end was deleted
        self._title_end: int | None = None  # how many events there were when the title had been read
        self._cell_depth = 0
        self._box_depth = 0
        self._in_contents = False

    def walk(self, groups: Iterable[Group], name: str, relations: Relations, reason: str | None = None) -> None:
        """Read the blocks of a part, group by group, or leave them all out for a `reason`."""
        done = 0
        with self.inline.story(relations):
            for group in groups:
                self.account.enter(group.blocks)
                self.inline.expect(group.fields)
                for block in group.blocks:
                    if reason:
                        self.inline.drop(block, reason)
                    else:
                        self._block(block)
                done += len(group.blocks)
                if self._carried is None:  # else it belongs to what comes next
                    self.account.leave(f"{name}, block {done}")
            self._flush_carried()
            self.account.leave(f"{name}, block {done}")

    def inside(self, parent: Element) -> list[Event]:
        """The events of a cell, a note or a comment; what hangs on them waits for the end of the outermost."""
        outer, self._events = self._events, []
        self._cell_depth += 1
        self._blocks(parent)
        self._flush_carried()
        self._cell_depth -= 1
        events, self._events = self._events, outer
        return events

    def box(self, box: Element) -> None:
        """Read a text box: its paragraphs follow here, and none of them is a heading."""
        with self.inline.story(self.inline.relations, group_of(box).fields):
            self._box_depth += 1
            self._blocks(box)
            self._flush_carried()
            self._box_depth -= 1

    def add(self, *events: Event) -> None:
        """Put events at the end of what is being read."""
        self._events += events

    def place_waiting(self) -> None:
        """What hangs on the lines read so far follows now, unless we are inside a table or a note."""
        if self._cell_depth:
            return
        waiting, self._waiting = self._waiting, []
        for line in waiting:
            self.aside.place(line)

    def _blocks(self, parent: Element) -> None:
        for child in parent:
            self._block(child)

    def _block(self, block: Element) -> None:
        if block.tag == n.P:
            self._paragraph(block)
        elif block.tag == n.TBL:
            self._table(block)
        elif block.tag in n.DELETED and "deletions" not in self._keep:
            dropped = self.inline.drop(block, "deleted" if block.tag == w("del") else "moved away")
            self._place(Line(comments=dropped), None)
        elif block.tag == n.SDT:
            self._control(block)
        elif block.tag == n.ALTERNATE:
            self._alternate(block)
        elif block.tag == w("altChunk"):
            self._flush_carried()
            self.aside.embedded(block)
        elif block.tag in (n.COMMENT_START, n.COMMENT_END):
            self.inline.ranges.mark(block)
        elif block.tag == w("subDoc"):
            self.aside.subdocument(block)
        elif block.tag in (n.R, *n.TEXTS):  # text without a paragraph: some programs write it, and Word mends it
            line = self.inline.read([block], self._styles.of_paragraph(None))
            self._place(line, Piece("paragraph", line.text, line.characters) if line.text else None)
        elif isinstance(block.tag, str) and block.tag not in n.PROPERTIES:
            self._blocks(block)

    def _control(self, control: Element) -> None:
        gallery = n.child_value(control, w("sdtPr"), w("docPartObj"), w("docPartGallery"))
        before = self._in_contents
        # Some files keep whole chapters in the control of their table of contents: then only its entries go.
        self._in_contents = before or (gallery == "Table of Contents" and not self._has_headings(control))
        self._blocks(control)
        self._in_contents = before

    def _has_headings(self, element: Element) -> bool:
        styles = (self._styles.get(n.child_value(p, n.PPR, n.PSTYLE)) for p in element.iter(n.P))
        return any(style.level is not None and not style.is_contents for style in styles)

    def _alternate(self, element: Element) -> None:
        chosen = alternative(element)
        for other in element:
            if other is not chosen:
                self.inline.drop(other, "fallback copy")
        if chosen is not None:
            self._blocks(chosen)

    def _paragraph(self, paragraph: Element) -> None:
        properties = properties_of(paragraph)
        style = self._styles.of_paragraph(properties.style)
        is_contents = self._in_contents or style.is_contents
        reason = "table of contents" if is_contents and "contents" not in self._keep else None
        level = self._level(properties, style)
        if level is not None:
            self.inline.contents_end()
        line = self.inline.read(paragraph, style, plain=level is not None or style.is_title, reason=reason)
        if self._carried is not None:
            line.begin_with(self._carried)
            self._carried = None
        is_joined = properties.is_end_deleted and "deletions" not in self._keep
        if (properties.is_drop_capital or is_joined) and not line.has_more and line.text:
            self._carried = line
            return
        # Deleted or hidden with its end: nobody sees it, and it counts in no list.
        is_gone = not line.text and (is_joined or properties.is_end_hidden or style.hidden)
        label = None if reason or is_gone else self._label(properties, style)
        self._place(line, self._event(line, style, level, label) if line.text else None)

    def _place(self, line: Line, event: Event | None) -> None:
        """Put a line's event here, and what hangs on the line after it."""
        if event is not None:
            self._events.append(event)
        if line.has_more:
            self._waiting.append(line)
        self.place_waiting()

    def _flush_carried(self) -> None:
        if (line := self._carried) is not None:
            self._carried = None
            self._events.append(Piece("paragraph", line.text, line.characters))

    def _event(self, line: Line, style: Style, level: int | None, label: Label | None) -> Event | None:
        """The event of a line with text; None if it is the title."""
        text, short = line.text, len(line.text) <= LONGEST_HEADING_CHARACTERS
        if style.is_title and not self._cell_depth and self._take_title(text, line.characters):
            return None
        number = label.text if label and not label.bullet else None
        if level is not None and can_head(text, style):
            return Heading(level, " ".join(text.split()), line.characters, number)
        if label:
            return Piece("list_item", self._list_item(label, text), line.characters, line.is_bold, number)
        kind: BlockKind = "caption" if style.is_caption else "paragraph"
        return Piece(kind, text, line.characters, short and (line.is_bold or is_loud(text)))

    def _take_title(self, text: str, characters: int) -> bool:
        """The first paragraph in the style Title is the title, with those that follow at once; even in a text box."""
        said = self.reading.events
        if self._title_end not in (None, len(said)) or any(isinstance(event, Heading) for event in said):
            return False
        self.reading.title = f"{self.reading.title} {' '.join(text.split())}".strip()
        self.reading.title_characters += characters
        self._title_end = len(said)
        return True

    def _level(self, properties: Properties, style: Style) -> int | None:
        """A heading's level. As in Word's own outline, nothing in a table or a text box is a heading."""
        if self._cell_depth or self._box_depth or self._in_contents or style.is_contents:
            return None
        if properties.outline is not None:
            return properties.outline + 1 if 0 <= properties.outline < 9 else None
        # After the first heading, a "title" heads a part of the document.
        return 1 if style.is_title and style.level is None else style.level

    def _label(self, properties: Properties, style: Style) -> Label | None:
        if properties.list_id is not None:
            return self._numbering.label(properties.list_id, properties.list_depth, properties.style)
        if style.number is None:
            return None
        depth = properties.list_depth if properties.list_depth is not None else style.number[1]
        return self._numbering.label(style.number[0], depth, style.number_style)

    def _list_item(self, label: Label, text: str) -> str:
        """An item is at most one level deeper than the one before it, or Markdown would take it for code."""
        last = self._events[-1] if self._events else None
        if not isinstance(last, Piece) or last.kind != "list_item":
            self._open_depths.clear()
        while self._open_depths and self._open_depths[-1] >= label.depth:
            self._open_depths.pop()
        self._open_depths.append(label.depth)
        return markdown.list_item(label.text, len(self._open_depths) - 1, text)

    def _table(self, table: Element) -> None:
        self._flush_carried()
        rows = list(self._rows(table))
        if len(rows) == 1 and len(rows[0]) == 1:  # a frame around text, not a table
            self._events += [event for event in rows[0][0][1] if event.text]
        elif any(event.text for row in rows for _, events in row for event in events):
            self._events.append(self._table_piece(rows))
        else:
            return
        self.place_waiting()

    def _table_piece(self, rows: list[list[tuple[int, list[Event]]]]) -> Piece:
        texts = [
            [text for span, events in row for text in (_cell_text(events), *[""] * (span - 1))] for row in rows if row
        ]
        characters = sum(event.characters for row in rows for _, events in row for event in events)
        as_markdown = markdown.nested_table if self._cell_depth else markdown.table
        return Piece("table", as_markdown(texts), characters)

    def _hides(self, row: Element | None) -> str | None:
        """Why a row with these properties is not read; None if it is."""
        if row is None:
            return None
        if "deletions" not in self._keep and row.find(w("del")) is not None:
            return "deleted"
        return "hidden" if "hidden" not in self._keep and n.is_on(n.child_value(row, w("hidden"))) else None

    def _rows(self, table: Element) -> Iterator[list[tuple[int, list[Event]]]]:
        """Rows of cells as (columns spanned, events). Word keeps a merged cell's text in its first row."""
        for row in _unwrapped(table, n.TR):
            if reason := self._hides(row.find(n.TRPR)):
                self._waiting.append(Line(comments=self.inline.drop(row, reason)))
                continue
            before = n.whole(n.child_value(row, w("trPr"), w("gridBefore"))) or 0
            cells: list[tuple[int, list[Event]]] = [(1, []) for _ in range(min(before, 63))]
            for cell in _unwrapped(row, n.TC):
                if "deletions" not in self._keep and cell.find(f"{w('tcPr')}/{w('cellDel')}") is not None:
                    self.inline.drop(cell, "deleted")
                    continue
                span = n.whole(n.child_value(cell, w("tcPr"), w("gridSpan"))) or 1
                cells.append((max(1, min(span, 63)), self.inside(cell)))
            yield cells


def _unwrapped(parent: Element, wanted: str) -> Iterator[Element]:
    """Rows of a table or cells of a row, also those inside content controls and tracked insertions."""
    for child in parent:
        if child.tag == wanted:
            yield child
        elif isinstance(child.tag, str) and child.tag not in n.PROPERTIES and child.tag not in (n.TBL, n.P):
            yield from _unwrapped(child, wanted)


def _cell_text(events: Iterable[Event]) -> str:
    return "\n".join(event.text.strip() for event in events if event.text)
