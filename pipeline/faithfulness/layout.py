"""Where something stands in a Markdown text: in which sentence, or in which row and column of which table."""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-{3}")
_SENTENCE_END = re.compile(r"[.!?…][\"'»”’)\]*_]*\s+(?=[^\s])|\n")
_CUT = "[…]"  # as windows mark what they leave out
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|[0-9]{1,2}[.)])[ \t]")


@dataclass
class Table:
    """Rows of a table as spans of their cells. `headers` are the texts above each column."""

    headers: list[str]
    rows: list["Row"] = field(default_factory=list)


@dataclass(eq=False)
class Row:
    """One row below the header."""

    table: Table
    line: int
    start: int
    cells: list[tuple[int, int]]

    def column(self, place: int) -> int:
        """The column of the cell that the character at `place` is in."""
        return max(0, bisect_right([start for start, _ in self.cells], place) - 1)


class Layout:
    """The lines and tables of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(place + 1 for place, character in enumerate(text) if character == "\n")]
        self._rows = self._read_tables() if "|" in text else {}

    def line_at(self, place: int) -> int:
        """The number of the line that a character is in."""
        return bisect_right(self._starts, place) - 1

    def line(self, number: int) -> tuple[int, int]:
        """Where a line starts and ends."""
        following = self._starts[number + 1] - 1 if number + 1 < len(self._starts) else len(self.text)
        return self._starts[number], following

    def row_at(self, place: int) -> Row | None:
        """The row of a table that a character is in, if it is in one below its header."""
        return self._rows.get(self.line_at(place)) if self._rows else None

    def is_item(self, number: int) -> bool:
        """Whether a line is an item of a list."""
        return _ITEM.match(self.text, *self.line(number)) is not None

    def header_above(self, place: int) -> str:
        """What stands above the column that a character is in; nothing outside tables."""
        row = self.row_at(place)
        if row is None:
            return ""
        column = row.column(place)
        return row.table.headers[column] if column < len(row.table.headers) else ""

    def around(self, place: int) -> tuple[int, int]:
        """The sentence, or the row of a table, that a character is in."""
        if self.row_at(place) is not None:
            return self.line(self.line_at(place))
        ends = self._sentence_ends
        at = bisect_right(ends, place)
        return (ends[at - 1] if at else 0), (ends[at] if at < len(ends) else len(self.text))

    @cached_property
    def _sentence_ends(self) -> list[int]:
        return [match.end() for match in _SENTENCE_END.finditer(self.text)]

    def _read_tables(self) -> dict[int, Row]:
        rows: dict[int, Row] = {}
        table: Table | None = None
        for number in range(len(self._starts)):
            start, end = self.line(number)
            line = self.text[start:end]
            if not line.lstrip().startswith("|"):
                if line.strip() != _CUT:
                    table = None
                continue
            cells = self._cells(start, end)
            if table is None:
                table = Table([self.text[slice(*cell)] for cell in cells])
            elif _RULE.match(line):
                if table.rows:  # what stood above the rule names the columns
                    rows = {n: row for n, row in rows.items() if row.table is not table}
                    table = Table(table.headers)
            elif not table.rows and cells and not self.text[slice(*cells[0])].strip() and not re.search("[0-9]", line):
                below = [self.text[slice(*cell)] for cell in cells]
                table.headers = [f"{a} {b}" for a, b in zip(table.headers, below, strict=False)]
            else:
                rows[number] = Row(table, number, start, cells)
                table.rows.append(rows[number])
        return rows

    def _cells(self, start: int, end: int) -> list[tuple[int, int]]:
        bars = [match.start() for match in re.finditer(r"(?<!\\)\|", self.text[start:end])]
        edges = [start + bar for bar in bars] + ([] if self.text[start:end].rstrip().endswith("|") else [end])
        return [(left + 1, right) for left, right in zip(edges, edges[1:], strict=False)]
