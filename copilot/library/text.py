"""Markdown as a person types it, cut into the blocks that windows are made of; and comparing edits."""

import re
from collections.abc import Iterator
from itertools import groupby

from pipeline.records import Block

_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,9}[.)]|[a-zA-Z][.)])[ \t]+\S")


def words(text: str) -> int:
    """How many words a person would count: runs that hold a letter or a digit."""
    return sum(any(c.isalnum() for c in word) for word in text.split())


def storable(text: str) -> str:
    """`text` with half characters, which no file or database can hold, replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def blocks_of(text: str) -> tuple[Block, ...]:
    """Paragraphs, list items and tables of a Markdown text, as `records.Section` wants them.

    Blocks part at empty lines; a list item also begins at its mark and takes the indented lines beneath it, a
    table is a run of lines that begin with a bar. Cutting what `Section.text` joins gives the same blocks.
    """
    blocks: list[Block] = []
    for has_text, lines in groupby(text.splitlines(), key=lambda line: bool(line.strip())):
        if has_text:
            blocks += _blocks_in([line.rstrip() for line in lines])
    return tuple(blocks)


def _blocks_in(lines: list[str]) -> Iterator[Block]:
    start = 0
    while start < len(lines):
        end, kind = start + 1, "paragraph"
        if _is_row(lines[start]):
            kind = "table"
            while end < len(lines) and _is_row(lines[end]):
                end += 1
        elif _ITEM.match(lines[start]):
            kind = "list_item"
            while end < len(lines) and _continues(lines[end]):
                end += 1
        else:
            while end < len(lines) and not _is_row(lines[end]) and not _ITEM.match(lines[end]):
                end += 1
        block = "\n".join(lines[start:end])
        yield Block.model_validate({"kind": kind, "text": block if kind == "list_item" else block.strip()})
        start = end


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def _continues(line: str) -> bool:
    return line[0] in " \t" and not _ITEM.match(line) and not _is_row(line)


def inserts_only(before: str, after: str) -> bool:
    """Is `after` what `before` becomes by putting text in at one place? Then nothing of it was lost."""
    if len(after) < len(before):
        return False
    same = 0
    while same < len(before) and before[same] == after[same]:
        same += 1
    return after.endswith(before[same:])


def merge_lines(base: str, mine: str, now: str) -> str:
    """The lines of `mine`, and those that somebody else added to `base` since (they are in `now`).

    A line goes away only if the one who saw it took it out. Empty lines are not kept.
    """
    seen, kept = set(_lines(base)), _lines(mine)
    added = [line for line in _lines(now) if line not in seen and line not in kept]
    return "\n".join(kept + added)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
