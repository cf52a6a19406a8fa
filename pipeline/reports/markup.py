"""Markdown and plain text."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.reports import markdown
from pipeline.reports.blocks import Heading, Piece, Reading, tidy, visible

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---\s*\n(.*?)\n(?:---|\.\.\.)\s*\n", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE)
_EMPTY_LINE = re.compile(r"\n[ \t]*\n")
_UNDERLINE = re.compile(r"[=\-~*_]{3,}")


def decoded(data: bytes) -> str:
    """Text of a file: UTF-8, UTF-16 if it says so, else Windows' Western encoding."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")


def read_text(path: Path) -> Reading:
    """Paragraphs parted by empty lines; single lines in capitals, or underlined, may head a section."""
    text = decoded(path.read_bytes())
    reading = Reading()
    reading.tally.visible = visible(text)
    for paragraph in _EMPTY_LINE.split(text):
        lines = paragraph.strip().split("\n")
        underlined = len(lines) == 2 and bool(_UNDERLINE.fullmatch(lines[1].strip()))
        if underlined:
            reading.tally.leave("underline", lines.pop())
        alone = len(lines) == 1
        if said := tidy("\n".join(lines)):
            emphatic = alone and (underlined or said.isupper())
            reading.events.append(Piece("paragraph", said, visible("\n".join(lines)), emphatic))
        else:
            reading.tally.leave("zero-width", paragraph)
    return reading


def read_markdown(path: Path) -> Reading:
    """CommonMark with tables. The account is of what its parser finds to print, without the marks."""
    from markdown_it import MarkdownIt

    text = decoded(path.read_bytes())
    reading = Reading()
    if front := _FRONT_MATTER.match(text):
        title = _FRONT_TITLE.search(front[1])
        reading.title = title[1] if title else ""
        reading.tally.visible += visible(front[0])
        reading.tally.leave("front matter", front[0])
        text = text[front.end() :]
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    reading.tally.visible += sum(visible(token.content) for token in tokens)
    _Markdown(tokens, reading).read()
    return reading


class _Markdown:
    """Turns the parser's flat list of tokens into events."""

    def __init__(self, tokens: Sequence["Token"], reading: Reading) -> None:
        self._tokens, self._reading = tokens, reading
        self._lists: list[int | None] = []  # the number that each open list has reached; None for bullets
        self._label: str | None = None  # of an item whose first paragraph is still to come
        self._row: list[str] = []
        self._rows: list[list[str]] = []
        self._table_characters = 0

    def read(self) -> None:
        inside = ""
        for token in self._tokens:
            kind = token.type
            if kind in ("bullet_list_open", "ordered_list_open"):
                self._lists.append(int(token.attrGet("start") or 1) - 1 if kind[0] == "o" else None)
            elif kind in ("bullet_list_close", "ordered_list_close"):
                self._lists.pop()
            elif kind == "list_item_open":
                self._label = self._next_label(token.info + token.markup if self._lists[-1] is not None else "")
            elif kind in ("heading_open", "th_open", "td_open", "table_open", "tr_open"):
                inside = kind
                self._open(kind)
            elif kind in ("tr_close", "table_close"):
                self._close(kind)
                inside = ""
            elif kind == "heading_close":
                inside = ""
            elif kind in ("inline", "fence", "code_block", "html_block"):
                self._content(token, inside)

    def _next_label(self, printed: str) -> str:
        count = self._lists[-1]
        if count is None:
            return "-"
        self._lists[-1] = count + 1
        return printed if printed[:1].isdigit() else f"{count + 1}."

    def _open(self, kind: str) -> None:
        if kind == "table_open":
            self._rows, self._table_characters = [], 0
        elif kind == "tr_open":
            self._row = []

    def _close(self, kind: str) -> None:
        if kind == "tr_close":
            self._rows.append(self._row)
        elif self._rows:
            self._reading.events.append(Piece("table", markdown.table(self._rows), self._table_characters))

    def _content(self, token: "Token", inside: str) -> None:
        text, characters = token.content.strip("\n"), visible(token.content)
        if inside in ("th_open", "td_open"):
            self._row.append(text.replace("\\|", "|"))
            self._table_characters += characters
        elif inside == "heading_open":
            level = len(token.markup) or self._level_of(token)
            self._reading.events.append(Heading(level, tidy(text), characters))
        elif token.type == "html_block":
            self._html(text)
        elif text.strip():
            if token.type == "fence":
                text = f"{token.markup}{token.info}\n{text}\n{token.markup}"
            self._block(text, characters)

    def _level_of(self, token: "Token") -> int:
        """The level stands on the token before the heading's text."""
        return int(self._tokens[self._tokens.index(token) - 1].tag[1])

    def _block(self, text: str, characters: int) -> None:
        depth = len(self._lists) - 1
        if self._lists and self._label is not None:
            text = markdown.list_item(self._label, depth, text)
            self._label = None
        elif self._lists:
            text = "\n".join("  " * (depth + 1) + line for line in text.split("\n"))
        self._reading.events.append(Piece("list_item" if self._lists else "paragraph", text, characters))

    def _html(self, text: str) -> None:
        from pipeline.reports.html import read_markup

        inner = read_markup(text)
        self._reading.events += inner.events
        # Tags are no text: the account of the block is that of what a browser would show of it.
        self._reading.tally.visible += inner.tally.visible - visible(text)
        self._reading.tally.left_out.update(inner.tally.left_out)
