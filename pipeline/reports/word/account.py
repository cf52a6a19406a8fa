"""The account of a Word file: every character of every part, counted without regard to how it was read."""

import posixpath
from collections.abc import Sequence

from pipeline.reports.archive import Element
from pipeline.reports.blocks import Reading, visible
from pipeline.reports.word import names as n
from pipeline.reports.word.drawings import drawing_texts
from pipeline.reports.word.package import Package

_BY_NAME = (
    ("header", "header or footer"),
    ("footer", "header or footer"),
    ("comments", "comment"),
    ("footnotes", "note without a reference"),
    ("endnotes", "note without a reference"),
)
MISPLACED = "where no text may stand"
_NO_PLACE = frozenset((*n.PROPERTIES, *n.TEXTS))
_TABLE = (n.TBL, n.TR, n.TC, n.P)
_WITHIN = {n.TR: n.TBL, n.TC: n.TR}


class Account:
    """Compares what stands at a place with what was read there or left out, and warns where they differ."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._due = self._events = 0
        self._blocks: list[Element] | None = None  # entered and not left

    def enter(self, blocks: Sequence[Element]) -> None:
        """Count `blocks` as visible; they are to be read next, into the end of `reading.events`."""
        if self._blocks is None:
            self._due, self._events, self._blocks = self._settled(), len(self._reading.events), []
        counted = sum(map(characters_of, blocks))
        self._reading.tally.visible += counted
        self._due += counted
        self._blocks += blocks

    def came_along(self, characters: int) -> None:
        """Note that text of another part, which is counted there, was read at this place."""
        self._due += characters

    def leave(self, place: str) -> None:
        """Warn if the blocks that were entered since the last time were not read whole. `place` names them."""
        if self._blocks is None:
            return
        read = sum(event.characters for event in self._reading.events[self._events :])
        missing = self._due - self._settled() - read
        if missing > 0 and (misplaced := min(missing, sum(map(_misplaced, self._blocks)))):
            self._reading.tally.left_out[MISPLACED] += misplaced
            missing -= misplaced
        if missing:
            self._reading.warnings.append(f"{missing} characters were not read as they should be: {place}")
        self._blocks = None

    def _settled(self) -> int:
        return self._reading.title_characters + sum(self._reading.tally.left_out.values())


def characters_of(element: Element) -> int:
    """Visible characters below an element of a Word part."""
    return visible("".join([text.text or "" for text in element.iter(*n.TEXTS)]))  # white space counts nowhere


def _misplaced(block: Element) -> int:
    """Characters in places that no sound file has: within properties or other text, in cells outside of rows."""
    return sum(visible(text.text or "") for text in block.iter(*n.TEXTS) if _is_misplaced(text))


def _is_misplaced(text: Element) -> bool:
    below = text
    for above in text.iterancestors():
        if above.tag in _NO_PLACE:
            return True
        if above.tag in _TABLE:
            needed = _WITHIN.get(below.tag)
            if (needed and above.tag != needed) or (below.tag == n.TBL and above.tag in (n.TBL, n.TR)):
                return True
            below = above
    return below.tag in _WITHIN


def account_for_other_parts(package: Package, reading: Reading, read: set[str], counted: set[str]) -> None:
    """Count what is visible in all other parts, and give a reason for those that are never read.

    Args:
        read: names of the parts that were read.
        counted: names of those that were counted, too, as the main part is.
    """
    folder = posixpath.dirname(package.main_name)
    for name in package.names:
        inside = posixpath.relpath(name, folder or ".")
        if (
            name in (package.main_name, *counted)
            or inside.startswith("..")
            or not name.endswith(".xml")
            or "_rels/" in name
        ):
            continue
        count = _count(package, name, inside)
        reading.tally.visible += count
        if not count or name in read:
            continue
        if reason := _reason(inside):
            reading.tally.left_out[reason] += count
        else:
            reading.warnings.append(f"{count} characters of an unknown part were not read: {name}")


def _count(package: Package, name: str, inside: str) -> int:
    part = package.part(name)
    if inside.startswith(("charts/", "diagrams/")):
        return sum(map(visible, drawing_texts(part)))
    return characters_of(part)


def _reason(name: str) -> str | None:
    """Why a part other than the main text and its notes is not read; None if we do not know it."""
    if name.startswith("glossary/"):
        return "building block"
    if name.startswith("diagrams/drawing"):
        return "fallback copy"
    if name.startswith(("charts/", "diagrams/")):
        return "drawing without a reference"
    return next((reason for start, reason in _BY_NAME if name.startswith(start)), None)
