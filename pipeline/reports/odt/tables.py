"""Rows and cells of a table of OpenDocument: groups of rows, rows and cells written once for many, covered cells."""

from collections.abc import Iterator
from typing import NamedTuple

from pipeline.reports.archive import Element
from pipeline.reports.odt.names import H, P, q, whole

MOST_REPEATS = 63  # a sheet repeats its last, empty row a million times
_ROW, _CELL, _COVERED = q("table:table-row"), q("table:table-cell"), q("table:covered-table-cell")
_GROUPS = frozenset(map(q, ("table:table-header-rows", "table:table-rows", "table:table-row-group")))


class Part(NamedTuple):
    """A row or a cell, how often it stands there, and whether it is not seen."""

    element: Element
    times: int
    unseen: bool


def rows_of(table: Element) -> Iterator[Part]:
    """Its rows in their order, header rows first as they stand."""
    for child in table:
        if child.tag == _ROW:
            times = _times(child, "table:number-rows-repeated")
            yield Part(child, times, child.get(q("table:visibility")) in ("collapse", "filter"))
        elif child.tag in _GROUPS:
            yield from rows_of(child)
        elif _says(child):  # in a file that somebody has mended
            yield Part(child, 1, False)


def cells_of(row: Element) -> list[Part]:
    """The row's cells, also those that a merged cell covers; empty cells at the end of a sheet's row are none."""
    if row.tag != _ROW:
        return [Part(row, 1, False)]
    cells = [
        Part(child, _times(child, "table:number-columns-repeated"), child.tag == _COVERED)
        for child in row
        if child.tag in (_CELL, _COVERED) or _says(child)
    ]
    while cells and cells[-1].element.get(q("table:number-columns-repeated")) and not len(cells[-1].element):
        cells.pop()
    return cells


def _says(element: Element) -> bool:
    return next(element.iter(P, H), None) is not None


def _times(element: Element, attribute: str) -> int:
    return max(1, min(whole(element.get(q(attribute)), 1), MOST_REPEATS))
