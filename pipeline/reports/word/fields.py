"""Fields: a code that Word runs (REF, TOC, HYPERLINK...), and the result that it prints."""

from dataclasses import dataclass

from pipeline.reports.archive import Element
from pipeline.reports.word import names as n
from pipeline.reports.word.names import w

_BOX_ON, _BOX_OFF = "☒", "☐"


@dataclass
class Field:
    """An open field: its code, then, after a separator, its result, from `start` of the line's pieces."""

    start: int
    code: str = ""
    in_result: bool = False

    @property
    def is_contents(self) -> bool:
        return self.code.split()[:1] in (["TOC"], ["TOA"], ["INDEX"])

    @property
    def target(self) -> str | None:
        """Where a HYPERLINK field leads, if outside the document."""
        words = self.code.split()
        if words[:1] != ["HYPERLINK"] or len(words) < 2 or words[1].startswith("\\"):
            return None
        return words[1].strip('"')


def form_value(begin: Element) -> str:
    """What an old form's check box or list shows: they have no result, their state is in the field's data."""
    box, choice = begin.find(f".//{w('checkBox')}"), begin.find(f".//{w('ddList')}")
    if box is not None:
        state = n.child_value(box, w("checked"))
        state = state if state is not None else n.child_value(box, w("default"))
        return _BOX_ON if n.is_on(state) else _BOX_OFF
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
