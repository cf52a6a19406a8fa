"""Lines that belong together: a paragraph, a list item, a heading, a caption, a table."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.reports.outline import split_number
from pipeline.reports.pdf.lines import Line
from pipeline.reports.pdf.looks import Usual

BULLET = re.compile(r"([•●▪◦○■□➢✓–—\-*❖⬧◆→‣·\uf0b7\uf0a7]|o(?=\s+[A-ZÀ-Þ¿¡]))\s+(?=\S)")
NUMBERED = re.compile(r"(\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+(?=\S)")
_FIRST_LABELS = ("1", "a", "i")
_PLAIN_BULLETS = "–—-*·→o"
CAPTION = re.compile(
    r"(?:fig(?:ur[ae])?\.?|tab(?:le|la)?\.?|taula|gr[àá]fic[oa]?|chart|quadre|cuadro|box|map[ae]?|imat?gen?|imatge|image|"
    r"foto(?:grafia|grafía)?|photo|esquema|il·?lustració|ilustración|annex|plate)\s*\d+(?:\.\d+)*\s*(?P<mark>[.:–—-])?",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.?!:…;][\"”’»')\]]*(?:\[\^[^\]]*\])*$")
_NUMBER = re.compile(r"\d+(?:\.\d+)*\.?\s+\S")
PARAGRAPH_GAP = 1.4  # in usual line distances
OWN_GAP = 1.25  # in line distances of the paragraph itself
INDENT = 0.8  # of the size
NARROW = 0.6  # of the column: a line so short ended on purpose


@dataclass(slots=True)
class Group:
    """Lines that belong together. `level` is a heading's, `starts_list` says that it begins with a list's label."""

    lines: list[Line]
    level: int | None = None
    starts_list: bool = False

    @property
    def text(self) -> str:
        """The lines as they stand."""
        return " ".join(line.text for line in self.lines)

    @property
    def is_caption(self) -> bool:
        """Whether it begins as captions do: "Figure 2." or, in a line of its own, "Taula 3 Socis"."""
        match = CAPTION.match(self.lines[0].text)
        return match is not None and bool(match["mark"] or len(self.lines) == 1)


def ended(text: str) -> bool:
    """Does a text end as sentences do?"""
    return _ENDED.search(text.rstrip()) is not None


def grouped(lines: Sequence[Line], levels: Mapping[int, int], usual: Usual) -> list[Group]:
    """Part lines into groups. `levels` says which lines are headings for sure, by index."""
    groups: list[Group] = []
    for index, line in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else None
        level = levels.get(index)
        if groups and not _parts(groups[-1], line, following, level, usual):
            groups[-1].lines.append(line)
            continue
        before = groups[-1] if groups else None
        groups.append(Group([line], level, _starts_list(before, line, usual)))
    return groups


def _parts(group: Group, b: Line, following: Line | None, level: int | None, usual: Usual) -> bool:
    """Does a new group begin at line `b`?"""
    a = group.lines[-1]
    if a.table or b.table or not (a.upright and b.upright) or level != group.level:
        return True
    moved = a.page != b.page or a.column != b.column or b.base > a.base + usual.leading
    if level is not None:
        return moved or split_number(b.text)[0] is not None or a.base - b.base > PARAGRAPH_GAP * _distance(a, usual)
    if _changes_look(a, b, usual):
        return True
    if _starts_list(group, b, usual) or (CAPTION.match(b.text) and (ended(a.text) or moved)):
        return True
    if moved:
        return _is_new_after_move(group, b, usual)
    if usual.stands_out(b) and (_NUMBER.match(b.text) or _ends_heading(a, b, usual)):
        return True
    if ended(a.text) and _is_under_number(b, following, usual):
        return True
    return _is_apart(group, b, following, usual) or _is_new_by_indent(group, b, following, usual)


def _is_under_number(line: Line, following: Line | None, usual: Usual) -> bool:
    """May a line be a heading by its number alone, as "2.1 Methods": nobody wrote on in it?"""
    number, rest = split_number(line.text)
    if number is None or not rest[:1].isupper() or ended(line.text) or following is None:
        return False
    return usual.has_room(line, following) and not following.text[:1].islower()


def _ends_heading(a: Line, b: Line, usual: Usual) -> bool:
    """Of two lines set as headings, does the first end one? Somebody ended it, and not for the looks of both."""
    return usual.has_room(a, b) and not usual.is_centred(b) and not b.text[:1].islower()


def _is_new_after_move(group: Group, b: Line, usual: Usual) -> bool:
    """Does a paragraph begin at the top of a page or column?

    A full line that ends a sentence decides nothing; then it is likelier that the paragraph goes on.
    """
    a = group.lines[-1]
    if not ended(a.text):
        return usual.has_room(a, b) and not b.text[:1].islower()
    if group.starts_list and b.left - usual.column(b)[0] < INDENT * b.size:
        return True
    return usual.has_room(a, b) or b.left > usual.column(b)[0] + INDENT * b.size


def _distance(line: Line, usual: Usual) -> float:
    return max(usual.leading, line.size * 1.2)


def _changes_look(a: Line, b: Line, usual: Usual) -> bool:
    """Is the look of `b` another, in a way that a paragraph cannot change within itself?"""
    if abs(a.size - b.size) > usual.spread * max(a.size, b.size):
        return True
    bold_a, bold_b = usual.is_bold(a), usual.is_bold(b)
    if bold_a == bold_b:
        return False
    apart = a.page == b.page and abs(a.base - b.base) > 1.15 * max(usual.leading, a.size)
    if bold_a:
        return apart or usual.has_room(a, b)
    return apart or (ended(a.text) and (usual.has_room(a, b) or usual.has_room(b, a)))


def _starts_list(before: Group | None, line: Line, usual: Usual) -> bool:
    """Does a line begin with the label of a list item, and not by chance with a dash or a number?"""
    bullet, number = BULLET.match(line.text), NUMBERED.match(line.text)
    if bullet is None and number is None:
        return False
    if before is None or (bullet and bullet[1] not in _PLAIN_BULLETS):
        return True
    last = before.lines[-1]
    return (
        before.starts_list
        or ended(last.text)
        or (usual.has_room(last, line) and (number is None or number[1].strip("(.)") in _FIRST_LABELS))
        or line.left > last.left + INDENT * line.size
        or last.base - line.base > 1.2 * _distance(last, usual)
    )


def _is_apart(group: Group, b: Line, following: Line | None, usual: Usual) -> bool:
    """Is the gap above `b` larger than those between the lines of one paragraph?"""
    a = group.lines[-1]
    gap = a.base - b.base
    if gap < -0.3 * b.size:
        return True
    if gap > PARAGRAPH_GAP * _distance(a, usual):
        return True
    if len(group.lines) > 1 and group.lines[-2].page == a.page:
        own = group.lines[-2].base - a.base
        return own > 0.5 * a.size and gap > OWN_GAP * own
    if following is not None and following.page == b.page and following.size == b.size == a.size:
        below = b.base - following.base
        return below > 0.9 * b.size and gap > OWN_GAP * below and gap > 1.3 * b.size
    return False


def _is_new_by_indent(group: Group, b: Line, following: Line | None, usual: Usual) -> bool:
    """Does `b` begin a paragraph because of where it begins, and where the line before ends?"""
    a, first = group.lines[-1], group.lines[0]
    room = usual.has_room(a, b)
    left, right = usual.column(a)
    if not ended(a.text):
        return room and not b.text[:1].islower() and a.right < left + NARROW * (right - left)
    indent = INDENT * b.size
    if b.left > a.left + indent:
        if len(group.lines) > 1 or group.starts_list:
            return not group.starts_list or b.left > a.left + 4 * indent
        goes_on = following is not None and following.page == b.page and abs(following.left - b.left) < indent
        return room and not goes_on
    if b.left < a.left - indent:
        if len(group.lines) > 1 and b.left <= first.left + 2 and first.left < a.left - indent:
            return True  # the next entry of a list of references
        return group.starts_list or room
    return room
