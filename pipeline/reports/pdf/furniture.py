"""Running headers, footers and page numbers: lines at a page's edge that come again, at the same height."""

import re
from collections import Counter
from collections.abc import Sequence

from pipeline.reports.blocks import Tally
from pipeline.reports.pdf.lines import Line

EDGE_LINES = 3  # at the top and at the bottom of each page
FEWEST_PAGES = 3
HEIGHT_POINTS = 4  # how far the same line may stand apart on two pages
SMALLEST_SHARE_OF_PAGES = 0.25
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[-–—|\s]*(?:(?:page|p[àá]gina|p[àá]g\.?|p\.)\s*)?(?:\d{1,4}|[ivxl]{1,7})(?:\s*(?:/|of|de)\s*\d{1,4})?[-–—|\s]*",
    re.IGNORECASE,
)


def without_furniture(pages: Sequence[Sequence[Line]], tally: Tally) -> list[Line]:
    """All lines but the furniture, which is counted as left out."""
    edges = [_edges(page) for page in pages]
    seen = Counter(key for page in edges for key in {_key(line) for line in page})
    fewest = max(FEWEST_PAGES, SMALLEST_SHARE_OF_PAGES * len(pages))
    kept: list[Line] = []
    for page, edge in zip(pages, edges, strict=True):
        for line in page:
            if line in edge and _PAGE_NUMBER.fullmatch(line.text):
                tally.leave("page number", "x" * line.characters)
            elif line in edge and seen[_key(line)] >= fewest:
                tally.leave("header or footer", "x" * line.characters)
            else:
                kept.append(line)
    return kept


def _edges(page: Sequence[Line]) -> list[Line]:
    by_height = sorted(page, key=lambda line: line.base)
    return [*by_height[:EDGE_LINES], *by_height[-EDGE_LINES:]]


def _key(line: Line) -> tuple[str, int]:
    """What the same furniture has in common on all its pages: its words, numbers aside, and its height."""
    return _DIGITS.sub("#", " ".join(line.text.split()).casefold()), round(line.base / HEIGHT_POINTS)
