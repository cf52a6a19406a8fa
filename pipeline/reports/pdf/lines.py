"""The lines of a page: text, place, size and weight, with the wide gaps inside them known.

PDFium parts a line where a raised or lowered character stands; those parts are one line again here.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import NamedTuple

from pipeline.reports.blocks import visible
from pipeline.reports.pdf.glyphs import HYPHEN, Glyphs
from pipeline.reports.pdf.mending import edits, mended

_BREAK = re.compile(rf"\r\n|\n|(?<={HYPHEN})(?=[^\r\n])")
_SPACES = re.compile(r"(?<=\S)\s+(?=\S)")
# A number straight after a word or its closing mark: a reference to a note, if it is set smaller.
_RAISED = re.compile(r"(?<=[^\W\d_]|[.,;:)»”’\"?!])(?:\d{1,3}|[*†‡]{1,3})(?![\w*])")
_HALF = re.compile("[\ud800-\udfff]")
WIDE_GAP = 0.9  # of the size; the gaps of a justified line stay below
SMALLER = 0.85  # of the size: a raised or lowered character
_TOUCHING = 0.18  # of the size: no space is lost between parts that near
_RAISED_SHARE = 0.6  # of the size: how far parts of a line may be raised or lowered


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of a line between wide gaps."""

    left: float
    right: float
    text: str
    characters: int


class Note(NamedTuple):
    """A footnote: the mark that its text carries, and its lines without it."""

    label: str
    lines: "tuple[Line, ...]"


class Table(NamedTuple):
    """The texts of a table's rows, each as long as there are columns, and where these begin and end."""

    rows: tuple[tuple[str, ...], ...]
    columns: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page. Places in points from the page's lower left corner; `size` in points as drawn.

    `marks` are spans of its text that are set like references to a note, `label` is such a mark at its start;
    `notes` are the footnotes that it refers to. `column` bounds the text column that it stands in, where one is
    known. A whole `table` is a line too.
    """

    page: int
    text: str
    characters: int
    left: float
    right: float
    base: float
    size: float
    weight: int
    bold_name: bool
    cells: tuple[Cell, ...] = ()
    marks: tuple[tuple[int, int], ...] = ()
    upright: bool = True
    column: tuple[float, float] | None = None
    label: str = ""
    notes: tuple[Note, ...] = ()
    table: Table | None = None


def lines_of(glyphs: Glyphs, number: int) -> list[Line]:
    """The page's lines in the order of its text, white ones left out."""
    shown = edits(glyphs)
    parts, start = [], 0
    for match in [*_BREAK.finditer(glyphs.text), None]:
        end = match.start() if match else len(glyphs.text)
        if glyphs.text[start:end].strip():
            parts.append(_line(glyphs, shown, start, end, number))
        start = match.end() if match else end
    lines: list[Line] = []
    for part in parts:
        if lines and _go_on(lines[-1], part):
            lines[-1] = merged(lines[-1], part)
        else:
            lines.append(part)
    return lines


def usual_size(lines: Sequence[Line]) -> float:
    """The size in which most characters are set, 0 if there are none."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += line.characters
    return sizes.most_common(1)[0][0] if sizes else 0.0


def leading(lines: Sequence[Line]) -> float:
    """The usual distance of two lines' bases, in points."""
    gaps = [a.base - b.base for a, b in zip(lines, lines[1:], strict=False) if a.page == b.page and a.base > b.base]
    return median(gaps) if gaps else 1.0


