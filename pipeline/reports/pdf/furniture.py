"""Running headers, footers and page numbers: lines at a page's edge that come again, at the same height."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from pipeline.reports.blocks import Tally
from pipeline.reports.pdf.lines import Line

EDGE_LINES = 3  # at the top and at the bottom of each page
FEWEST_PAGES = 3
HEIGHT_POINTS = 4  # how far the same line may stand apart on two pages
SMALLEST_SHARE_OF_PAGES = 0.25
SMALLEST_SHARE_OF_RUN = 0.6  # of the pages from its first to its last: the header of a chapter
LARGEST_SHARE = 0.34  # of all characters: what says more is no furniture
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[-–—|\s]*(?P<word>page|p[àá]gina|p[àá]g\.?|p\.)?\s*(?P<number>\d{1,4}|[ivxl]{1,7})"
    r"(?P<of>\s*(?:/|of|de)\s*\d{1,4})?[-–—|\s]*",
    re.IGNORECASE,
)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}
_Key = tuple[str, int]


def without_furniture(pages: Sequence[Sequence[Line]], tally: Tally) -> list[list[Line]]:
    """The lines of each page but the furniture, which is counted as left out.

    Pages that say the same throughout, as copies of a form do, have no furniture.
    """
    edges = [_edges(page) for page in pages]
    numbers = _page_numbers(edges)
    running = _running(edges)
    headers = {id(line) for edge in edges for line in edge if _key(line) in running} - numbers
    counts = [(line.characters, id(line) in headers) for page in pages for line in page if id(line) not in numbers]
    if sum(count for count, is_header in counts if is_header) > LARGEST_SHARE * sum(count for count, _ in counts):
        headers = set()
    for page in pages:
        for line in page:
            if id(line) in numbers:
                tally.left_out["page number"] += line.characters
            elif id(line) in headers:
                tally.left_out["header or footer"] += line.characters
    return [[line for line in page if id(line) not in numbers | headers] for page in pages]


def _edges(page: Sequence[Line]) -> list[Line]:
    by_height = sorted((line for line in page if line.upright), key=lambda line: line.base)
    return [*by_height[:EDGE_LINES], *by_height[max(EDGE_LINES, len(by_height) - EDGE_LINES) :]]


def _key(line: Line) -> _Key:
    """What the same furniture has in common on all its pages: its words, numbers aside, and its height."""
    return _DIGITS.sub("#", " ".join(line.text.split()).casefold()), round(line.base / HEIGHT_POINTS)


def _running(edges: Sequence[Sequence[Line]]) -> set[_Key]:
    pages: defaultdict[_Key, list[int]] = defaultdict(list)
    for number, edge in enumerate(edges):
        for key in {_key(line) for line in edge}:
            pages[key].append(number)
    return {
        key
        for key, seen in pages.items()
        if len(seen) >= FEWEST_PAGES
        and (
            len(seen) >= SMALLEST_SHARE_OF_PAGES * len(edges)
            or len(seen) >= SMALLEST_SHARE_OF_RUN * (seen[-1] - seen[0] + 1)
        )
    }


def _page_numbers(edges: Sequence[Sequence[Line]]) -> set[int]:
    """Identities of the lines that are page numbers: they count on with the pages, or stand where others do."""
    found = [
        (line, value - page)
        for page, edge in enumerate(edges)
        for line in edge
        if (value := _value(line.text)) is not None
    ]
    offsets = Counter(offset for _, offset in found)
    sure = [line for line, offset in found if offsets[offset] > 1 or _says_so(line.text)]
    if len(edges) < FEWEST_PAGES:
        return _ids(sure) | _ids(line for line, _ in found if line.characters <= 3 and _is_outermost(line, edges))
    places = {(round(line.base / HEIGHT_POINTS), len(line.text) > 4) for line in sure}
    return _ids(line for line, _ in found if (round(line.base / HEIGHT_POINTS), len(line.text) > 4) in places)


def _is_outermost(line: Line, edges: Sequence[Sequence[Line]]) -> bool:
    heights = [other.base for other in edges[line.page]]
    return line.base in (min(heights), max(heights)) and len(heights) > 1


def _says_so(text: str) -> bool:
    match = _PAGE_NUMBER.fullmatch(text)
    return match is not None and bool(match["word"] or match["of"])


def _value(text: str) -> int | None:
    """The page number that a line is; None if it cannot be one."""
    match = _PAGE_NUMBER.fullmatch(text)
    if match is None:
        return None
    number = match["number"].lower()
    if number.isdigit():
        return int(number)
    digits = [_ROMAN[letter] for letter in number]
    return sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))


def _ids(lines: Iterable[Line]) -> set[int]:
    return {id(line) for line in lines}
