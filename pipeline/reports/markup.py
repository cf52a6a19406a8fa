"""Markdown: CommonMark, with the tables, notes, tasks and front matter that people write besides."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.reports import markdown
from pipeline.reports.blocks import Heading, Piece, Reading, tidy, visible
from pipeline.reports.days import iso_day
from pipeline.reports.encodings import decoded

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)\n(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_FIELD = re.compile(
    r"^(title|date|created|lastmod|modified|updated)\s*[:=]\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE
)
_NOTE = re.compile(r"\[\^([^\]\s]+)\]:[ \t]*(.*)")
_BEGINS = re.compile(r"\[\^[^\]\s]+\]:|#{1,6}\s|[-*+>|]\s|\d+[.)]\s|```|~~~|<")  # a block of another kind
_ATTRIBUTES = re.compile(r"\s*\{[#.][^{}]*\}\s*\Z")
_SOFT_BREAK, _HARD_BREAK = re.compile(r"(?<!\\)(?<!  )\n"), re.compile(r" {2,}\n|\\\n")
_TASK = re.compile(r"\A\[([ xX])\](?=\s)")


def read_markdown(path: Path) -> Reading:
    """Read a Markdown file. The account is of what its parser finds to print, without the marks."""
    from markdown_it import MarkdownIt

    text = decoded(path.read_bytes())
    reading = Reading()
    if front := _FRONT_MATTER.match(text):
        _read_front_matter(front[2], reading)
        reading.tally.visible += visible(front[0])
        reading.tally.leave("front matter", front[0])
        text = text[front.end() :]
    # What is nested deeper than the parser's own limit would be lost without a word.
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": 10_000}).enable("table")
    parser.block.ruler.before("reference", "note", _note, {"alt": ["paragraph"]})
    tokens = parser.parse(text)
    reading.tally.visible += sum(visible(token.content) for token in tokens)
    _Markdown(tokens, reading).read()
    return reading


def _read_front_matter(front: str, reading: Reading) -> None:
    said = {name: value for name, value in reversed(_FRONT_FIELD.findall(front))}
    reading.title = said.get("title", "")
    reading.created = iso_day(said.get("date") or said.get("created"))
    reading.modified = iso_day(said.get("lastmod") or said.get("modified") or said.get("updated"))


def _note(state: "StateBlock", first: int, last: int, silent: bool) -> bool:
    """A rule for the parser: `[^1]: text`, and the indented lines that belong to it."""

    def line(number: int) -> str:
        return state.src[state.bMarks[number] : state.eMarks[number]]

    match = _NOTE.fullmatch(line(first).strip())
    if match is None or state.is_code_block(first):
        return False
    if silent:
        return True
    end = first + 1
    while end < last:
        goes_on = state.sCount[end] > state.blkIndent and not state.isEmpty(end)
        follows = not state.isEmpty(end) and not state.isEmpty(end - 1) and not _BEGINS.match(line(end).strip())
        if not goes_on and not follows and not (state.isEmpty(end) and end + 1 < last and line(end + 1)[:1] in " \t"):
            break
        end += 1
    state.line = end
    token = state.push("note", "", 0)
    token.info = match[1]
    token.content = "\n".join(filter(None, [match[2], *(line(number).strip() for number in range(first + 1, end))]))
    token.map = [first, end]
    return True


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
            elif kind == "note":
                note = Piece("note", f"[^{token.info}]: {tidy(token.content)}", visible(token.content))
                self._reading.events.append(note)
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
        text, characters = self._shown(token)
        if inside in ("th_open", "td_open"):
            self._row.append(text.replace("\\|", "|"))
            self._table_characters += characters
        elif inside == "heading_open":
            self._heading(token, characters)
        elif token.type == "html_block":
            self._html(token.content)
        elif text.strip():
            if token.type == "fence":
                text = f"{token.markup}{token.info}\n{text}\n{token.markup}"
            self._block(text, characters, _is_bold(token))

    def _shown(self, token: "Token") -> tuple[str, int]:
        """A token's text without the tags and comments of HTML in it, and its characters."""
        text, place = token.content.strip("\n"), 0
        characters = visible(text)
        if token.type == "inline":
            text = _HARD_BREAK.sub("\n", _SOFT_BREAK.sub(" ", text))
        for child in token.children or ():
            if child.type != "html_inline":
                continue
            at = text.find(child.content, place)
            if at < 0:
                continue
            shown = "\n" if child.content[:3].lower() == "<br" else ""
            text, place = text[:at] + shown + text[at + len(child.content) :], at + len(shown)
            characters -= visible(child.content)
            is_comment = child.content.startswith("<!--")
            self._reading.tally.leave("source comment" if is_comment else "markup", child.content)
        return text, characters

    def _heading(self, token: "Token", characters: int) -> None:
        """A heading is plain, without marks of emphasis, links, notes and the names that some give it."""
        kinds = {"text": "", "code_inline": "", "image": "", "softbreak": " ", "hardbreak": " ", "text_special": ""}
        words = [kinds[part.type] + part.content for part in token.children or () if part.type in kinds]
        text = _ATTRIBUTES.sub("", re.sub(r"\[\^[^\]]+\]", "", "".join(words)))
        self._reading.events.append(Heading(self._level_of(token), tidy(text), characters))

    def _level_of(self, token: "Token") -> int:
        """The level stands on the token before the heading's text."""
        return int(self._tokens[self._tokens.index(token) - 1].tag[1])

    def _block(self, text: str, characters: int, bold: bool) -> None:
        depth = len(self._lists) - 1
        if bold and not self._lists:
            text = text.strip("*_ \n")
        if self._lists and self._label is not None:
            text = _TASK.sub(lambda task: markdown.box(task[1] != " "), text)
            text = markdown.list_item(self._label, depth, text)
            self._label = None
        elif self._lists:
            text = markdown.list_more(depth, text)
        self._reading.events.append(Piece("list_item" if self._lists else "paragraph", text, characters, bold))

    def _html(self, text: str) -> None:
        from pipeline.reports.html import read_markup

        inner = read_markup(text)
        self._reading.events += inner.events
        # Tags are no text: the account of the block is that of what a browser would show of it.
        self._reading.tally.visible += inner.tally.visible - visible(text)
        self._reading.tally.left_out.update(inner.tally.left_out)


def _is_bold(token: "Token") -> bool:
    """Is a paragraph bold from its first word to its last?"""
    parts = [part for part in token.children or () if part.type != "text" or part.content]
    inner = [part.type for part in parts[1:-1]]
    return len(parts) > 2 and parts[0].type == "strong_open" and inner.count("strong_close") == 0
