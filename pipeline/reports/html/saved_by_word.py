"""Pages that Word has saved: headings, lists, notes and contents are paragraphs, told apart by class and style."""

import re
from dataclasses import dataclass

from bs4.element import Tag

_OUTLINE = re.compile(r"mso-outline-level:\s*([1-9])")
_LIST = re.compile(r"mso-list:\s*\S+\s+level([1-9])")
_HEADING = re.compile(r"msoheading([1-9])")
_NUMBERED = re.compile(r"\(?(?:\d+|[A-Za-z]{1,4})(?:\.\w{1,3})*[.)]+\Z|\d+(?:\.\d+)*\Z")
_NOTE_MARK = re.compile(r"#_?(ftn|edn|ftnt|fn|footnote-?|endnote-?|note-?|fn:|cite_note-?)(\d+)\Z")
_NOTE_BACK = re.compile(r"#_?(ftnref|ednref|ftnt_ref|fnref:?|footnote-ref-?|endnote-ref-?|cite_ref-?)[\d_-]+\Z")


@dataclass(frozen=True, slots=True)
class Look:
    """What class and style say of a block."""

    level: int | None = None
    list_depth: int | None = None
    is_title: bool = False
    is_caption: bool = False


def look_of(tag: Tag) -> Look:
    """What a block looks like on Word's page."""
    name, style = class_of(tag), style_of(tag)
    outline, heading, item = _OUTLINE.search(style), _HEADING.search(name), _LIST.search(style)
    return Look(
        level=int(outline[1]) if outline else int(heading[1]) if heading else None,
        list_depth=int(item[1]) - 1 if item else None,
        is_title="msotitle" in name.split(),
        is_caption="msocaption" in name.split(),
    )


def class_of(tag: Tag) -> str:
    """A tag's classes in small letters."""
    return " ".join(tag.get_attribute_list("class")).lower() if tag.has_attr("class") else ""


def style_of(tag: Tag) -> str:
    """A tag's style in small letters."""
    return str(tag.get("style", "")).lower()


def left_out(tag: Tag) -> str | None:
    """Why Word's page would not show it as text."""
    name, style = class_of(tag), style_of(tag)
    if name.startswith("msotoc"):
        return "table of contents"
    if name in ("msoheader", "msofooter") or "mso-element:header" in style or "mso-element:footer" in style:
        return "header or footer"
    if "mso-hide:all" in "".join(style.split()):
        return "hidden"
    return "comment" if name == "msocommentreference" else None


def is_label(tag: Tag) -> bool:
    """Does it hold the label of an item, which Word has written out?"""
    return "mso-list:ignore" in "".join(style_of(tag).split())


def is_comment(tag: Tag) -> bool:
    """Is it a reviewer's comment?"""
    return re.search(r"mso-element:\s*comment(?:;|\Z)", style_of(tag)) is not None


def printed_label(text: str) -> str:
    """An item's label: its number, or "-" for whatever Word draws as a bullet."""
    text = " ".join(text.split())
    return text if _NUMBERED.fullmatch(text) else "-"


def note_mark(target: str) -> str | None:
    """The number of the note that a link inside the page leads to; None if it leads to no note."""
    match = _NOTE_MARK.search(target)
    return match[2] if match else None


def leads_back(target: str) -> bool:
    """Does a link lead from a note back to its mark?"""
    return _NOTE_BACK.search(target) is not None
