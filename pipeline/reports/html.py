"""HTML: what a browser would show, headings by their tags. Nothing that a page refers to is fetched."""

from pathlib import Path

from bs4 import BeautifulSoup
from bs4.element import (
    CData,
    Comment,
    Doctype,
    NavigableString,
    PageElement,
    ProcessingInstruction,
    Script,
    Stylesheet,
    Tag,
    TemplateString,
)

from pipeline.reports import markdown
from pipeline.reports.blocks import Event, Heading, Piece, Reading, tidy, visible
from pipeline.settings import Reports

_NOT_TEXT = (CData, Comment, Doctype, ProcessingInstruction, Script, Stylesheet, TemplateString)
_NEVER = {"nav": "navigation", "head": "page head", "noscript": "only without scripts"}
_BLOCKS = frozenset(
    (
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figure",
        "figcaption",
        "footer",
        "form",
        "header",
        "hr",
        "html",
        "legend",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "ul",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
    )
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


def read_html(path: Path, settings: Reports) -> Reading:
    """Read a page."""
    return read_markup(path.read_bytes())


def read_markup(source: bytes | str) -> Reading:
    """Read a page or a piece of one."""
    soup = BeautifulSoup(source, "lxml")
    reading = Reading()
    reading.tally.visible = sum(visible(text) for text in soup.find_all(string=True) if _is_text(text))
    title = soup.find("title")
    reading.title = tidy(title.get_text()) if title else ""
    if isinstance(title, Tag):
        reading.title_characters = visible(title.get_text())
        title.extract()
    _Page(reading).read(soup)
    return reading


def _is_text(node: PageElement) -> bool:
    """Is it text that a browser shows? Comments, scripts and style sheets are strings of the tree too."""
    return isinstance(node, NavigableString) and not isinstance(node, _NOT_TEXT)


class _Page:
    """Walks the tree; text between two blocks is a paragraph of its own."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._events: list[Event] = reading.events
        self._pieces: list[str] = []
        self._characters = 0
        self._lists: list[int | None] = []
        self._label: str | None = None
        self._in_cell = False

    def read(self, root: Tag) -> None:
        self._children(root)
        self._flush()

    def _children(self, tag: Tag) -> None:
        for child in tag.children:
            if isinstance(child, Tag):
                self._tag(child)
            elif _is_text(child):
                self._text(str(child), keep_breaks=tag.name == "pre")

    def _text(self, text: str, *, keep_breaks: bool) -> None:
        self._characters += visible(text)
        self._pieces.append(text if keep_breaks else " ".join(("x" + text + "x").split())[1:-1])

    def _tag(self, tag: Tag) -> None:
        if reason := _left_out(tag):
            for text in tag.find_all(string=True):
                if _is_text(text):
                    self._reading.tally.leave(reason, text)
        elif tag.name == "br":
            self._pieces.append("\n")
        elif tag.name == "img":
            self._pieces.append(f"![{tidy(str(tag['alt']))}]" if tag.get("alt") else "")
        elif tag.name == "a":
            self._link(tag)
        elif tag.name == "table":
            self._table(tag)
        elif tag.name in _BLOCKS:
            self._block(tag)
        else:
            self._children(tag)

    def _link(self, tag: Tag) -> None:
        start = len(self._pieces)
        self._children(tag)
        target = str(tag.get("href", ""))
        if target.startswith(("http://", "https://", "mailto:")):
            self._pieces[start:] = [markdown.link("".join(self._pieces[start:]), target)]

    def _block(self, tag: Tag) -> None:
        self._flush()
        if tag.name in ("ul", "ol"):
            self._lists.append(0 if tag.name == "ol" else None)
        elif tag.name == "li":
            self._label = self._next_label()
        self._children(tag)
        self._flush(_HEADINGS.get(tag.name), caption=tag.name == "figcaption")
        if tag.name in ("ul", "ol"):
            self._lists.pop()

    def _next_label(self) -> str:
        count = self._lists[-1] if self._lists else None
        if count is None:
            return "-"
        self._lists[-1] = count + 1
        return f"{count + 1}."

    def _flush(self, level: int | None = None, *, caption: bool = False) -> None:
        """Close the block whose pieces have been gathered."""
        text, characters = tidy("".join(self._pieces)), self._characters
        self._pieces, self._characters = [], 0
        if not text:
            return
        if level is not None and not self._in_cell:
            self._events.append(Heading(level, text.replace("\n", " "), characters))
        elif self._lists:
            label, self._label = self._label, None
            depth = len(self._lists) - 1
            item = markdown.list_item(label, depth, text) if label else "  " * (depth + 1) + text
            self._events.append(Piece("list_item", item, characters))
        else:
            self._events.append(Piece("caption" if caption else "paragraph", text, characters))

    def _table(self, table: Tag) -> None:
        self._flush()
        outer = self._events, self._lists, self._label, self._in_cell
        rows, characters = [], 0
        for child in table.find_all(["tr", "caption"]):
            if child.find_parent("table") is not table:
                continue
            self._events, self._lists, self._in_cell = [], [], True
            if child.name == "caption":
                self._children(child)
                self._flush()
                outer[0].extend(Piece("caption", event.text, event.characters) for event in self._events)
                continue
            row: list[str] = []
            for cell in child.find_all(["td", "th"], recursive=False):
                self._events = []
                self._children(cell)
                self._flush()
                characters += sum(event.characters for event in self._events)
                text = "\n".join(event.text.strip() for event in self._events)
                row += [text, *[""] * (_span(cell) - 1)]
            rows.append(row)
        self._events, self._lists, self._label, self._in_cell = outer
        if any(any(row) for row in rows):
            as_markdown = markdown.nested_table if self._in_cell else markdown.table
            self._events.append(Piece("table", as_markdown([row for row in rows if row]), characters))


def _left_out(tag: Tag) -> str | None:
    if tag.name in _NEVER:
        return _NEVER[tag.name]
    style = "".join(str(tag.get("style", "")).split()).lower()
    return "hidden" if tag.has_attr("hidden") or "display:none" in style else None


def _span(cell: Tag) -> int:
    span = str(cell.get("colspan", "1"))
    return max(1, min(int(span), 63)) if span.isdigit() else 1
