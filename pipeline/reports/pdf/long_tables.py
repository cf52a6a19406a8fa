"""Tables over several pages: the header that comes again is left out, a row that a page's end cut is made whole."""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.reports.blocks import visible
from pipeline.reports.pdf.lines import Line, Table

SAME_PLACE_POINTS = 3  # how far apart columns may begin or end on two pages
_Texts = tuple[tuple[str, ...], ...]


def joined_tables(lines: Sequence[Line]) -> tuple[list[Line], int]:
    """The lines with tables that go on on the next page as one, and how many characters repeated headers hold."""
    result: list[Line] = []
    repeated = 0
    for line in lines:
        last = result[-1] if result else None
        if last is None or last.table is None or line.table is None or not _are_one(last, line):
            result.append(line)
            continue
        above, below = last.table.rows, line.table.rows
        again = _rows_again(above, below)
        header = sum(visible(text) for row in below[:again] for text in row)
        rows = _with_broken_row(above, below[again:])
        repeated += header
        characters = last.characters + line.characters - header
        result[-1] = replace(last, table=Table(rows, last.table.columns), page=line.page, characters=characters)
    return result, repeated


def repeats_header(last: Line | None, line: Line) -> bool:
    """Whether a table begins with the header of the one before it."""
    return bool(last and last.table and line.table and _rows_again(last.table.rows, line.table.rows))


def _are_one(last: Line, line: Line) -> bool:
    """Do two tables, one right after the other, have the same columns on different pages?"""
    if last.table is None or line.table is None or last.page == line.page:
        return False
    a, b = last.table.columns, line.table.columns
    return len(a) == len(b) and all(
        abs(x[0] - y[0]) < SAME_PLACE_POINTS or abs(x[1] - y[1]) < SAME_PLACE_POINTS for x, y in zip(a, b, strict=True)
    )


def _rows_again(above: _Texts, below: _Texts) -> int:
    """How many rows of the header come again on the next page."""
    again = 0
    while again < min(len(above), len(below)) and above[again] == below[again]:
        again += 1
    return again


def _with_broken_row(above: _Texts, below: _Texts) -> _Texts:
    """Rows of two pages; one that the page's end cut in two is whole again.

    Its second half has one cell, or no first cell and none that begins with a capital.
    """
    last, first = above[-1], below[0] if below else ()
    filled = [text for text in first if text]
    goes_on = len(filled) == 1 or (filled and not first[0] and not any(text[0].isupper() for text in filled))
    if not goes_on or any(text and not start for text, start in zip(first, last, strict=True)):
        return above + below
    whole = tuple(f"{start} {text}".strip() for start, text in zip(last, first, strict=True))
    return (*above[:-1], whole, *below[1:])
