"""Figures that a text does not write but that its figures add up to.

A series is a run of figures of one kind and unit that stand beside each other: down a column of a table, along a row,
over the items of a list (one figure of the kind in each), or within a sentence. Nothing else is ever added.

    sum          of all of a series; of amounts also of any 2 to 12 neighbours, but not along a row
    difference   of two neighbours in a row; of amounts in any series
    share        that one of two neighbours in a row is of the other, as a percentage

Sums of neighbours among plain numbers are not tried: a window holds so many that most small numbers would be one.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from pipeline.faithfulness.figures import UNKNOWN_CURRENCY, Figure, FigureKind
from pipeline.faithfulness.layout import Layout
from pipeline.faithfulness.words import WORD, bare

Shape = Literal["column", "row", "list", "sentence"]
_TOTAL = ("total", "totals", "totales", "suma", "sum", "subtotal")
_MOST_ADDED = 12
_LONGEST = 60  # figures of a series: what is longer is data, and nobody adds it up by heart


class Series(NamedTuple):
    """Figures of one kind and unit, in order. `total` is what a row named so says of a column."""

    shape: Shape
    figures: tuple[Figure, ...]
    total: Figure | None = None


class Derived(NamedTuple):
    """A figure that others make: what `Figure` says, and where these stand."""

    how: Literal["sum", "difference", "share"]
    kind: FigureKind
    value: Decimal
    unit: str | None
    step: Decimal
    start: int
    end: int
    near: frozenset[str]


def series_of(text: str, figures: Sequence[Figure], layout: Layout) -> list[Series]:
    """All series of a text."""
    in_digits = [figure for figure in figures if not figure.written.isalpha()]
    found = [*_in_tables(text, in_digits, layout), *_in_prose(in_digits, layout)]
    return [series for series in found if 2 <= len(series.figures) <= _LONGEST]


def _in_tables(text: str, figures: Sequence[Figure], layout: Layout) -> Iterator[Series]:
    rows: dict[int, list[Figure]] = defaultdict(list)
    for figure in figures:
        if layout.row_at(figure.start) is not None:
            rows[layout.line_at(figure.start)].append(figure)
    columns: dict[tuple[int, int, str, str | None], list[Figure]] = {}
    last: dict[tuple[int, int, str, str | None], int] = {}
    for line in sorted(rows):
        row = layout.row_at(rows[line][0].start)
        assert row is not None
        yield from (Series("row", run) for run in _alike(rows[line]))
        is_total = (
            any(bare(word) in _TOTAL for word in WORD.findall(text[slice(*row.cells[0])])) if row.cells else False
        )
        counts: dict[int, int] = defaultdict(int)
        for figure in rows[line]:
            counts[row.column(figure.start)] += 1
        for figure in rows[line]:
            column = row.column(figure.start)
            if counts[column] > 1:
                continue
            key = (id(row.table), column, figure.kind, figure.unit)
            before = last.get(key)
            if before and (before != line - 1 or is_total):
                yield Series("column", tuple(columns.pop(key, ())), figure if is_total else None)
                last.pop(key)
            if not is_total:
                columns.setdefault(key, []).append(figure)
                last[key] = line
    yield from (Series("column", tuple(column)) for column in columns.values())


def _in_prose(figures: Sequence[Figure], layout: Layout) -> Iterator[Series]:
    sentences: dict[tuple[int, int], list[Figure]] = defaultdict(list)
    lines: dict[int, list[Figure]] = defaultdict(list)
    for figure in figures:
        if layout.row_at(figure.start) is None:
            sentences[layout.around(figure.start)].append(figure)
            lines[layout.line_at(figure.start)].append(figure)
    for sentence in sentences.values():
        yield from (Series("sentence", run) for run in _alike(sentence))
    for kind in ("amount", "number"):
        run: list[Figure] = []
        before = -2
        for line, members in sorted(lines.items()):
            alone = [figure for figure in members if figure.kind == kind]
            fits = len(alone) == 1 and layout.is_item(line)
            if run and (not fits or line != before + 1 or not _same(run[-1], alone[0])):
                yield Series("list", tuple(run))
                run = []
            if fits:
                run.append(alone[0])
                before = line
        yield Series("list", tuple(run))


def _alike(figures: Sequence[Figure]) -> list[tuple[Figure, ...]]:
    """Figures of one row or sentence, parted by kind and unit, each in order."""
    parted: dict[tuple[str, str | None], list[Figure]] = defaultdict(list)
    for figure in figures:
        parted[figure.kind, figure.unit].append(figure)
    return [tuple(group) for group in parted.values()]


def _same(one: Figure, other: Figure) -> bool:
    return one.kind == other.kind and one.unit == other.unit


def derived_of(series: Sequence[Series]) -> Iterator[Derived]:
    """The sums and differences that are tried."""
    for one in series:
        figures = one.figures
        if figures[0].kind == "percentage" and one.shape != "column":
            continue
        for first, end in _runs(one):
            yield _derived("sum", figures[first:end], sum((f.value for f in figures[first:end]), Decimal(0)))
        if figures[0].kind == "amount" or (figures[0].kind == "number" and one.shape == "row"):
            for left, right in zip(figures, figures[1:], strict=False):
                if left.value != right.value:
                    yield _derived("difference", (left, right), abs(left.value - right.value))
                if one.shape == "row" and left.value and right.value:
                    for part, whole in ((right, left), (left, right)):
                        share = _derived("share", (left, right), 100 * part.value / whole.value)
                        yield share._replace(kind="percentage", unit=None, step=Decimal("0.001"))


def _runs(series: Series) -> Iterator[tuple[int, int]]:
    count = len(series.figures)
    yield 0, count
    if series.figures[0].kind == "amount" and series.shape != "row":
        for first in range(count):
            for end in range(first + 2, min(first + _MOST_ADDED, count) + 1):
                if end - first < count:
                    yield first, end


def _derived(how: Literal["sum", "difference", "share"], figures: Sequence[Figure], value: Decimal) -> Derived:
    units = {figure.unit for figure in figures} - {UNKNOWN_CURRENCY}
    return Derived(
        how=how,
        kind=figures[0].kind,
        value=value,
        unit=units.pop() if units else figures[0].unit,
        step=min(figure.step for figure in figures),
        start=figures[0].start,
        end=figures[-1].end,
        near=frozenset().union(*(figure.near for figure in figures)),
    )