def right_edge(lines: Sequence[Line]) -> float:
    """Where most full lines end: the edge that a tenth of the lines reach or cross."""
    edges = sorted(line.right for line in lines)
    return edges[len(edges) * 9 // 10] if edges else 0.0


def left_edge(lines: Sequence[Line]) -> float:
    """Where most lines begin: the edge that a tenth of the lines begin at or before."""
    edges = sorted(line.left for line in lines)
    return edges[len(edges) // 10] if edges else 0.0


def of_cells(line: Line, cells: Sequence[Cell]) -> Line:
    """The part of a line that these of its cells make."""
    return replace(
        line,
        text=" ".join(cell.text for cell in cells),
        characters=sum(cell.characters for cell in cells),
        left=cells[0].left,
        right=cells[-1].right,
        cells=tuple(cells),
        marks=line.marks if len(cells) == len(line.cells) else (),
    )


def _line(glyphs: Glyphs, shown: Mapping[int, str], start: int, end: int, page: int) -> Line:
    raw = glyphs.text[start:end]
    first = start + len(raw) - len(raw.lstrip())
    last = start + len(raw.rstrip()) - 1
    middle = next(index for index in range((first + last) // 2, last + 1) if not glyphs.text[index].isspace())
    left, right = glyphs.across(first)[0], glyphs.across(last)[1]
    places = sorted({first, middle, last})
    size = median(glyphs.size(index) for index in places)
    upright = glyphs.runs_along(first)
    return Line(
        page=page,
        text=_shown(glyphs.text, shown, first, last + 1),
        characters=visible(_whole(raw)),
        left=left,
        right=right,
        base=median(glyphs.base(index) for index in places),
        size=size,
        weight=min(glyphs.weight(first), glyphs.weight(last)),
        bold_name=glyphs.is_bold(first) and glyphs.is_bold(last),
        cells=tuple(_cells(glyphs, shown, first, last + 1, left, right, size)) if upright else (),
        marks=tuple(_marks(glyphs, shown, first, last + 1, size)),
        upright=upright,
    )


def _cells(
    glyphs: Glyphs, shown: Mapping[int, str], first: int, end: int, left: float, right: float, size: float
) -> list[Cell]:
    text, across, cells, start = glyphs.text, glyphs.across, [], first
    for match in _SPACES.finditer(text, first, end):
        ends, begins = across(match.start() - 1)[1], across(match.end())[0]
        if begins - ends > WIDE_GAP * size:
            cells.append(_cell(text, shown, start, match.start(), left, ends))
            start, left = match.end(), begins
    return [*cells, _cell(text, shown, start, end, left, right)]


def _cell(text: str, shown: Mapping[int, str], start: int, end: int, left: float, right: float) -> Cell:
    return Cell(left, right, _shown(text, shown, start, end), visible(_whole(text[start:end])))


def _marks(glyphs: Glyphs, shown: Mapping[int, str], first: int, end: int, size: float) -> list[tuple[int, int]]:
    marks = []
    for match in _RAISED.finditer(glyphs.text, first, end):
        if glyphs.size(match.start()) < SMALLER * size:
            at = len(_shown(glyphs.text, shown, first, match.start()))
            marks.append((at, at + len(match[0])))
    return marks


def _shown(text: str, shown: Mapping[int, str], start: int, end: int) -> str:
    """What a reader sees between two places."""
    part = text[start:end]
    if shown and not shown.keys().isdisjoint(range(start, end)):
        part = "".join(shown.get(start + offset, character) for offset, character in enumerate(part))
    return mended(_whole(part))


def _whole(text: str) -> str:
    """Text with the halves of its characters beyond the first 65,536 joined; a lone half is no character."""
    if text.isascii() or _HALF.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _go_on(a: Line, b: Line) -> bool:
    """Are these two parts of one line?"""
    size, gap, raised = max(a.size, b.size), b.left - a.right, abs(a.base - b.base)
    small = min(a.size, b.size) <= 1.05 * SMALLER * size
    if not (a.upright and b.upright) or gap < (-0.6 if small else -0.3) * size or a.text.endswith(HYPHEN):
        return False
    if raised < 0.12 * size:
        return True
    if min(len(a.text), len(b.text)) == 1 and abs(gap) < 0.3 * size:
        return raised < size  # the sign of a root hangs from its top
    return raised < _RAISED_SHARE * size and gap < size and small


def merged(a: Line, b: Line) -> Line:
    """Two parts of one line as one."""
    main = a if (a.characters, a.size) >= (b.characters, b.size) else b
    gap = b.left - a.right
    space = "" if gap < _TOUCHING * main.size else " "
    offset = len(a.text) + len(space)
    marks = [*a.marks, *((start + offset, end + offset) for start, end in b.marks)]
    if _is_raised(b, a) and not b.marks:
        marks.append((offset, offset + len(b.text)))
    wide = gap > WIDE_GAP * main.size
    joint = () if wide else (_joined(a.cells[-1], b.cells[0], space),)
    return replace(
        main,
        text=a.text + space + b.text,
        characters=a.characters + b.characters,
        left=a.left,
        right=max(a.right, b.right),
        weight=min(a.weight, b.weight),
        bold_name=a.bold_name and b.bold_name,
        cells=(*a.cells, *b.cells) if wide else (*a.cells[:-1], *joint, *b.cells[1:]),
        marks=tuple(marks),
        label=a.label or (a.text if _is_raised(a, b) else ""),
    )


def _is_raised(part: Line, by: Line) -> bool:
    return (
        part.size < SMALLER * by.size and part.base > by.base and bool(re.fullmatch(r"\d{1,3}|[*†‡]{1,3}", part.text))
    )


def _joined(a: Cell, b: Cell, space: str) -> Cell:
    return Cell(a.left, max(a.right, b.right), a.text + space + b.text, a.characters + b.characters)
