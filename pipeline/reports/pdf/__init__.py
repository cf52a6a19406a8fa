"""PDF: lines with their place and font, from which headings and paragraphs are guessed.

lines      what PDFium says: text, size, weight, place
furniture  running headers, footers and page numbers, known by their repetition
headings   bookmarks if the text has them, else fonts
paragraphs lines joined again, hyphenation mended
"""

from collections.abc import Sequence
from pathlib import Path

import pypdfium2

from pipeline.errors import UserError
from pipeline.reports.blocks import Reading, tidy, visible
from pipeline.reports.pdf.furniture import without_furniture
from pipeline.reports.pdf.headings import by_bookmarks, by_fonts
from pipeline.reports.pdf.lines import Line, page_lines
from pipeline.reports.pdf.paragraphs import events_of
from pipeline.settings import Reports

__all__ = ["read_pdf"]
FEWEST_CHARACTERS_A_PAGE = 15  # fewer on average: the pages are pictures


def read_pdf(path: Path, settings: Reports) -> Reading:
    """Read a PDF that has text.

    Raises:
        UserError: it needs a password, is damaged, or is a scan without text.
    """
    document = _open(path)
    try:
        pages = [page_lines(document[number], number) for number in range(len(document))]
        bookmarks = [(mark.level + 1, mark.get_title(), _page_of(mark)) for mark in document.get_toc(max_depth=9)]
        title = tidy(document.get_metadata_dict().get("Title") or "")
    except pypdfium2.PdfiumError as error:
        raise UserError(f"is damaged: {error}", where=path, fix="print it to a new PDF, and read that") from error
    finally:
        document.close()
    reading = Reading()
    reading.tally.visible = sum(line.characters for page in pages for line in page)
    _refuse_scan(path, pages, reading)
    lines = without_furniture(pages, reading.tally)
    levels = by_bookmarks(lines, bookmarks) or by_fonts(lines)
    events_of(lines, levels, reading)
    reading.title = _title(title, reading, lines)
    return reading


def _open(path: Path) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(path, password="")  # many are encrypted with an empty password
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise UserError("is encrypted", where=path, fix="save it without a password") from error
        raise UserError(
            "is no PDF, or a damaged one", where=path, fix="print it to a new PDF, and read that"
        ) from error


def _page_of(mark: pypdfium2.PdfBookmark) -> int | None:
    place = mark.get_dest()
    return place.get_index() if place is not None else None


def _refuse_scan(path: Path, pages: Sequence[Sequence[Line]], reading: Reading) -> None:
    empty = [number for number, page in enumerate(pages, 1) if not page]
    if reading.tally.visible < FEWEST_CHARACTERS_A_PAGE * len(pages):
        raise UserError(
            f"is scanned: its {len(pages)} pages are pictures without text",
            where=path,
            fix="give it a text layer first, for instance with ocrmypdf",
        )
    if empty:
        reading.warnings.append(f"{len(empty)} pages have no text, only pictures or nothing; the first is {empty[0]}")


def _title(named: str, reading: Reading, lines: Sequence[Line]) -> str:
    """The title in the file's properties, if its first page says it too; else none."""
    start = " ".join(line.text for line in lines if line.page == 0).casefold()
    return named if visible(named) > 3 and named.casefold() in start else reading.title
