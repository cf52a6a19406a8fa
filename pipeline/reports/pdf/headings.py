"""Which groups of lines of a PDF are headings: those that bookmarks name, else those larger or bolder than the
text, else those under numbers that count on.

Levels are raw: only their order counts, the outline closes the gaps. Ten stand for a look, and within a look the
depth of a typed number decides, so that "1.1" stands under "1." where both look alike.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from pipeline.reports.outline import LONGEST_PROMOTED_CHARACTERS, split_number
from pipeline.reports.pdf.groups import Group
from pipeline.reports.pdf.lines import Line
from pipeline.reports.pdf.looks import Usual

SMALLEST_SHARE_MATCHED = 0.6
FEWEST_BOOKMARKS = 3
MOST_LINES = 4
LONGEST_CHARACTERS = 250  # of a heading that is larger, or numbered
LARGEST_SHARE_OF_CHARACTERS = 0.25
FEWEST_NUMBERED = 3
_NOT_LETTERS = re.compile(r"[\W_]+")
_SENTENCE_END = (".", ";", ",", ":")
_LABEL = re.compile(r"\(?(?:\w{1,3}|\d+(?:\.\d+)*)[.)]?")


class Bookmark(NamedTuple):
    """An entry of the file's outline: `page` counts from 0, `height` is where on it the entry leads, if it says so."""

    level: int
    title: str
    page: int | None
    height: float | None


def by_bookmarks(lines: Sequence[Line], bookmarks: Sequence[Bookmark]) -> dict[int, int]:
    """Index of a line -> level, from bookmarks; empty if the text lacks too many of them."""
    found: dict[int, int] = {}
    at: dict[int | None, list[int]] = {}
    for index, line in enumerate(lines):
        at.setdefault(line.page, []).append(index)
    matched = 0
    for bookmark in bookmarks:
        candidates = [
            (_distance(lines[index], bookmark), index, length)
            for index in at.get(bookmark.page, [])
            if index not in found and (length := _lines_of_title(lines, index, _plain(bookmark.title)))
        ]
        if candidates:
            _, index, length = min(candidates)
            found.update(dict.fromkeys(range(index, index + length), bookmark.level))
            matched += 1
    enough = matched >= max(FEWEST_BOOKMARKS, SMALLEST_SHARE_MATCHED * len(bookmarks))
    return found if enough else {}


def _distance(line: Line, bookmark: Bookmark) -> tuple[bool, float]:
    """How far a line is from what a bookmark says: first by its capitals, then by its height."""
    title = split_number(bookmark.title.strip())[1]
    other_case = split_number(line.text)[1][:1] != title[:1]
    return other_case, abs(line.base + line.size - bookmark.height) if bookmark.height is not None else 0.0


def _lines_of_title(lines: Sequence[Line], index: int, wanted: str) -> int:
    """How many lines from this one on are a title, 0 if they are not."""
    text = ""
    if not wanted:
        return 0
    for length in range(1, min(MOST_LINES, len(lines) - index) + 1):
        if lines[index + length - 1].table is not None:
            return 0
        text = f"{text} {lines[index + length - 1].text}"
        here = _plain(text)
        if here == wanted:
            return length
        if not wanted.startswith(here):
            return 0
    return 0


def by_looks(groups: Sequence[Group], usual: Usual) -> None:
    """Give levels to groups that stand out by size or weight; to none, if too much of the text does."""
    heads = {index: group.lines[0] for index, group in enumerate(groups[:-1]) if _can_head(group, usual)}
    sizes = _classes({line.size for line in heads.values()}, usual.spread / 2)
    looks = {index: (-sizes[line.size], usual.is_bold(line), usual.is_centred(line)) for index, line in heads.items()}
    headed = sum(line.characters for index in looks for line in groups[index].lines)
    if headed > LARGEST_SHARE_OF_CHARACTERS * sum(line.characters for group in groups for line in group.lines):
        return
    order = sorted(set(looks.values()), reverse=True)
    for index, look in looks.items():
        groups[index].level = 10 * (1 + order.index(look)) + _depth(groups[index].text)


def _classes(sizes: set[float], spread: float) -> dict[float, int]:
    """The rank of each size, 0 for the largest. Those that differ by less than a share of their largest have one."""
    ranks: dict[float, int] = {}
    rank, largest = -1, 0.0
    for size in sorted(sizes, reverse=True):
        if rank < 0 or size < (1 - spread) * largest:
            rank, largest = rank + 1, size
        ranks[size] = rank
    return ranks


def _can_head(group: Group, usual: Usual) -> bool:
    text, first = group.text, group.lines[0]
    if len(group.lines) > MOST_LINES or not all(map(usual.stands_out, group.lines)) or group.is_caption:
        return False
    larger = usual.is_larger(first)
    longest = LONGEST_CHARACTERS if larger or split_number(text)[0] else LONGEST_PROMOTED_CHARACTERS
    if len(text) > longest or sum(map(str.isalpha, text)) < 3 or text[0].islower():
        return False
    if text.endswith(_SENTENCE_END[:3]) or (text.endswith(":") and not larger):
        return False
    return larger or not _is_row(first)


def _is_row(line: Line) -> bool:
    """Does a line look like the header of a table: parts with wide gaps, the first of them no number?"""
    return len(line.cells) > 1 and (len(line.cells) > 2 or _LABEL.fullmatch(line.cells[0].text) is None)


def by_numbers(groups: Sequence[Group]) -> None:
    """Where headings differ in nothing but their typed numbers: give levels to short groups whose numbers count on.

    A row of them with nothing between is a list, unless each stands under the one before.
    """
    numbers = [_number(group) for group in groups]
    chain: list[int] = []
    for index, number in enumerate(numbers):
        if number is None or _is_listed(numbers, index):
            continue
        last = numbers[chain[-1]] if chain else None
        if _counts_on(last, number):
            chain.append(index)
    if len(chain) < FEWEST_NUMBERED or chain[-1] == len(groups) - 1 == chain[0] + len(chain) - 1:
        return
    for index in chain:
        groups[index].level = len(numbers[index] or ())


def _number(group: Group) -> tuple[int, ...] | None:
    """The number under which a group may be a heading."""
    text = group.text
    if len(text) > LONGEST_PROMOTED_CHARACTERS or text.endswith(_SENTENCE_END) or group.lines[0].table is not None:
        return None
    number, rest = split_number(text)
    parts = (number or "").split(".")
    if not all(map(str.isdigit, parts)) or not rest[:1].isupper():
        return None
    return tuple(map(int, parts))


def _is_listed(numbers: Sequence[tuple[int, ...] | None], index: int) -> bool:
    """Does the same depth of number stand right before or after?"""
    here = numbers[index]
    beside = [*numbers[max(0, index - 1) : index], *numbers[index + 1 : index + 2]]
    return here is not None and any(other is not None and len(other) == len(here) for other in beside)


def _counts_on(last: tuple[int, ...] | None, number: tuple[int, ...]) -> bool:
    """Is this the next number of an outline, or the first?"""
    if last is None:
        return number in ((1,), (1, 1))
    if len(number) > len(last):
        return number == (*last, 1)
    parent, here = last[: len(number)], number
    return parent[:-1] == here[:-1] and here[-1] in (parent[-1] + 1, parent[-1] + 2)


def _depth(text: str) -> int:
    number, _ = split_number(text)
    return len(number.split(".")) if number else 1


def _plain(text: str) -> str:
    return _NOT_LETTERS.sub("", split_number(text.strip())[1]).casefold()
