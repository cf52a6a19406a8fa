"""One walk over a page: text between two blocks is a paragraph of its own, headings are told by their tags."""

from bs4.element import PageElement, Tag

from pipeline.reports import markdown
from pipeline.reports.blocks import Event, Heading, Piece, Reading, Remark, tidy
from pipeline.reports.html import saved_by_word as word
from pipeline.reports.html.inline import BLOCKS, Block, Inline, is_bold, is_text
from pipeline.reports.html.lists import OpenList, whole
from pipeline.reports.html.tables import Grid, cells_of, parts_of

LONGEST_EMPHATIC_CHARACTERS = 250
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset(("ul", "ol", "dl", "menu", "dir"))


class Page(Inline):
    """Walks the tree of a page."""

    def __init__(self, reading: Reading, keep: frozenset[str]) -> None:
        super().__init__(reading, keep)
        self._events: list[Event] = reading.events
        self._lists: list[OpenList | None] = []  # None for a list of definitions
        self._in_cell = False

    def read_block(self, tag: Tag) -> bool:
        """Read a tag that makes up a block; False if it does not."""
        if word.is_comment(tag):
            self._remark(tag)
        elif tag.name == "table":
            self._table(tag)
        elif tag.name in _LISTS:
            self._list(tag)
        elif tag.name == "li":
            self._item(tag)
        elif tag.name == "dt":
            self._term(tag)
        elif tag.name in BLOCKS or tag.get("role") == "heading":
            self._block_of(tag)
        else:
            return False
        return True

    def read(self, root: Tag) -> None:
        """Read a page, or a piece of one."""
        self.children(root)
        self.flush()

    def _block_of(self, tag: Tag) -> None:
        self.flush()
        look = word.look_of(tag)
        level = _HEADINGS.get(tag.name) or look.level
        if tag.get("role") == "heading":
            level = whole(tag.get("aria-level")) or level or 2
        is_heading = level is not None and not self._in_cell
        self.plain = is_heading or look.is_title
        with self.bold_if(is_bold(tag)):
            self.children(tag)
        self.plain = False
        self._close(look, level if is_heading else None, tag.name)

    def _list(self, tag: Tag) -> None:
        self.flush()
        self._lists.append(None if tag.name == "dl" else OpenList(tag))
        self.children(tag)
        self.flush()
        self._lists.pop()
        self.label = None

    def _item(self, tag: Tag) -> None:
        self.flush()
        if not self._lists:  # outside of any list, it shows as an item all the same
            self._lists.append(None)
            self.label = "-"
            self.children(tag)
            self.flush()
            self._lists.pop()
            return
        current = self._lists[-1]
        self.label = current.label(tag) if current is not None else "-"
        self.children(tag)
        self.flush()
        self.label = None

    def _term(self, tag: Tag) -> None:
        self.flush()
        self.label = "-"
        self.children(tag)
        self.flush()

    def flush(self) -> None:
        """Close the block that has been gathered."""
        self._close(word.Look(), None, "")

    def _close(self, look: word.Look, level: int | None, name: str) -> None:
        block, self.block = self.block, Block()
        text = tidy("".join(block.pieces))
        if not text:
            if block.characters:  # only the label of an empty item
                self._events.append(Piece("paragraph", "", block.characters))
            return
        if look.is_title and self._take_title(text, block.characters):
            return
        self._events.append(self._event(text, block, look, level, name))

    def _event(self, text: str, block: Block, look: word.Look, level: int | None, name: str) -> Event:
        number = block.label if block.label and block.label != "-" else None
        if level is not None:
            return Heading(level, " ".join(text.split()), block.characters, number)
        if block.note is not None:
            self.label = None
            return Piece("note", f"[^{block.note}]: {text}", block.characters)
        emphatic = block.characters == block.bold_characters > 0 and len(text) <= LONGEST_EMPHATIC_CHARACTERS
        if block.label is not None:
            item = markdown.list_item(block.label, look.list_depth or 0, text)
            return Piece("list_item", item, block.characters, emphatic, number)
        if self._lists:
            return self._list_item(text, block.characters, emphatic)
        is_caption = name == "figcaption" or look.is_caption
        return Piece("caption" if is_caption else "paragraph", text, block.characters, emphatic)

    def _list_item(self, text: str, characters: int, emphatic: bool) -> Piece:
        label, self.label = self.label, None
        current = self._lists[-1]
        depth = current.depth if current is not None and current.depth is not None else len(self._lists) - 1
        if label is None:
            return Piece("list_item", markdown.list_more(depth, text), characters)
        number = label if label != "-" else None
        return Piece("list_item", markdown.list_item(label, depth, text), characters, emphatic, number)

    def _take_title(self, text: str, characters: int) -> bool:
        if self._in_cell or any(isinstance(event, Heading) for event in self.reading.events):
            return False
        self.reading.title = f"{self.reading.title} {' '.join(text.split())}".strip()
        self.reading.title_characters += characters
        return True

    def _remark(self, tag: Tag) -> None:
        if "comments" not in self.keep:
            self.leave(tag, "comment")
            return
        events = self._inside(*tag.children)
        text = "\n".join(event.text for event in events if event.text)
        if text:
            self._events.append(Remark(text, sum(event.characters for event in events)))

    def _inside(self, *parts: PageElement) -> list[Event]:
        """The events of a cell or a remark."""
        outer = self._events, self.block, self._lists, self.label, self._in_cell
        self._events, self.block, self._lists, self.label, self._in_cell = [], Block(), [], None, True
        for part in parts:
            if isinstance(part, Tag) and part.name not in ("td", "th", "caption"):
                self.tag(part)
            elif isinstance(part, Tag):
                self.children(part)
            elif is_text(part):
                self.text(str(part), keep_breaks=False)
        self.flush()
        events = self._events
        self._events, self.block, self._lists, self.label, self._in_cell = outer
        return events

    def _table(self, table: Tag) -> None:
        self.flush()
        parts = parts_of(table)
        for caption in parts.captions:
            self._events += [Piece("caption", event.text, event.characters) for event in self._inside(caption)]
        for stray in parts.strays:
            self._events += self._inside(stray)
        cells = [cell for row in parts.rows for cell in cells_of(row)]
        if len(cells) == 1 or table.get("role") in ("presentation", "none"):  # a frame around text, not a table
            for cell in cells:
                self.children(cell)
                self.flush()
            return
        self._rows(parts.rows)

    def _rows(self, rows: list[Tag]) -> None:
        grid, texts, characters = Grid(), [], 0
        for row in rows:
            if reason := self.reason(row):
                self.leave(row, reason)
                continue
            said: list[str] = []
            for cell in grid.placed(row):
                events = self._cell(cell) if cell is not None else []
                characters += sum(event.characters for event in events)
                said.append("\n".join(event.text.strip() for event in events if event.text))
            texts.append(said)
        if any(any(said) for said in texts):
            as_markdown = markdown.nested_table if self._in_cell else markdown.table
            self._events.append(Piece("table", as_markdown([said for said in texts if said]), characters))
        elif characters:
            self._events.append(Piece("paragraph", "", characters))

    def _cell(self, cell: Tag) -> list[Event]:
        if reason := self.reason(cell):
            self.leave(cell, reason)
            return []
        return self._inside(cell)
