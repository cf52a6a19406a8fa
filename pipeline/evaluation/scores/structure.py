"""Where the true section has a table or a list, does the written one have it too?

    true: table, list      written: list, list      1/2
    true: text only        anything                 does not apply

In Markdown, as `pipeline.reports.markdown` writes it and models do.
"""

import re
from collections.abc import Sequence

from pipeline.evaluation.scores.score import Judged, Part, Score

VERSION = 1
_RULE = re.compile(r":?-{3,}:?")
_ITEM = re.compile(r"[ \t]*(?:[-*+•·–]|\(?[0-9]{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivx]{1,5}[.)])[ \t]+\S")
_FEWEST_ITEMS = 2


def structure_kept() -> Score:
    """The mean over sections that should have a table or a list."""
    return Score(
        name="structure_kept",
        title="tables and lists that were written where they were due",
        better="higher",
        signature=f"structure_kept|version:{VERSION}|Markdown tables of a row at least, lists of {_FEWEST_ITEMS} items "
        "at least|mean of sections",
        of=_of,
    )


def structure_of(text: str) -> frozenset[str]:
    """Which of "table" and "list" a Markdown text has: a header, its rule and a row; two items in a row."""
    lines = text.splitlines()
    found = {"table"} if any(map(_is_table, lines, lines[1:], lines[2:])) else set()
    if _most_items(lines) >= _FEWEST_ITEMS:
        found.add("list")
    return frozenset(found)


def _is_table(header: str, rule: str, row: str) -> bool:
    if not ("|" in header and "|" in rule and "|" in row):
        return False
    return all(_RULE.fullmatch(cell.strip()) for cell in rule.strip().strip("|").split("|"))


def _most_items(lines: Sequence[str]) -> int:
    """Items of the longest list. An empty line does not end a list, nor one that hangs under its item."""
    most = items = 0
    for line in lines:
        if _ITEM.match(line):
            items += 1
            most = max(most, items)
        elif line.strip() and not line.startswith("  "):
            items = 0
    return most


def _of(judged: Judged) -> Part | None:
    due = structure_of(judged.example.target)
    return (len(due & structure_of(judged.text)) / len(due), 1.0) if due else None
