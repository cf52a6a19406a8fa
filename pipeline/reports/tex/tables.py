"""Rows and cells of a table of LaTeX: what stands between & and \\\\, without rules and repeated heads."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pylatexenc import latexwalker

from pipeline.reports.tex.source import Node, arguments_of, inside, leaves

_RULES = frozenset(
    ("hline", "toprule", "midrule", "bottomrule", "cline", "specialrule", "addlinespace", "rowcolor", "label")
)
_WIDEST_SPAN = 63


class Cell(NamedTuple):
    """A cell and how many columns it spans."""

    nodes: list[Node]
    span: int


Row = list[Cell]


@dataclass
class Table:
    """A table's rows; `repeated` are heads and feet that are printed again where it goes on on another page."""

    rows: list[Row] = field(default_factory=list)
    repeated: list[Row] = field(default_factory=list)
    captions: list[Node] = field(default_factory=list)
    rules: list[Node] = field(default_factory=list)


def rows_of(nodes: Sequence[Node]) -> Table:
    """The table that an environment's nodes make up."""
    table = Table()
    heads: dict[str, list[Row]] = {}
    row: Row = []
    cell: list[Node] = []
    place = 0
    while place < len(nodes):
        node = nodes[place]
        name = node.macroname if node.isNodeType(latexwalker.LatexMacroNode) else ""
        place += 1
        if node.isNodeType(latexwalker.LatexSpecialsNode) and node.specials_chars == "&":
            row.append(_cell(cell))
            cell = []
        elif name in ("\\", "tabularnewline"):
            table.rules.append(node)  # for the space that it may ask for
            table.rows.append([*row, _cell(cell)])
            row, cell = [], []
        elif name == "cmidrule":
            length = _rule_length(nodes[place:])
            table.rules += nodes[place : place + length]
            place += length
        elif name in ("endfirsthead", "endhead", "endfoot", "endlastfoot"):
            heads[name], table.rows = table.rows, []
        elif name == "caption":
            table.captions.append(node)
        elif name in _RULES:
            table.rules.append(node)
        else:
            cell.append(node)
    if row or cell:
        table.rows.append([*row, _cell(cell)])
    _put_together(table, heads)
    return table


def _put_together(table: Table, heads: dict[str, list[Row]]) -> None:
    """The first page's head comes first and the last page's foot last; all others are repeated."""
    head, foot = heads.pop("endfirsthead", None), heads.pop("endlastfoot", None)
    head = head if head is not None else heads.pop("endhead", [])
    foot = foot if foot is not None else heads.pop("endfoot", [])
    table.rows = [*head, *table.rows, *foot]
    table.repeated = [row for rows in heads.values() for row in rows]


def _cell(nodes: list[Node]) -> Cell:
    for node in nodes:
        if node.isNodeType(latexwalker.LatexMacroNode) and node.macroname == "multicolumn":
            count = "".join(leaves(inside(next(iter(arguments_of(node)), None)))).strip()
            return Cell(nodes, max(1, min(int(count), _WIDEST_SPAN)) if count.isdecimal() else 1)
    return Cell(nodes, 1)


def _rule_length(following: Sequence[Node]) -> int:
    """How many nodes a rule's arguments take: perhaps how it is trimmed, "(lr)", then the columns, in braces."""
    for place, node in enumerate(following[:2]):
        if node.isNodeType(latexwalker.LatexGroupNode):
            return place + 1
    return 0
