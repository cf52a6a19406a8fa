"""The words of a block: what each tag inside it adds to them."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

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
from pipeline.reports.blocks import Reading, tidy, visible
from pipeline.reports.html import saved_by_word as word
from pipeline.reports.html.controls import input_text, shown_options
from pipeline.reports.html.formulas import formula_text

_DEEPEST = 100  # nested deeper, tags are looked through, so that no page exhausts the stack
_NOT_TEXT = (CData, Comment, Doctype, ProcessingInstruction, Script, Stylesheet, TemplateString)
_NEVER = {
    "head": "page head",
    "noscript": "only without scripts",
    **dict.fromkeys(("iframe", "video", "audio", "canvas", "progress", "meter", "datalist"), "fallback copy"),
}
_KEPT_AS = {
    "table of contents": "contents",
    "hidden": "hidden",
    "deleted": "deletions",
    "header or footer": "headers",
}
BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body caption center dd details dir div dl dt fieldset figure figcaption"
        " footer form header hr html legend li main menu ol optgroup p pre section summary table ul"
        " h1 h2 h3 h4 h5 h6",
    )
)
_BOLD = re.compile(r"font-weight:\s*(bold|[6-9]00)")
_HIDDEN = re.compile(r"(?:^|;)(?:display:none|visibility:hidden)")
_POWER = re.compile(r"[+\-−]?\d+|[nmkijtxTN*+]|[+\-−]")


def is_text(node: PageElement) -> bool:
    """Is it text that a browser shows? Comments, scripts and style sheets are strings of the tree too."""
    return isinstance(node, NavigableString) and not isinstance(node, _NOT_TEXT)


@dataclass
class Block:
    """What has been gathered of the block that is being read."""

    pieces: list[str] = field(default_factory=list)
    characters: int = 0
    bold_characters: int = 0
    label: str | None = None  # of an item or a heading, as Word has written it out
    note: str | None = None


class Inline(ABC):
    """Gathers the words of blocks; whoever inherits it says what a block is, and what becomes of it."""

    def __init__(self, reading: Reading, keep: frozenset[str]) -> None:
        self.reading, self.keep = reading, keep
        self.block = Block()
        self.label: str | None = None  # of an item whose first block is still to come
        self.bold = self.plain = False
        self._depth = 0

    @abstractmethod
    def flush(self) -> None:
        """Close the block that has been gathered."""

    @abstractmethod
    def read_block(self, tag: Tag) -> bool:
        """Read a tag that makes up a block; False if it does not."""

    def children(self, tag: Tag) -> None:
        """Read what a tag holds."""
        if self._depth > _DEEPEST:
            self._look_through(tag)
            return
        self._depth += 1
        for child in tag.children:
            if isinstance(child, Tag):
                self.tag(child)
            elif is_text(child):
                self.text(str(child), keep_breaks=tag.name in ("pre", "textarea"))
        self._depth -= 1

    def _look_through(self, tag: Tag) -> None:
        for part in tag.descendants:
            if isinstance(part, Tag) and part.name in BLOCKS:
                self.flush()
            elif is_text(part):
                self.text(str(part), keep_breaks=False)

    def text(self, text: str, *, keep_breaks: bool) -> None:
        """Add words to the block, with one space for many, unless its line breaks count."""
        count = visible(text)
        self.block.characters += count
        self.block.bold_characters += count if self.bold else 0
        self.emit(text if keep_breaks else " ".join(("x" + text + "x").split())[1:-1])

    def emit(self, text: str) -> None:
        """Add to the block what is no text of the page: marks, labels, line breaks."""
        self.block.pieces.append(text)

    def leave(self, tag: Tag, reason: str) -> None:
        """Leave out all text of a tag."""
        for text in tag.find_all(string=True):
            if is_text(text):
                self.reading.tally.leave(reason, text)

    def tag(self, tag: Tag) -> None:
        """Read a tag."""
        if reason := self.reason(tag):
            self.leave(tag, reason)
        elif word.is_label(tag):
            self._written_label(tag)
        elif (handler := _HANDLERS.get(tag.name)) is not None:
            handler(self, tag)
        elif not self.read_block(tag):
            with self.bold_if(is_bold(tag)):
                self.children(tag)

    def reason(self, tag: Tag) -> str | None:
        """Why a tag is left out; None if it is read."""
        reason = _NEVER.get(tag.name) or _reason_of(tag) or word.left_out(tag)
        return None if reason and _KEPT_AS.get(reason) in self.keep else reason

    @contextmanager
    def bold_if(self, bold: bool) -> Iterator[None]:
        """All words are bold, if `bold`."""
        outer, self.bold = self.bold, self.bold or bold
        yield
        self.bold = outer

    def _written(self, tag: Tag) -> str:
        """What a tag adds to the block; it is taken out of it again."""
        start = len(self.block.pieces)
        self.children(tag)
        written = "".join(self.block.pieces[start:])
        del self.block.pieces[start:]
        return written

    def _break(self, _: Tag) -> None:
        self.emit("\n")

    def _picture(self, tag: Tag) -> None:
        if description := tidy(str(tag.get("alt", ""))):
            self.emit(f"![{description}]")

    def _link(self, tag: Tag) -> None:
        target = str(tag.get("href", ""))
        if word.leads_back(target):
            self._note_begins(tag)
            return
        text = self._written(tag)
        if (mark := word.note_mark(target)) is not None and len(text.strip()) <= 5:
            self.emit("" if self.plain else f"[^{mark}]")
        elif target.startswith(("http://", "https://", "mailto:")) and not self.plain:
            self.emit(markdown.link(text, target))
        else:
            self.emit(text)

    def _note_begins(self, tag: Tag) -> None:
        """A link back from a note: it shows the note's number, or an arrow."""
        text = tag.get_text()
        number = re.search(r"\w+", text) or re.search(r"\w+", self.label or "")
        self.block.note = number[0] if number else None
        if visible(text) and not re.search(r"\w", text):
            self.reading.tally.leave("navigation", text)
        else:
            self.block.characters += visible(text)

    def _high_or_low(self, tag: Tag) -> None:
        """A power, x^2, or an index, H_2O; marks of notes and the ends of ordinals stay as they are."""
        before = "".join(self.block.pieces[-1:])[-1:]
        text = self._written(tag)
        follows = before.isalnum() or before in (")", "]")
        is_mark = tag.find("a") is not None
        if follows and not is_mark and (tag.name == "sub" or _POWER.fullmatch(text.strip())):
            text = ("^" if tag.name == "sup" else "_") + (text if len(text) == 1 or text.isalnum() else f"({text})")
        self.emit(text)

    def _quoted(self, tag: Tag) -> None:
        self.emit(f"“{self._written(tag)}”")

    def _ruby_text(self, tag: Tag) -> None:
        text = self._written(tag)
        self.emit(text if tag.parent is not None and tag.parent.find("rp") is not None else f" ({text})")

    def _formula(self, tag: Tag) -> None:
        text = formula_text(tag, lambda copy: self.reading.tally.leave("fallback copy", copy))
        self.block.characters += sum(visible(part) for part in tag.find_all(string=True) if is_text(part))
        self.block.characters -= sum(
            visible(copy.get_text()) for copy in tag.find_all(["annotation", "annotation-xml"])
        )
        self.emit(f"\n{text}\n" if tag.get("display") == "block" else text)

    def _input(self, tag: Tag) -> None:
        self.emit(input_text(tag))

    def _select(self, tag: Tag) -> None:
        shown = shown_options(tag)
        for text in filter(is_text, tag.find_all(string=True)):
            if not any(option is parent for option in shown for parent in text.parents):
                self.reading.tally.leave("option not chosen", text)
        for index, option in enumerate(shown):
            self.emit(", " if index else "")
            self.children(option)

    def _deletion(self, tag: Tag) -> None:
        if "deletions" in self.keep:
            self.children(tag)
        else:
            self.leave(tag, "deleted")

    def _written_label(self, tag: Tag) -> None:
        text = tag.get_text()
        self.block.characters += visible(text)
        self.block.label = word.printed_label(text)


def _reason_of(tag: Tag) -> str | None:
    """Why a tag's text is left out, by its role and its looks."""
    names = f"{tag.get('id', '')} {tag.get('role', '')} {word.class_of(tag)} {tag.get('epub:type', '')}".lower().split()
    if {"toc", "doc-toc"} & set(names):
        return "table of contents"
    if tag.name == "nav" or "navigation" in names:
        return "navigation"
    return "hidden" if tag.has_attr("hidden") or _HIDDEN.search("".join(word.style_of(tag).split())) else None


def is_bold(tag: Tag) -> bool:
    """Does a tag make its text bold?"""
    return tag.name in ("b", "strong") or _BOLD.search(word.style_of(tag)) is not None


_HANDLERS: dict[str, Callable[[Inline, Any], None]] = {
    "br": Inline._break,
    "img": Inline._picture,
    "area": Inline._picture,
    "a": Inline._link,
    "sup": Inline._high_or_low,
    "sub": Inline._high_or_low,
    "q": Inline._quoted,
    "rt": Inline._ruby_text,
    "math": Inline._formula,
    "input": Inline._input,
    "select": Inline._select,
    "del": Inline._deletion,
}
