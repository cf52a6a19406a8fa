"""One walk over the blocks of an OpenDocument text: paragraphs, lists, tables and sections become events."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from pipeline.records import BlockKind
from pipeline.reports import markdown
from pipeline.reports.archive import Element
from pipeline.reports.blocks import Event, Heading, Piece, Reading, Remark, tidy
from pipeline.reports.odt import names as n
from pipeline.reports.odt.forms import controls_of
from pipeline.reports.odt.inline import Inline, Line
from pipeline.reports.odt.lists import Item, Label, Lists, first_paragraph, start_of
from pipeline.reports.odt.names import q
from pipeline.reports.odt.objects import chart_text
from pipeline.reports.odt.styles import Style, Styles, is_hidden
from pipeline.reports.odt.tables import cells_of, rows_of

LONGEST_HEADING_CHARACTERS = 250  # a longer "heading" is a clause that someone gave an outline level
LONGEST_ABOUT_CHARACTERS = 300
_CONTENTS = frozenset(
    q(f"text:{kind}")
    for kind in ("table-of-content", "illustration-index", "table-index", "object-index", "user-index")
    + ("alphabetical-index",)
)
_STRAY = frozenset(map(q, ("text:change", "office:annotation")))


class Walker:
    """Walks the text, and from there into notes, text boxes and objects."""

    def __init__(self, inline: Inline, reading: Reading, subjects: dict[str, str]) -> None:
        """`subjects` are the words that remarks are about, by the remark's name."""
        self.reading = reading
        self._inline = inline
        self._lists = Lists(inline.styles)
        self._subjects = subjects
        self._events: list[Event] = reading.events
        self._waiting: list[Line] = []  # lines whose notes and boxes have not found their place yet
        self._open: Item | None = None
        self._open_depths: list[int] = []  # of the list that was last written, from its outermost level
        self._cell_depth = self._box_depth = 0
        self._reason: str | None = None

    def walk(self, root: Element, reason: str | None = None) -> None:
        """Read all blocks below `root`; for a `reason`, unless the settings keep such text, leave them out."""
        outer, self._reason = self._reason, self._reason or self._inline.unless_kept(reason)
        for child in root:
            self._block(child)
        self._reason = outer

    @contextmanager
    def styles(self, styles: Styles) -> Iterator[None]:
        """Read another part of the file, which has styles of its own."""
        outer = self._inline.styles, self._lists
        self._inline.styles, self._lists = styles, Lists(styles)
        yield
        self._inline.styles, self._lists = outer

    def _block(self, block: Element) -> None:
        tag = block.tag
        if tag in (n.P, n.H):
            self._paragraph(block)
        elif tag == n.LIST:
            self._list(block)
        elif tag == n.TABLE:
            self._table(block)
        elif tag in _CONTENTS:
            self._contents(block)
        elif tag == q("text:section"):
            self.walk(block, "hidden" if is_hidden(block) else None)
        elif tag == q("text:numbered-paragraph"):
            self._numbered_paragraph(block)
        elif tag == q("office:forms"):
            self._inline.controls.update(controls_of(block))
        elif tag in _STRAY or (tag.startswith(n.DRAW) and tag not in n.CONTAINERS):
            self._stray(block)
        elif tag.endswith("-source"):  # how an index is made; not what it says
            self._inline.drop(block, "field code")
        elif tag == q("text:tracked-changes"):
            self._inline.find_deletions(block)
        elif tag not in n.ALT_TEXTS:
            self.walk(block)

    def _contents(self, index: Element) -> None:
        """A table of contents. A chapter that got into one is text all the same."""
        headings = index.iterfind(f"{q('text:index-body')}//{n.H}")
        is_text = any(next(h.iterancestors(q("text:index-title")), None) is None for h in headings)
        self.walk(index, None if is_text else "table of contents")

    def _list(self, element: Element) -> None:
        outer = self._open
        style = element.get(q("text:style-name")) or (outer.style if outer else self._style_inside(element))
        counters = outer.counters if outer else self._lists.counters(element, style)
        depth = outer.depth + 1 if outer else 1
        for item in element:
            labelled = first_paragraph(item) if item.tag == q("text:list-item") else None
            self._open = Item(counters, style, depth, start_of(item), labelled)
            self._block(item) if item.tag in n.BLOCKS else self.walk(item)
        self._open = outer

    def _numbered_paragraph(self, element: Element) -> None:
        """An item that stands alone, as some writers put down each item of a list."""
        outer = self._open
        style = element.get(q("text:style-name")) or self._style_inside(element)
        counters = self._lists.counters(element, style)
        depth = max(1, n.whole(element.get(q("text:level")), 1))
        self._open = Item(counters, style, depth, start_of(element), first_paragraph(element))
        self.walk(element)
        self._open = outer

    def _style_inside(self, element: Element) -> str:
        """A list without a style has that of its first paragraph's style."""
        paragraph = next(element.iter(n.P, n.H), None)
        return (self._style(paragraph).list_style or "") if paragraph is not None else ""

    def _style(self, paragraph: Element) -> Style:
        return self._inline.styles.paragraph(paragraph.get(q("text:style-name"), ""))

    def _paragraph(self, paragraph: Element) -> None:
        style = self._style(paragraph)
        reason = self._reason or self._inline.unless_kept("table of contents" if style.is_contents else None)
        level = self._level(paragraph, style)
        line = self._inline.read(paragraph, style, plain=level is not None or style.is_title, reason=reason)
        label = None if reason else self._label(paragraph, style)
        if line.number:
            label = Label(line.number, label.depth if label else 0, bullet=False)
        if line.text and (event := self._event(line, style, level, label)):
            self._events.append(event)
        self._hang(line)

    def _stray(self, element: Element) -> None:
        """A shape, a remark or a deletion that stands between paragraphs."""
        line = self._inline.read_one(element, self._reason)
        if line.text:
            self._events.append(Piece("paragraph", line.text, line.characters))
        self._hang(line)

    def _event(self, line: Line, style: Style, level: int | None, label: Label | None) -> Event | None:
        """The event of a line with text; None if it is the title."""
        text, short = line.text, len(line.text) <= LONGEST_HEADING_CHARACTERS
        if style.is_title and not self._cell_depth and self._take_title(text, line.characters):
            return None
        number = label.text if label and not label.bullet else None
        if level is not None and short:
            return Heading(level, " ".join(text.split()), line.characters, number)
        if label:
            return Piece("list_item", self._list_item(label, text), line.characters, line.is_bold, number)
        if self._goes_on():
            return Piece("list_item", markdown.list_more(len(self._open_depths) - 1, text), line.characters)
        kind: BlockKind = "caption" if style.is_caption else "paragraph"
        return Piece(kind, text, line.characters, line.is_bold and short)

    def _take_title(self, text: str, characters: int) -> bool:
        """The first paragraphs in the style Title are the title, even in a text box of the cover."""
        if any(isinstance(event, Heading) for event in self.reading.events):
            return False
        self.reading.title = f"{self.reading.title} {' '.join(text.split())}".strip()
        self.reading.title_characters += characters
        return True

    def _level(self, paragraph: Element, style: Style) -> int | None:
        """A heading's level. As in a writer's own outline, nothing in a table or a text box is a heading."""
        if self._cell_depth or self._box_depth:
            return None
        if paragraph.tag == n.H:
            return max(1, n.whole(paragraph.get(q("text:outline-level")), style.level or 1))
        # After the first heading, a "title" heads a part of the document.
        return 1 if style.is_title and style.level is None else style.level

    def _label(self, paragraph: Element, style: Style) -> Label | None:
        if self._open is not None:
            item = self._open
            if item.labelled is not paragraph:
                return None
            return self._lists.label(item.counters, item.style, item.depth, item.start)
        is_heading = paragraph.tag == n.H or style.level is not None
        name = self._lists.outline_name if style.list_style is None else style.list_style
        if not is_heading or not name or n.is_true(paragraph, "text:is-list-header"):
            return None
        depth = max(1, n.whole(paragraph.get(q("text:outline-level")), style.level or 1))
        start = start_of(paragraph) if n.is_true(paragraph, "text:restart-numbering") else None
        return self._lists.label(self._lists.shared(name), name, depth, start)

    def _list_item(self, label: Label, text: str) -> str:
        """An item is at most one level deeper than the one before it, or Markdown would take it for code."""
        if not self._after_item():
            self._open_depths.clear()
        while self._open_depths and self._open_depths[-1] >= label.depth:
            self._open_depths.pop()
        self._open_depths.append(label.depth)
        return markdown.list_item(label.text, len(self._open_depths) - 1, text)

    def _after_item(self) -> bool:
        last = self._events[-1] if self._events else None
        return isinstance(last, Piece) and last.kind == "list_item"

    def _goes_on(self) -> bool:
        """Is this a further paragraph of a list's item?"""
        return self._open is not None and bool(self._open_depths) and self._after_item()

    def _hang(self, line: Line) -> None:
        """Text boxes, charts, notes and remarks follow the block that they hang on, but stand in no table."""
        self._waiting.append(line)
        if not self._cell_depth:
            self._place_waiting()

    def _place_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for line in waiting:
            for box in line.boxes:
                self._box(box)
            for root in line.objects:
                self._object(root)
            for mark, body in line.notes:
                text, characters = self._said(body)
                self._events.append(Piece("note", f"[^{mark}]: {text}", characters))
                self._place_waiting()
            for remark in line.remarks:
                self._remark(remark)

    def _box(self, box: Element) -> None:
        outer, self._open = self._open, None
        self._box_depth += 1
        self._block(box) if box.tag in n.BLOCKS else self.walk(box)
        self._box_depth -= 1
        self._open = outer

    def _object(self, root: Element) -> None:
        if root.find(q("office:chart")) is None:
            with self.styles(Styles(root.getparent())):
                self._box(root)
            return
        text, characters = chart_text(root, self.reading.tally)
        if text:
            self._events.append(Piece("paragraph", text, characters))

    def _remark(self, remark: Element) -> None:
        text, characters = self._said(remark)
        about = tidy(self._subjects.get(remark.get(q("office:name"), ""), ""))
        if len(about) > LONGEST_ABOUT_CHARACTERS:
            about = about[:LONGEST_ABOUT_CHARACTERS].rstrip() + "…"
        author = remark.findtext(q("dc:creator"))
        if text:
            self._events.append(Remark(text, characters, about, author or None))
        self._place_waiting()

    def _said(self, element: Element) -> tuple[str, int]:
        """The blocks of a note or a remark in one text, and its characters."""
        events = self._inside(element)
        return "\n".join(event.text for event in events if event.text), sum(event.characters for event in events)

    def _inside(self, parent: Element) -> list[Event]:
        """The events of a cell or a note; what hangs on them waits for the end of the outermost table."""
        outer = self._events, self._open
        self._events, self._open = [], None
        self._cell_depth += 1
        self._block(parent) if parent.tag in n.BLOCKS else self.walk(parent)
        self._cell_depth -= 1
        events, (self._events, self._open) = self._events, outer
        return events

    def _table(self, table: Element) -> None:
        rows: list[list[list[Event]]] = []
        for row, times, unseen in rows_of(table):
            if reason := self._reason or self._inline.unless_kept("hidden" if unseen else None):
                self._inline.drop(row, reason)
                continue
            cells: list[list[Event]] = []
            for cell, cell_times, covered in cells_of(row):
                events = self._cell(cell, covered)
                cells += [events, *[[_again(event) for event in events]] * (cell_times - 1)]
            rows += [cells] * (times if any(cells) else 1)
        self._add_table(rows)
        if not self._cell_depth:
            self._place_waiting()

    def _cell(self, cell: Element, covered: bool) -> list[Event]:
        if reason := self._inline.unless_kept("hidden" if covered else None):
            self._inline.drop(cell, reason)
            return []
        return self._inside(cell)

    def _add_table(self, rows: list[list[list[Event]]]) -> None:
        cells = [events for row in rows for events in row]
        said = [event for events in cells for event in events if event.text]
        if len(cells) == 1:  # a frame around text, not a table
            self._events += said
        elif said:
            texts = [["\n".join(e.text.strip() for e in events if e.text) for events in row] for row in rows if row]
            as_markdown = markdown.nested_table if self._cell_depth else markdown.table
            self._events.append(Piece("table", as_markdown(texts), sum(event.characters for event in said)))


def _again(event: Event) -> Event:
    """A copy of what has been counted."""
    return replace(event, characters=0)
