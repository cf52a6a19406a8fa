"""Fields: a code that Word runs (REF, TOC, HYPERLINK...), and the result that it prints."""

import re
from dataclasses import dataclass, field
from functools import cached_property

from pipeline.reports import markdown
from pipeline.reports.archive import Element
from pipeline.reports.word import names as n
from pipeline.reports.word.names import w
from pipeline.reports.word.symbols import symbol

_CONTENTS = re.compile(r"\s*(?:TOC|TOA|INDEX)\b", re.IGNORECASE)
_HYPERLINK = re.compile(r'\s*HYPERLINK\s+("[^"]+"|[^\s\\"]\S*)', re.IGNORECASE)
_PLACE = re.compile(r'\\l\s+"([^"]+)"')
_BUTTON = re.compile(r"\s*(?:MACROBUTTON|GOTOBUTTON)\s+\S+\s+(.*\S)", re.IGNORECASE | re.DOTALL)
_SYMBOL = re.compile(r"\s*SYMBOL\s+(0x[0-9a-f]{1,6}|\d{1,7})\b", re.IGNORECASE)
_FONT = re.compile(r'\\f\s+"([^"]+)"')


@dataclass
class Field:
    """An open field: its code, then, after a separator, its result, from `start` of the line's pieces."""

    start: int
    codes: list[str] = field(default_factory=list)
    in_result: bool = False
    has_chapters: bool = False  # a table of contents whose end stands behind the chapters themselves

    @cached_property
    def code(self) -> str:
        """The whole code. Ask when it is complete: at the separator or the end."""
        return "".join(self.codes)

    @property
    def is_contents(self) -> bool:
        """Is what is printed here a table of contents, or an index?"""
        return self.in_result and not self.has_chapters and is_contents_code(self.code)

    @property
    def target(self) -> str | None:
        """Where a HYPERLINK field leads, if outside the document."""
        found = _HYPERLINK.match(self.code)
        if found is None:
            return None
        place = _PLACE.search(self.code)
        return found[1].strip('"') + (f"#{place[1]}" if place and "#" not in found[1] else "")

    @property
    def shown(self) -> str:
        """What a field without a result prints: a button's words, or a symbol."""
        if button := _BUTTON.match(self.code):
            return button[1]
        if found := _SYMBOL.match(self.code):
            number = int(found[1], 16 if found[1].lower().startswith("0x") else 10)
            font = _FONT.search(self.code)
            return symbol(font[1], f"{number:x}") or "" if font else chr(number) if 32 <= number < 0xD800 else ""
        return ""


def is_contents_code(code: str) -> bool:
    """Is it the code of a table of contents, of authorities, or of an index?"""
    return _CONTENTS.match(code) is not None


def form_value(begin: Element) -> str:
    """What an old form's check box or list shows: they have no result, their state is in the field's data."""
    box, choice = begin.find(f".//{w('checkBox')}"), begin.find(f".//{w('ddList')}")
    if box is not None:
        state = n.child_value(box, w("checked"))
        state = state if state is not None else n.child_value(box, w("default"))
        return markdown.box(n.is_on(state))
    if choice is None:
        return ""
    entries = [entry.get(n.VAL, "") for entry in choice.iterfind(w("listEntry"))]
    chosen = n.whole(n.child_value(choice, w("result"))) or 0
    return entries[chosen] if 0 <= chosen < len(entries) else ""


def match_fields(block: Element, opened: list[Element], closed: set[Element]) -> None:
    """Go through the fields of a block: `opened` are those that have begun so far, `closed` those that have ended too.

    A field that never ends would swallow the rest of the document. Those in deleted text and in copies do not count.
    """
    for mark in block.iter(n.FLDCHAR):
        if next(mark.iterancestors(*n.DELETED, n.FALLBACK), None) is not None:
            continue
        if mark.get(w("fldCharType")) == "begin":
            opened.append(mark)
        elif mark.get(w("fldCharType")) == "end" and opened:
            closed.add(opened.pop())
