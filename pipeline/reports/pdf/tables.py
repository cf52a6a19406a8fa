"""Tables: rows whose cells stand below each other, at least three of them. What is less sure stays lines.

A cell of several lines is written before the next cell of its row, so that the file goes up again:

    Association of      |                 base 446  --+
    Midwives            |                 base 434    | one row
                        | Home visits     base 446  --+
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pipeline.reports.blocks import tidy
from pipeline.reports.pdf.hyphens import Words, joined
from pipeline.reports.pdf.lines import Line, Table
from pipeline.reports.pdf.long_tables import SAME_PLACE_POINTS, repeats_header

FEWEST_ROWS = 3
LONGEST_CELL_CHARACTERS = 400
LONGEST_USUAL_CHARACTERS = 90  # of a cell, on average
LARGEST_ROW_GAP = 3.5  # of the size, between rows
LARGEST_UNEVENNESS = 2.2  # of the smallest distance between rows
LARGEST_UNEVENNESS_BOLD = 1.3
CELL_LEADING = 1.6  # of the size, between lines of a cell
MOST_LINES_OF_CELL = 12
_LABEL = re.compile(r"[^\w\s]|\(?\w{1,3}[.)]|\d{1,2}(?:\.\d{1,2})*\.?")


@dataclass
class _Cell:
    left: float
    right: float
    low: float
    lines: list[str]
    characters: int


@dataclass
class _Row:
    top: float
    low: float
    cells: list[_Cell]
    taken: int  # lines that it is made of
    is_bold: bool


@dataclass
class _Table:
    columns: list[tuple[float, float]] = field(default_factory=list)
    rows: list[_Row] = field(default_factory=list)


def with_tables(lines: Sequence[Line], words: Words, above: Line | None, below: Line | None) -> tuple[list[Line], int]:
    """The lines of a column in reading order, each table as one of them, and how many hyphens that dropped.

    `above` and `below` are the lines before and after: fewer rows are a table too, if the header of a table above
    comes again in them, or theirs below.
    """
    result: list[Line] = []
    index = dropped = 0
    while index < len(lines):
        before = result[-1] if result else above
        table = _table_at(lines, index, before)
        taken = sum(row.taken for row in table.rows)
        line, hyphens = _as_line(table, lines[index : index + taken], words) if taken else (lines[index], 0)
        comes_again = below is not None and index + taken == len(lines) and lines[index].text == below.text
        if _is_sure(table) or (table.rows and (comes_again or repeats_header(before, line))):
            result.append(line)
            dropped += hyphens
            index += taken
        else:
            result.append(lines[index])
            index += 1
    return result, dropped


def _table_at(lines: Sequence[Line], index: int, above: Line | None) -> _Table:
    table = _Table()
    goes_on = False
    if index == 0 and above is not None and above.table is not None:
        goes_on = abs(lines[0].left - above.table.columns[0][0]) < SAME_PLACE_POINTS
        table.columns = list(above.table.columns) if goes_on else []  # a header may not fill its columns
    while index < len(lines):
        row = _row_at(lines, index)
        if row is None and goes_on and table.rows and not any(len(row.cells) == 1 for row in table.rows):
            row = _half_row_at(lines, index, table.columns)
        if row is None or (table.rows and not _is_next(table, row, lines[index].size)):
            break
        columns = _columns(table.columns, row)
        if columns is None:
            break
        table.columns = columns
        table.rows.append(row)
        index += row.taken
    return table


def _half_row_at(lines: Sequence[Line], start: int, columns: Sequence[tuple[float, float]]) -> _Row | None:
    """The end of a cell that the page before could not hold; None if no such lines begin here."""
    first = lines[start]
    if len(first.cells) != 1 or not any(abs(first.left - left) < SAME_PLACE_POINTS for left, _ in columns):
        return None
    row = _Row(first.base, first.base, _cells(first), 1, first.bold_name)
    for index in range(start + 1, min(len(lines), start + MOST_LINES_OF_CELL)):
        line = lines[index]
        if not _goes_on(row.cells[0], line) or _row_at(lines, index) is not None:
            break
        _extend(row.cells[0], line)
        row.taken, row.low = row.taken + 1, line.base
    return row


def _extend(cell: _Cell, line: Line) -> None:
    cell.lines.append(line.text)
    cell.characters += line.characters
    cell.low, cell.right = line.base, max(cell.right, line.right)


def _row_at(lines: Sequence[Line], start: int) -> _Row | None:
    """The row that begins at a line; None if none does."""
    first = lines[start]
    if first.notes or first.label or not _is_plain(first, first):
        return None
    row = _Row(first.base, first.base, _cells(first), 1, first.bold_name)
    cell_starts = start
    for index in range(start + 1, len(lines)):
        line, last = lines[index], row.cells[-1]
        if not _is_plain(line, first) or line.notes:
            break
        if line.left > last.left + line.size and line.base >= last.low - 1 and _is_beside(line, row):
            row.cells += _cells(line)
            cell_starts = index
        elif (
            _goes_on(last, line)
            and index - cell_starts <= MOST_LINES_OF_CELL
            and (len(row.cells) > 1 or _comes_back(lines, index, row))
        ):
            _extend(last, line)
        else:
            break
        row.taken, row.low = index - start + 1, min(row.low, line.base)
    return row if len(row.cells) > 1 else None


def _is_plain(line: Line, first: Line) -> bool:
    return line.upright and line.table is None and line.page == first.page


def _is_beside(line: Line, row: _Row) -> bool:
    return abs(line.base - row.top) < 1.1 * line.size


def _cells(line: Line) -> list[_Cell]:
    return [_Cell(cell.left, cell.right, line.base, [cell.text], cell.characters) for cell in line.cells]


def _goes_on(cell: _Cell, line: Line) -> bool:
    """Is a line one more of a cell?"""
    return (
        len(line.cells) == 1
        and 0 < cell.low - line.base < CELL_LEADING * line.size
        and (abs(cell.left - line.left) < 2 or abs(cell.right - line.right) < 2)
    )


def _comes_back(lines: Sequence[Line], index: int, row: _Row) -> bool:
    """Does the file go up again to the row's height, after more lines of its first cell?"""
    cell = row.cells[-1]
    for line in lines[index : index + MOST_LINES_OF_CELL]:
        if line.page != lines[index].page:
            return False
        if line.left > cell.left + line.size and _is_beside(line, row):
            return True
        if abs(line.left - cell.left) >= 2 or line.base >= row.top:
            return False
    return False


