"""The order in which a page is read: columns one after the other, each from top to bottom.

A file's own order is mostly right and is kept but where it contradicts the page:

    left 1 | right 1      written across the gutter: known by pieces that are prose on both sides
    left 2 | right 2      -> left 1, left 2, right 1, right 2
    -----title 2----      a line that crosses the gutter parts the page into bands

and where a block (a text box, a caption) is written after what stands below it.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from statistics import median
from typing import NamedTuple

from pipeline.reports.pdf.lines import Cell, Line, left_edge, of_cells, right_edge

FEWEST_ROWS = 5  # of text beside text: what is less may be a table or an address
LARGEST_CROSSING_SHARE = 0.45  # of a page's lines, that may cross a gutter
LEAST_FILLED = 0.7  # of a column's width, by the usual piece of prose
SHORTEST_PROSE_CHARACTERS = 16  # by the usual piece
LEAST_RUNNING_ON = 0.3  # of the pieces of prose, that begin with a small letter
NARROWEST_SHARE = 0.18  # of the page's text, that a column must be wide
FEWEST_FOR_EDGES = 8
FEW = 0.1  # of a page's lines
ALIGNED_POINTS = 3
MOST_CANDIDATES = 40  # places where lines begin that may be a column's edge
TABULAR_SHARE = 0.4  # of the lines of a side


def in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """The lines of one page, with the bounds of the columns that they stand in."""
    straight = [line for line in lines if line.upright]
    turned = [line for line in lines if not line.upright]
    return [*_arranged(straight), *turned]


def _arranged(lines: Sequence[Line]) -> list[Line]:
    if len(lines) < 2:
        return list(lines)
    gutter = _gutter(lines) if len(lines) >= FEWEST_ROWS else None
    if gutter is None:
        return _bounded(_from_top(lines))
    across = [line for line in lines if line.left < gutter < line.right and not _halves(line, gutter)]
    across.sort(key=lambda line: -line.base)
    depths = [-line.base for line in across]
    bands: list[tuple[list[Line], list[Line]]] = [([], []) for _ in range(len(across) + 1)]
    for line in lines:
        left, right = bands[bisect_left(depths, -line.base)]
        if line.right <= gutter:
            left.append(line)
        elif line.left >= gutter:
            right.append(line)
        elif halves := _halves(line, gutter):
            left.append(of_cells(line, halves[0]))
            right.append(of_cells(line, halves[1]))
    ordered: list[Line] = []
    for band, line in zip_longest(bands, across):
        ordered += [*_arranged(band[0]), *_arranged(band[1])]
        ordered += [line] if line is not None else []
    return ordered


def _bounded(lines: list[Line]) -> list[Line]:
    if len(lines) < FEWEST_FOR_EDGES:
        return lines
    column = (left_edge(lines), right_edge(lines))
    return [replace(line, column=column) for line in lines]


def _halves(line: Line, gutter: float) -> tuple[Sequence[Cell], Sequence[Cell]] | None:
    """A line's cells on both sides of the gutter; None if one of them crosses it."""
    left = [cell for cell in line.cells if cell.right <= gutter]
    right = [cell for cell in line.cells if cell.left >= gutter]
    return (left, right) if left and right and len(left) + len(right) == len(line.cells) else None


def _gutter(lines: Sequence[Line]) -> float | None:
    """The middle of the white gap between two columns of prose; None if there is one column, or a table."""
    pieces = [cell for line in lines for cell in line.cells]
    start, end = left_edge(lines), max(line.right for line in lines)
    width = end - start
    if width <= 0:
        return None
    begins = Counter(round(cell.left / ALIGNED_POINTS) for cell in pieces)
    best: tuple[int, float] | None = None
    for place, count in begins.most_common(MOST_CANDIDATES):
        gutter = (place - 0.5) * ALIGNED_POINTS - 0.5
        inside = NARROWEST_SHARE * width < gutter - start < (1 - NARROWEST_SHARE) * width
        if count < FEWEST_ROWS // 2 or not inside:
            continue
        crossing = sum(cell.left < gutter < cell.right for cell in pieces)
        if best is None or crossing < best[0]:
            best = crossing, gutter
    if best is None or best[0] > LARGEST_CROSSING_SHARE * len(pieces):
        return None
    return best[1] if _are_columns(lines, best[1]) else None


