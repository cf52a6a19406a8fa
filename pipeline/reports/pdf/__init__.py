"""PDF: lines with their place and font, from which headings and paragraphs are guessed.

source      all that is taken from the file, by way of:
  glyphs      what PDFium says of a page's characters
  mending     accents, ligatures and symbols as a reader sees them
  lines       text, size, weight and place of each line
  annotations form fields, free text, links, reviewers' notes
  properties  dates
ocr         text for scanned pages, if asked for
furniture   running headers, footers and page numbers, known by their repetition
layout      columns one after the other, each from top to bottom
contents    tables of contents
notes       footnotes, hung on the lines that refer to them
tables      rows whose cells stand below each other
groups      lines that belong together, by their looks
headings    bookmarks if the text has them, else looks, else numbers
paragraphs  groups as events, hyphens mended
"""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from pipeline.errors import UserError
from pipeline.reports.blocks import Reading, tidy, visible
from pipeline.reports.outline import split_number
from pipeline.reports.pdf.contents import without_contents
from pipeline.reports.pdf.furniture import without_furniture
from pipeline.reports.pdf.groups import Group, grouped
from pipeline.reports.pdf.headings import by_bookmarks, by_looks, by_numbers
from pipeline.reports.pdf.hyphens import Words
from pipeline.reports.pdf.layout import in_reading_order
from pipeline.reports.pdf.lines import Line, usual_size
from pipeline.reports.pdf.long_tables import joined_tables
from pipeline.reports.pdf.looks import Usual
from pipeline.reports.pdf.notes import with_notes
from pipeline.reports.pdf.ocr import with_text_layer
from pipeline.reports.pdf.paragraphs import MARK, Around, events_of
from pipeline.reports.pdf.source import Source, source_of
from pipeline.reports.pdf.tables import with_tables
from pipeline.settings import Reports

__all__ = ["read_pdf"]
FEWEST_CHARACTERS_A_PAGE = 15  # fewer on average: the pages are pictures


def read_pdf(path: Path, settings: Reports) -> Reading:
    """Read a PDF that has text, or gets it by OCR if the settings ask for that.

    Raises:
        UserError: it needs a password, is damaged, or is a scan without text.
    """
    source = source_of(path)
    warnings: list[str] = []
    if _is_scanned(source) or (settings.ocr and source.pictured):
        source = _recognised(path, source, settings, warnings)
    reading = Reading(created=source.created, modified=source.modified, warnings=warnings)
    empty = [number for number, page in enumerate(source.pages, 1) if not page]
    if empty:
        warnings.append(f"{len(empty)} pages have no text, only pictures or nothing; the first is {empty[0]}")
    _understand(source, settings, reading)
    return reading


def _is_scanned(source: Source) -> bool:
    characters = sum(line.characters for page in source.pages for line in page)
    return characters < FEWEST_CHARACTERS_A_PAGE * len(source.pages)


def _recognised(path: Path, source: Source, settings: Reports, warnings: list[str]) -> Source:
    """The file once more, with text for its pictures of text; as it is, if it has enough text without."""
    pages = len(source.pages)
    if not settings.ocr:
        raise UserError(
            f"is scanned: its {pages} pages are pictures without text",
            where=path,
            fix="set reports.ocr, or give it a text layer first, for instance with ocrmypdf",
        )
    try:
        with tempfile.TemporaryDirectory(prefix="memoria-ocr-") as folder:
            recognised = source_of(with_text_layer(path, settings, Path(folder)))
    except UserError as error:
        if _is_scanned(source):
            raise
        warnings.append(f"{len(source.pictured)} of its pages were not recognised: it {error.what}")
        return source
    if _is_scanned(recognised):
        raise UserError("is scanned, and no text was found in its pictures", where=path, fix="look whether it has any")
    warnings.append(f"{len(source.pictured)} of its {pages} pages were recognised: letters may be wrong")
    # What ocrmypdf writes into the properties is not what the file said.
    return replace(recognised, title=source.title, created=source.created, modified=source.modified)


def _understand(source: Source, settings: Reports, reading: Reading) -> None:
    """From the lines of each page to the events."""
    tally, pages = reading.tally, source.pages
    tally.visible = sum(line.characters for page in pages for line in page)
    tally.visible += sum(note.remark.characters for note in source.notes)
    if "headers" not in settings.keep:
        pages = without_furniture(pages, tally)
    words = Words(line.text for page in pages for line in page)
    lines = _with_tables(pages, words, reading)
    if "contents" not in settings.keep:
        lines = without_contents(lines, tally)
    groups = _groups(lines, source)
    _take_title(groups, source.title, reading)
    if "comments" not in settings.keep:
        tally.left_out["comment"] += sum(note.remark.characters for note in source.notes)
        source.notes.clear()
    events_of(groups, words, Around(source.links, source.notes), reading)
    tally.left_out = +tally.left_out


def _with_tables(pages: Sequence[Sequence[Line]], words: Words, reading: Reading) -> list[Line]:
    """All lines in reading order, footnotes hung on theirs, each table as one."""
    text_size = usual_size([line for page in pages for line in page])
    columns = [list(column) for page in pages for _, column in groupby(in_reading_order(page), key=_column)]
    lines: list[Line] = []
    for index, column in enumerate(columns):
        above = lines[-1] if lines else None
        below = columns[index + 1][0] if index + 1 < len(columns) else None
        rows, dropped = with_tables(with_notes(column, text_size), words, above, below)
        lines += rows
        reading.tally.left_out["hyphenation"] += dropped
    lines, repeated = joined_tables(lines)
    reading.tally.left_out["header or footer"] += repeated
    return lines


def _column(line: Line) -> tuple[float, float] | None:
    return line.column


def _groups(lines: Sequence[Line], source: Source) -> list[Group]:
    """Lines that belong together, the headings among them with their levels."""
    usual = Usual.of(lines)
    marked = by_bookmarks(lines, source.bookmarks)
    groups = grouped(lines, marked, usual)
    if not marked:
        by_looks(groups, usual)
    if not any(group.level for group in groups):
        by_numbers(groups)
    return groups


def _take_title(groups: list[Group], named: str, reading: Reading) -> None:
    """Make the group that is the document's title its title.

    It is what the file's properties name, if its first page says so too; else the first heading, if it stands on the
    first page and no other is set so large.
    """
    cover = [group for group in groups if group.lines[0].page == 0]
    heads = [group for group in groups if group.level is not None]
    found = None
    if visible(named) > 3 and named.casefold() in " ".join(group.text for group in cover).casefold():
        reading.title = named
        found = next((group for group in cover if tidy(group.text).casefold() == named.casefold()), None)
    elif len(heads) > 2 and heads[0] in cover and _is_above_all(heads) and not split_number(heads[0].text)[0]:
        found = heads[0]
        reading.title = MARK.sub("", tidy(found.text))
    if found is not None and not any(line.notes for line in found.lines):
        reading.title_characters += sum(line.characters for line in found.lines)
        groups.remove(found)


def _is_above_all(heads: Sequence[Group]) -> bool:
    first, *others = heads
    larger = first.lines[0].size > max(group.lines[0].size for group in others)
    return larger and all((group.level or 0) > (first.level or 0) for group in others)
