"""Which lines of a PDF are headings: those that bookmarks name, else those larger or bolder than the text.

Levels are raw: only their order counts, the outline closes the gaps. Ten stand for a font, and within a font
the depth of a typed number decides, so that "1.1" stands under "1." where both look alike.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.reports.outline import LONGEST_PROMOTED_CHARACTERS, split_number
from pipeline.reports.pdf.lines import Line, leading, right_edge

SMALLEST_SHARE_MATCHED = 0.6
FEWEST_BOOKMARKS = 3
LARGER = 1.08
BOLDER = 1.3
LARGEST_SHARE_OF_CHARACTERS = 0.25
_NOT_LETTERS = re.compile(r"[\W_]+")
_SENTENCE_END = (".", ";", ",", ":")
_PARAGRAPH_END = (".", "?", "!", ":", "…")


def by_bookmarks(lines: Sequence[Line], bookmarks: Sequence[tuple[int, str, int | None]]) -> dict[int, int]:
    """Index of a line -> level, from bookmarks as (level, title, page); empty if the text lacks them."""
    found: dict[int, int] = {}
    at: dict[int | None, list[int]] = {}
    for index, line in enumerate(lines):
        at.setdefault(line.page, []).append(index)
    for level, title, page in bookmarks:
        wanted = _plain(title)
        for index in at.get(page, []):
            if index in found or not wanted:
                continue
            here = _plain(lines[index].text)
            both = here + _plain(lines[index + 1].text) if index + 1 < len(lines) else here
            if here == wanted or (both == wanted and wanted.startswith(here)):
                found[index] = level
                if both == wanted != here:
                    found[index + 1] = level
                break
    enough = len(found) >= max(FEWEST_BOOKMARKS, SMALLEST_SHARE_MATCHED * len(bookmarks))
    return found if enough else {}


def by_fonts(lines: Sequence[Line]) -> dict[int, int]:
    """Index of a line -> level, where lines stand out by size or weight."""
    if not lines:
        return {}
    usual = _usual(lines)
    looks: dict[int, tuple[float, bool]] = {}
    for index, line in enumerate(lines):
        bold = _is_bold(line, usual)
        larger = line.size >= LARGER * usual.size
        stands = larger or (bold and line.size >= usual.size and _stands_alone(lines, index, usual, looks))
        if stands and _can_head(line, lines[index + 1 : index + 2]):
            looks[index] = (line.size, bold)
    headed = sum(lines[index].characters for index in looks)
    if headed > LARGEST_SHARE_OF_CHARACTERS * sum(line.characters for line in lines):
        return {}
    order = sorted(set(looks.values()), reverse=True)
    levels: dict[int, int] = {}
    for index, look in looks.items():
        goes_on = looks.get(index - 1) == look and lines[index].text[:1].islower()
        own = 10 * (1 + order.index(look)) + _depth(lines[index].text)
        levels[index] = levels[index - 1] if goes_on else own
    return levels


@dataclass(frozen=True, slots=True)
class _Usual:
    """How most of the text is set."""

    size: float
    weight: int
    leading: float
    right: float


def _stands_alone(lines: Sequence[Line], index: int, usual: _Usual, looks: dict[int, tuple[float, bool]]) -> bool:
    """Is a bold line of the text's own size set apart, and not the emphatic part of a paragraph?"""
    line, before = lines[index], lines[index - 1] if index else None
    apart = (
        before is None
        or index - 1 in looks
        or before.page != line.page
        or before.text.endswith(_PARAGRAPH_END)
        or not 0 < before.base - line.base < 1.2 * usual.leading
    )
    after = lines[index + 1] if index + 1 < len(lines) and not _is_bold(lines[index + 1], usual) else None
    runs_on = after is not None and (line.right >= 0.95 * usual.right or after.text[:1].islower())
    return apart and not runs_on


def _is_bold(line: Line, usual: _Usual) -> bool:
    return line.bold_name or (usual.weight > 0 and line.weight >= BOLDER * usual.weight)


def _usual(lines: Sequence[Line]) -> _Usual:
    sizes: Counter[float] = Counter()
    weights: Counter[int] = Counter()
    for line in lines:
        sizes[line.size] += line.characters
        weights[line.weight] += line.characters
    return _Usual(sizes.most_common(1)[0][0], weights.most_common(1)[0][0], leading(lines), right_edge(lines))


def _can_head(line: Line, following: Sequence[Line]) -> bool:
    text = line.text
    short = len(text) <= LONGEST_PROMOTED_CHARACTERS
    return short and bool(following) and sum(map(str.isalpha, text)) >= 3 and not text.endswith(_SENTENCE_END)


def _depth(text: str) -> int:
    number, _ = split_number(text)
    return len(number.split(".")) if number else 1


def _plain(text: str) -> str:
    return _NOT_LETTERS.sub("", split_number(text.strip())[1]).casefold()
