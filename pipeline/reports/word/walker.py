"""One walk over the blocks of a Word document: paragraphs, tables and content controls become events."""

from collections.abc import Iterable, Iterator

from pipeline.records import BlockKind
from pipeline.reports import markdown
from pipeline.reports.blocks import Event, Heading, Piece, Reading
from pipeline.reports.word import names as n
from pipeline.reports.word.drawings import drawing_text
from pipeline.reports.word.inline import Inline, Line, Relations, alternative
from pipeline.reports.word.names import Element, w
from pipeline.reports.word.numbering import Label, Numbering
from pipeline.reports.word.package import Package
from pipeline.reports.word.styles import Style, Styles

LONGEST_HEADING_CHARACTERS = 250  # a longer "heading" is a clause that someone gave an outline level
_PROPERTIES = frozenset(
    map(w, ("sectPr", "sdtPr", "sdtEndPr", "tblPr", "tblGrid", "tblPrEx", "trPr", "tcPr", "pPr", "rPr"))
)


class Walker:
    """Walks the main text, and from there into notes, text boxes, charts and diagrams."""

    def __init__(self, package: Package, reading: Reading) -> None:
        self.reading = reading
        self.notes: dict[tuple[str, str], tuple[Element, Relations]] = {}
        self.drawings: set[str] = set()
        self._package = package
        self._styles = Styles(package.part(package.related("styles")))
        self._numbering = Numbering(package.part(package.related("numbering")), self._styles)
        self.inline = Inline(self._styles, reading.tally)
        self._events: list[Event] = reading.events
        self._waiting: list[Line] = []  # lines whose notes and boxes have not found their place yet
        self._open_depths: list[int] = []  # of the list that is being read, from its outermost level
        self._cell_depth = 0
        self._box_depth = 0
        self._in_contents = False

    def walk(self, root: Element) -> None:
        """Read the main text."""
        with self.inline.story(root, self._package.relations(self._package.main_name)):
            self._blocks(root)

    def _blocks(self, parent: Element) -> None:
        for child in parent:
            if child.tag == n.P:
                self._paragraph(child)
            elif child.tag == n.TBL:
                self._table(child)
            elif child.tag in n.DELETED:
                self.inline.drop(child, "deleted" if child.tag == w("del") else "moved away")
            elif child.tag == n.SDT:
                self._control(child)
            elif child.tag == n.ALTERNATE:
                self._alternate(child)
            elif child.tag == w("altChunk"):
                self._embedded(child)
            elif isinstance(child.tag, str) and child.tag not in _PROPERTIES:
                self._blocks(child)

    def _control(self, control: Element) -> None:
        gallery = n.child_value(control, w("sdtPr"), w("docPartObj"), w("docPartGallery"))
        before = self._in_contents
        # Some files keep whole chapters in the control of their table of contents: then only its entries go.
        self._in_contents = before or (gallery == "Table of Contents" and not self._has_headings(control))
        self._blocks(control)
        self._in_contents = before

    def _has_headings(self, element: Element) -> bool:
        styles = (self._styles.get(n.child_value(p, n.PPR, w("pStyle"))) for p in element.iter(n.P))
        return any(style.level is not None and not style.is_contents for style in styles)

    def _alternate(self, element: Element) -> None:
        chosen = alternative(element)
        for other in element:
            if other is not chosen:
                self.inline.drop(other, "fallback copy")
        if chosen is not None:
            self._blocks(chosen)

    def _embedded(self, element: Element) -> None:
        _, target, _ = self.inline.relations.get(element.get(n.R_ID, ""), ("", "?", False))
        self.reading.warnings.append(f"an embedded file was not read: {target}")

    def _paragraph(self, paragraph: Element) -> None:
        properties = paragraph.find(n.PPR)
        style = self._styles.get(n.child_value(paragraph, n.PPR, w("pStyle")))
        contents = "table of contents" if self._in_contents or style.is_contents else None
        level = self._level(properties, style)
        line = self.inline.read(paragraph, style, plain=level is not None or style.is_title, reason=contents)
        label = None if contents else self._label(properties, style)
        if line.text and (event := self._event(line, style, level, label)):
            self._events.append(event)
        self._waiting.append(line)
        if not self._cell_depth:
            self._place_waiting()

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
        kind: BlockKind = "caption" if style.is_caption else "paragraph"
        return Piece(kind, text, line.characters, line.is_bold and short)

    def _take_title(self, text: str, characters: int) -> bool:
        """The first paragraphs in the style Title are the title, even in a text box of the cover."""
        if any(isinstance(event, Heading) for event in self.reading.events):
            return False
        self.reading.title = f"{self.reading.title} {' '.join(text.split())}".strip()
        self.reading.title_characters += characters
        return True

    def _level(self, properties: Element | None, style: Style) -> int | None:
        """A heading's level. As in Word's own outline, nothing in a table or a text box is a heading."""
        if self._cell_depth or self._box_depth:
            return None
        outline = n.whole(n.child_value(properties, w("outlineLvl"))) if properties is not None else None
        if outline is not None:
            return outline + 1 if 0 <= outline < 9 else None
        # After the first heading, a "title" heads a part of the document.
        return 1 if style.is_title and style.level is None else style.level

    def _label(self, properties: Element | None, style: Style) -> Label | None:
        number = properties.find(w("numPr")) if properties is not None else None
        own = n.child_value(number, w("numId")) if number is not None else None
        depth = n.whole(n.child_value(number, w("ilvl"))) if number is not None else None
        if own is not None:
            style_id = n.child_value(properties, w("pStyle"))
            return self._numbering.label(own, depth, style_id)
        if style.number is None:
            return None
        depth = depth if depth is not None else style.number[1]
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

    def _place_waiting(self) -> None:
        """Text boxes, charts and notes follow the block that they hang on."""
        waiting, self._waiting = self._waiting, []
        for line in waiting:
            for box in line.boxes:
                self._box_depth += 1
                with self.inline.story(box, self.inline.relations):
                    self._blocks(box)
                self._box_depth -= 1
            for relation in line.drawings:
                self._drawing(relation)
            for kind, note, mark in line.notes:
                self._note(kind, note, mark)

    def _drawing(self, relation: str) -> None:
        _, target, outside = self.inline.relations.get(relation, ("", "", True))
        part = None if outside or target in self.drawings else self._package.part(target)
        if part is None:
            return
        self.drawings.add(target)
        text, characters = drawing_text(part, self.reading.tally)
        if text:
            self._events.append(Piece("paragraph", text, characters))

    def _note(self, kind: str, note: str, mark: str) -> None:
        body, relations = self.notes.pop((kind, note), (None, {}))
        if body is None:
            return
        with self.inline.story(body, relations):
            pieces = self._inside(body)
        text = "\n".join(piece.text for piece in pieces if piece.text)
        self._events.append(Piece("note", f"[^{mark}]: {text}", sum(piece.characters for piece in pieces)))
        if not self._cell_depth:
            self._place_waiting()

    def _inside(self, parent: Element) -> list[Event]:
        """The events of a cell or a note; what hangs on them waits for the end of the outermost table."""
        outer, self._events = self._events, []
        self._cell_depth += 1
        self._blocks(parent)
        self._cell_depth -= 1
        events, self._events = self._events, outer
        return events

    def _table(self, table: Element) -> None:
        rows = list(self._rows(table))
        if len(rows) == 1 and len(rows[0]) == 1:  # a frame around text, not a table
            self._events += [event for event in rows[0][0][1] if event.text]
        elif any(event.text for row in rows for _, events in row for event in events):
            self._events.append(self._table_piece(rows))
        else:
            return
        if not self._cell_depth:
            self._place_waiting()

    def _table_piece(self, rows: list[list[tuple[int, list[Event]]]]) -> Piece:
        texts = [
            [text for span, events in row for text in (_cell_text(events), *[""] * (span - 1))] for row in rows if row
        ]
        characters = sum(event.characters for row in rows for _, events in row for event in events)
        as_markdown = markdown.nested_table if self._cell_depth else markdown.table
        return Piece("table", as_markdown(texts), characters)

    def _rows(self, table: Element) -> Iterator[list[tuple[int, list[Event]]]]:
        """Rows of cells as (columns spanned, events). Word keeps a merged cell's text in its first row."""
        for row in _unwrapped(table, n.TR):
            if row.find(f"{w('trPr')}/{w('del')}") is not None:
                self.inline.drop(row, "deleted")
                continue
            before = n.whole(n.child_value(row, w("trPr"), w("gridBefore"))) or 0
            cells: list[tuple[int, list[Event]]] = [(1, []) for _ in range(min(before, 63))]
            for cell in _unwrapped(row, n.TC):
                span = n.whole(n.child_value(cell, w("tcPr"), w("gridSpan"))) or 1
                cells.append((max(1, min(span, 63)), self._inside(cell)))
            yield cells


def _unwrapped(parent: Element, wanted: str) -> Iterator[Element]:
    """Rows of a table or cells of a row, also those inside content controls and tracked insertions."""
    for child in parent:
        if child.tag == wanted:
            yield child
        elif isinstance(child.tag, str) and child.tag not in _PROPERTIES and child.tag not in (n.TBL, n.P):
            yield from _unwrapped(child, wanted)


def _cell_text(events: Iterable[Event]) -> str:
    return "\n".join(event.text.strip() for event in events if event.text)
