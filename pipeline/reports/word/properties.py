"""What a paragraph says of itself, read in one pass over its properties."""

from dataclasses import dataclass

from pipeline.reports.archive import Element
from pipeline.reports.word import names as n
from pipeline.reports.word.names import w


@dataclass(frozen=True, slots=True)
class Properties:
    """Direct properties of a paragraph; None where it leaves them to its style.

    `outline` counts from 0, and 9 says "body text"; `list_id` "0" takes a paragraph off its style's list.
    `is_end_deleted`: what is left of the paragraph belongs to the next one.
    """

    style: str | None = None
    outline: int | None = None
    list_id: str | None = None
    list_depth: int | None = None
    is_drop_capital: bool = False
    is_end_deleted: bool = False
    is_end_hidden: bool = False


_NONE = Properties()
_TOLD = (n.PSTYLE, n.OUTLINE, n.NUMPR, n.FRAME, n.RPR)
_OF_END = (n.DELETED[0], n.VANISH)


def properties_of(paragraph: Element) -> Properties:
    """The direct properties of a paragraph."""
    found = paragraph.find(n.PPR)
    if found is None or not len(found):
        return _NONE
    style = outline = list_id = list_depth = None
    is_drop_capital = is_end_deleted = is_end_hidden = False
    for child in found.iterchildren(*_TOLD):
        if child.tag == n.PSTYLE:
            style = child.get(n.VAL)
        elif child.tag == n.OUTLINE:
            outline = n.whole(child.get(n.VAL))
        elif child.tag == n.NUMPR:
            list_id = n.child_value(child, w("numId"))
            list_depth = n.whole(n.child_value(child, w("ilvl")))
        elif child.tag == n.FRAME:
            is_drop_capital = child.get(w("dropCap")) in ("drop", "margin")
        elif child.tag == n.RPR:
            for mark in child.iterchildren(*_OF_END):
                is_end_deleted = is_end_deleted or mark.tag == n.DELETED[0]
                is_end_hidden = is_end_hidden or (mark.tag == n.VANISH and n.is_on(mark.get(n.VAL, "")))
    return Properties(style, outline, list_id, list_depth, is_drop_capital, is_end_deleted, is_end_hidden)
