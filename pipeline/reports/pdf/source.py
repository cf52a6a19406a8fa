"""All that is taken from a PDF file: lines page by page, what lies on the pages, bookmarks and properties."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium

from pipeline.errors import UserError
from pipeline.reports.blocks import tidy
from pipeline.reports.pdf.annotations import Annotations, Link, Note, annotations_of, with_lines
from pipeline.reports.pdf.glyphs import Glyphs
from pipeline.reports.pdf.headings import Bookmark
from pipeline.reports.pdf.lines import Line, lines_of
from pipeline.reports.pdf.properties import day_of

_REPRINT = "print it to a new PDF, and read that"
DEEPEST_BOOKMARK = 9
DEEPEST_PICTURE = 4  # forms within forms in which pictures are looked for


@dataclass
class Source:
    """What a file holds. `pages` are the lines of each page, in the order of the file.

    `pictured` are the numbers, from 0, of pages with pictures and no text.
    """

    pages: list[list[Line]] = field(default_factory=list)
    pictured: list[int] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    bookmarks: list[Bookmark] = field(default_factory=list)
    title: str = ""
    created: date | None = None
    modified: date | None = None


def open_pdf(path: Path) -> pypdfium2.PdfDocument:
    """Open a file, with the empty password if it is encrypted: many are.

    Raises:
        UserError: it needs a password, or is no PDF, or is damaged.
    """
    try:
        return pypdfium2.PdfDocument(path, password="")
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise UserError("is encrypted", where=path, fix="save it without a password") from error
        raise UserError("is no PDF, or a damaged one", where=path, fix=_REPRINT) from error


def source_of(path: Path) -> Source:
    """Take from a file all that is read.

    Raises:
        UserError: it needs a password, or is damaged.
    """
    document = open_pdf(path)
    source = Source()
    try:
        document.init_forms()
        for number in range(len(document)):
            _add_page(source, document, number)
        source.bookmarks = [_bookmark(mark) for mark in document.get_toc(max_depth=DEEPEST_BOOKMARK)]
        _add_properties(source, document.get_metadata_dict())
    except pypdfium2.PdfiumError as error:
        raise UserError(f"is damaged: {error}", where=path, fix=_REPRINT) from error
    finally:
        document.close()
    return source


def _add_page(source: Source, document: pypdfium2.PdfDocument, number: int) -> None:
    page = document[number]
    glyphs = Glyphs(page)
    try:
        lines = lines_of(glyphs, number)
        on_it: Annotations = annotations_of(document, page, glyphs, number)
        if not lines and any(page.get_objects([pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=DEEPEST_PICTURE)):
            source.pictured.append(number)
    finally:
        glyphs.close()
        page.close()
    source.pages.append(with_lines(lines, on_it.lines))
    source.links += on_it.links
    source.notes += on_it.notes


def _add_properties(source: Source, properties: Mapping[str, str]) -> None:
    source.title = tidy(properties.get("Title") or "")
    source.created = day_of(properties.get("CreationDate") or "")
    source.modified = day_of(properties.get("ModDate") or "")


def _bookmark(mark: pypdfium2.PdfBookmark) -> Bookmark:
    target = mark.get_dest()
    if target is None:
        return Bookmark(mark.level + 1, mark.get_title(), None, None)
    kind, numbers = target.get_view()
    at = {pdfium.PDFDEST_VIEW_XYZ: 1, pdfium.PDFDEST_VIEW_FITH: 0}.get(kind)  # which of the numbers is a height
    height = numbers[at] if at is not None and len(numbers) > at else None
    return Bookmark(mark.level + 1, mark.get_title(), target.get_index(), height)