def _are_columns(lines: Sequence[Line], gutter: float) -> bool:
    """Do lines beside each other on both sides of a gutter belong to columns, and not to the rows of a table?

    Sure if the file writes one side after the other, all of it; else both must be running text. A table whose cells
    are text is written row by row: back to the left before a line crosses.
    """
    left: list[Line] = []
    right: list[Line] = []
    went_back, halved, crossing, on_the_right = 0, 0, 0, False  # on the right alone
    for line in lines:
        halves = _halves(line, gutter)
        if line.right <= gutter or halves:
            left.append(of_cells(line, halves[0]) if halves else line)
            went_back += on_the_right
        if line.left >= gutter or halves:
            right.append(of_cells(line, halves[1]) if halves else line)
        halved += bool(halves)
        crossing += line.left < gutter < line.right and not halves
        on_the_right = line.left >= gutter
    if went_back > 1 or _beside(left, right) < FEWEST_ROWS:
        return False
    if halved <= FEW * len(lines) and crossing <= FEW * len(lines):
        return True
    return all(_runs_on(side) and not _is_tabular(side) for side in (left, right))


def _beside(left: Sequence[Line], right: Sequence[Line]) -> int:
    """How many lines of the shorter side stand at heights that the other side spans."""
    if not left or not right:
        return 0
    top = min(max(line.base for line in side) for side in (left, right))
    low = max(min(line.base for line in side) for side in (left, right))
    return min(sum(low - 1 <= line.base <= top + 1 for line in side) for side in (left, right))


def _runs_on(lines: Sequence[Line]) -> bool:
    start = min(line.left for line in lines)
    width = right_edge(lines) - start
    filled = median((line.right - start) / width for line in lines) if width > 0 else 0.0
    small = sum(line.text[:1].islower() for line in lines)
    long = median(len(line.text) for line in lines) >= SHORTEST_PROSE_CHARACTERS
    return long and filled >= LEAST_FILLED and small >= LEAST_RUNNING_ON * len(lines)


def _is_tabular(lines: Sequence[Line]) -> bool:
    """Do the parts of many lines begin below each other? Those of justified text begin anywhere."""
    begins = Counter(round(cell.left / ALIGNED_POINTS) for line in lines for cell in line.cells[1:])
    aligned = sum(any(begins[round(cell.left / ALIGNED_POINTS)] > 2 for cell in line.cells[1:]) for line in lines)
    return aligned > TABULAR_SHARE * len(lines)


def _from_top(lines: Sequence[Line]) -> list[Line]:
    """The file's order, but a block that stands above one it overlaps comes before it."""
    if all(a.base >= b.base for a, b in zip(lines, lines[1:], strict=False)):
        return list(lines)
    blocks: list[list[Line]] = []
    for line in lines:
        if blocks and _follows(blocks[-1][-1], line):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    placed: list[_Block] = []
    for block in map(_block, blocks):
        above = (place for place, other in enumerate(placed) if _is_above(block, other))
        placed.insert(next(above, len(placed)), block)
    return [line for block in placed for line in block.lines]


def _follows(a: Line, b: Line) -> bool:
    """Does `b` go on below `a`, with nothing but white between them?"""
    return 0 <= a.base - b.base < 3 * max(a.size, b.size) and a.left < b.right and b.left < a.right


class _Block(NamedTuple):
    lines: Sequence[Line]
    left: float
    right: float
    top: float
    low: float


def _block(lines: Sequence[Line]) -> _Block:
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    return _Block(lines, left, right, lines[0].base, lines[-1].base)


def _is_above(block: _Block, other: _Block) -> bool:
    overlap = min(block.right, other.right) - max(block.left, other.left)
    return block.low >= other.top - 1 and block.low > other.low and overlap > 0
