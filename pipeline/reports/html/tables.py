"""Rows and cells of a table of HTML, each cell in the columns in which a browser shows it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from bs4.element import NavigableString, PageElement, Tag

from pipeline.reports.html.lists import whole

_WIDEST_SPAN, _TALLEST_SPAN = 63, 5_000
_GROUPS = ("thead", "tbody", "tfoot")


@dataclass
class Parts:
    """What a table's tags hold: rows in the order in which they show, captions, and what has no cell."""

    rows: list[Tag] = field(default_factory=list)
    captions: list[Tag] = field(default_factory=list)
    strays: list[PageElement] = field(default_factory=list)


def parts_of(table: Tag) -> Parts:
    """The parts of a table. Its head shows first and its foot last, wherever they stand."""
    parts = Parts()
    rows: dict[str, list[Tag]] = {group: [] for group in _GROUPS}
    _collect(table, "tbody", parts, rows)
    parts.rows = [row for group in _GROUPS for row in rows[group]]
    return parts


def _collect(tag: Tag, group: str, parts: Parts, rows: dict[str, list[Tag]]) -> None:
    for child in tag.children:
        if not isinstance(child, Tag):
            parts.strays += [child] if _says(child) else []
        elif child.name in _GROUPS:
            _collect(child, child.name, parts, rows)
        elif child.name == "tr":
            rows[group].append(child)
            parts.strays += [part for part in child.children if not _is_cell(part) and _says(part)]
        elif child.name == "caption":
            parts.captions.append(child)
        elif _says(child):
            parts.strays.append(child)


def _is_cell(part: PageElement) -> bool:
    return isinstance(part, Tag) and part.name in ("td", "th")


def _says(part: PageElement) -> bool:
    return isinstance(part, Tag | NavigableString) and bool(part.get_text().strip())


def cells_of(row: Tag) -> list[Tag]:
    """The cells of a row."""
    return row.find_all(["td", "th"], recursive=False)


class Grid:
    """Places cells in columns: those above may reach down into a row."""

    def __init__(self) -> None:
        self._below: dict[int, int] = {}  # rows that a cell still reaches down, by column

    def placed(self, row: Tag) -> Iterator[Tag | None]:
        """The cells of the next row, one a column; None where there is none, or where another one reaches."""
        column = 0
        reaching = {column: rows for column, rows in self._below.items() if rows}
        self._below = {column: rows - 1 for column, rows in reaching.items()}
        for cell in cells_of(row):
            while column in reaching:
                yield None
                column += 1
            wide, tall = _span(cell, "colspan", _WIDEST_SPAN), _span(cell, "rowspan", _TALLEST_SPAN)
            for place in range(column, column + wide):
                self._below[place] = tall - 1
            yield cell
            yield from [None] * (wide - 1)
            column += wide
        while column in reaching:
            yield None
            column += 1


def _span(cell: Tag, attribute: str, most: int) -> int:
    span = whole(cell.get(attribute))
    if span == 0 and attribute == "rowspan":  # down to the last row
        return most
    return max(1, min(span or 1, most))