def _is_next(table: _Table, row: _Row, size: float) -> bool:
    """Does a row follow those of a table at their distance? One that is bold alone may be a heading after it."""
    above = table.rows[-1]
    gap = above.low - row.top
    if not 0 < gap < LARGEST_ROW_GAP * size:
        return False
    usual = min((a.low - b.top for a, b in zip(table.rows, table.rows[1:], strict=False)), default=gap)
    apart = LARGEST_UNEVENNESS_BOLD if row.is_bold and not above.is_bold else LARGEST_UNEVENNESS
    return gap <= max(apart * usual, 1.2 * size)


def _columns(columns: Sequence[tuple[float, float]], row: _Row) -> list[tuple[float, float]] | None:
    """The columns with a row's cells in them; None if a cell lies in two columns, or two cells in one."""
    widened = list(columns)
    used: set[int] = set()
    for cell in row.cells:
        under = [place for place, (left, right) in enumerate(widened) if cell.left < right and left < cell.right]
        if len(under) > 1 or (under and under[0] in used):
            return None
        if under:
            left, right = widened[under[0]]
            widened[under[0]] = (min(left, cell.left), max(right, cell.right))
            used.add(under[0])
        else:
            widened.append((cell.left, cell.right))
            used.add(len(widened) - 1)
    return widened


def _is_sure(table: _Table) -> bool:
    if len(table.rows) < FEWEST_ROWS or len(table.columns) < 2:
        return False
    cells = [cell for row in table.rows for cell in row.cells]
    lengths = [sum(map(len, cell.lines)) for cell in cells]
    if max(lengths) > LONGEST_CELL_CHARACTERS or sum(lengths) > LONGEST_USUAL_CHARACTERS * len(cells):
        return False
    if any(a[0] < b[1] and b[0] < a[1] for a in table.columns for b in table.columns if a is not b):
        return False
    labels = sum(_LABEL.fullmatch(row.cells[0].lines[0]) is not None for row in table.rows)
    return len(table.columns) > 2 or labels < len(table.rows) - 1  # else a list with its labels


def _as_line(table: _Table, lines: Sequence[Line], words: Words) -> tuple[Line, int]:
    columns = sorted(table.columns)
    rows, dropped = [], 0
    for row in table.rows:
        texts = [""] * len(columns)
        for cell in row.cells:
            at = next(place for place, (left, right) in enumerate(columns) if left <= cell.left and cell.right <= right)
            text, hyphens = joined(_unsplit(cell.lines, words), words)
            texts[at] = tidy(text)
            dropped += hyphens
        rows.append(tuple(texts))
    line = replace(
        lines[0],
        text="",
        characters=sum(line.characters for line in lines) - dropped,
        base=min(row.low for row in table.rows),
        table=Table(tuple(rows), tuple(columns)),
        cells=(),
    )
    return line, dropped


def _unsplit(lines: Sequence[str], words: Words) -> list[str]:
    """The lines of a cell, those that end in the middle of a word joined with the next."""
    result = [lines[0]]
    for line in lines[1:]:
        before, after = result[-1].rpartition(" ")[2], line.partition(" ")[0]
        if words.is_split(before, after.rstrip(".,;:)")):
            result[-1] += line
        else:
            result.append(line)
    return result
