"""Tables of contents: entries with dots, or only white, before the number of a page."""

import re
from collections.abc import Sequence

from pipeline.reports.blocks import Tally
from pipeline.reports.pdf.lines import Line

FEWEST_ENTRIES = 3
_DOTTED = re.compile(r".*?[^\s.…·](?:(?:\s?[.·]){4,}|(?:\s?…){2,})\s*(?:\d{1,4}|[ivxl]{1,7})", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,4}|[ivxl]{1,7}", re.IGNORECASE)
_TITLES = re.compile(
    r"(?:table of )?contents|index|índex.*|índice.*|sumari|sumario|summary of contents|taula de continguts?|"
    r"tabla de contenidos?|list of (?:figures|tables)|llista de .*|lista de .*",
    re.IGNORECASE,
)


def without_contents(lines: Sequence[Line], tally: Tally) -> list[Line]:
    """The lines but those of tables of contents, which are counted as left out."""
    entries = _entries(lines)
    kept = []
    for index, line in enumerate(lines):
        if index in entries:
            tally.left_out["table of contents"] += line.characters
        else:
            kept.append(line)
    return kept


def _entries(lines: Sequence[Line]) -> set[int]:
    """Indexes of the lines of tables of contents, with their titles and the first halves of entries of two lines."""
    found: set[int] = set()
    run: list[int] = []
    title: int | None = None
    for index, line in enumerate(lines):
        is_entry = bool(_DOTTED.fullmatch(line.text)) or (title is not None and _is_numbered(line))
        if is_entry:
            run += [index] if run or title is None else [title, index]
            continue
        if (
            run
            and index + 1 < len(lines)
            and _DOTTED.fullmatch(lines[index + 1].text)
            and line.size == lines[run[-1]].size
        ):
            continue  # the first half of the next entry
        _close(run, found)
        run, title = [], index if _TITLES.fullmatch(line.text.strip(" :.")) else None
    _close(run, found)
    return found


def _close(run: Sequence[int], found: set[int]) -> None:
    if len(run) >= FEWEST_ENTRIES:
        found.update(range(run[0], run[-1] + 1))


def _is_numbered(line: Line) -> bool:
    """Does a line end with a number that stands apart, as a page number in a table of contents?"""
    return len(line.cells) > 1 and _NUMBER.fullmatch(line.cells[-1].text) is not None
