"""The outline of a report to be written: headings with levels, from a past report or typed in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.errors import UserError
from pipeline.records import Report

_NUMBER = re.compile(r"(\d+(?:\.\d+)*)\.?[)]?\s+(?=\S)")
_MARK = re.compile(r"(#+|[-*•])\s+")
MOST_LEVELS = 9  # Word's own heading styles end here


@dataclass(frozen=True)
class Heading:
    """One heading; `level` counts from 1."""

    level: int
    heading: str
    number: str | None = None

    @property
    def title(self) -> str:
        """Heading with its number in front."""
        return f"{self.number} {self.heading}" if self.number else self.heading


def parse_outline(text: str) -> list[Heading]:
    """Headings typed one a line: indentation (or Markdown's #) is the level, a leading "3.2" the number.

    Raises:
        UserError: there is no heading.
    """
    headings: list[Heading] = []
    indents: list[int] = []
    for line in text.expandtabs(4).splitlines():
        bare = line.strip()
        if not bare:
            continue
        indent = len(line) - len(line.lstrip())
        mark = _MARK.match(bare)
        if mark:
            bare = bare[mark.end() :]
            indent += len(mark[1]) - 1 if mark[1][0] == "#" else 0
        while indents and indents[-1] >= indent:
            indents.pop()
        indents.append(indent)
        headings.append(_heading(bare, len(indents)))
    if not headings:
        raise UserError("the outline has no heading", fix="write one heading on each line")
    return headings


def _heading(bare: str, level: int) -> Heading:
    number = _NUMBER.match(bare)
    # A year in front ("2025 budget") is a word of the heading, not its number.
    if number and len(number[1].split(".")[0]) <= 2:
        depth = number[1].count(".") + 1
        return Heading(min(max(level, depth), MOST_LEVELS), bare[number.end() :], number[1])
    return Heading(min(level, MOST_LEVELS), bare)


def format_outline(headings: Sequence[Heading]) -> str:
    """An outline as one would type it: what `parse_outline` reads."""
    return "\n".join("  " * (heading.level - 1) + heading.title for heading in headings)


def outline_of(report: Report) -> list[Heading]:
    """The headings of a past report; its text before the first heading has none, and is left out.

    Raises:
        UserError: the report has no heading at all.
    """
    headings = [
        Heading(min(max(section.level, 1), MOST_LEVELS), section.heading.strip(), section.number)
        for section in report.sections
        if section.heading.strip()
    ]
    if not headings:
        raise UserError("this report has no headings", where=report.title, fix="begin with an outline of your own")
    return headings


def paths(headings: Sequence[tuple[int, str]]) -> list[tuple[str, ...]]:
    """For each (level, title), the titles from the top down to it."""
    stack: list[tuple[int, str]] = []
    found = []
    for level, title in headings:
        while stack and stack[-1][0] >= level:
            stack.pop()
        stack.append((level, title))
        found.append(tuple(title for _, title in stack))
    return found
