"""What lies on a page without being its text: values of form fields, free text, links, reviewers' notes.

A value and a free text become lines where they stand; a note becomes a Remark that hangs on the text it marks.
"""

import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from pipeline.reports import markdown
from pipeline.reports.blocks import Remark, tidy, visible
from pipeline.reports.pdf.glyphs import Box, Glyphs
from pipeline.reports.pdf.lines import Cell, Line, merged

LONGEST_ABOUT_CHARACTERS = 300
USUAL_SIZE = 10.0
_HIDDEN = 0x02 | 0x20  # annotation flags: hidden, and not to be shown on screen
_PASSWORD = 1 << 13  # field flag: what is typed shows as stars
_MARKUP = frozenset(
    (pdfium.FPDF_ANNOT_HIGHLIGHT, pdfium.FPDF_ANNOT_UNDERLINE, pdfium.FPDF_ANNOT_SQUIGGLY, pdfium.FPDF_ANNOT_STRIKEOUT)
)
_NOTES = _MARKUP | {
    pdfium.FPDF_ANNOT_TEXT, pdfium.FPDF_ANNOT_CARET, pdfium.FPDF_ANNOT_LINE, pdfium.FPDF_ANNOT_SQUARE,
    pdfium.FPDF_ANNOT_CIRCLE, pdfium.FPDF_ANNOT_POLYGON, pdfium.FPDF_ANNOT_POLYLINE, pdfium.FPDF_ANNOT_INK,
    pdfium.FPDF_ANNOT_STAMP,
}  # fmt: skip
_CHECKS = frozenset((pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON))
_CHOICES = frozenset((pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX))
_PRINTED = re.compile(r"://|www\.|[\w.]@\w")  # an address needs no target
_OPENED = ("http://", "https://", "mailto:", "ftp://")


class Link(NamedTuple):
    """The words of a page over which a link to another place lies, and the height at which it does."""

    page: int
    height: float
    text: str
    target: str


class Note(NamedTuple):
    """A reviewer's remark, and the page and height at which it lies."""

    page: int
    height: float
    remark: Remark


class Annotations(NamedTuple):
    """All that lies on one page."""

    lines: list[Line]
    links: list[Link]
    notes: list[Note]


def annotations_of(
    document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, glyphs: Glyphs, number: int
) -> Annotations:
    """What lies on a page. The values of forms need the document's form environment."""
    found = Annotations([], [], [])
    for index in range(pdfium.FPDFPage_GetAnnotCount(page.raw)):
        annotation = pdfium.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        try:
            _Annotation(document, page, glyphs, number, annotation).read_into(found)
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)
    return found


class _Annotation:
    def __init__(
        self, document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, glyphs: Glyphs, number: int, handle: object
    ) -> None:
        self._document, self._page, self._glyphs, self._number, self._handle = document, page, glyphs, number, handle
        self._forms = document.formenv.raw if document.formenv else None

    def read_into(self, found: Annotations) -> None:
        """Add what this annotation says."""
        kind = pdfium.FPDFAnnot_GetSubtype(self._handle)
        if pdfium.FPDFAnnot_GetFlags(self._handle) & _HIDDEN or not (box := self._box()):
            return
        if kind == pdfium.FPDF_ANNOT_WIDGET:
            found.lines.extend(self._lines(self._value(), box))
        elif kind == pdfium.FPDF_ANNOT_FREETEXT:
            found.lines.extend(self._lines(self._string(b"Contents"), box))
        elif kind == pdfium.FPDF_ANNOT_LINK:
            found.links.extend(self._links(box))
        elif kind in _NOTES and visible(said := tidy(self._string(b"Contents"))):
            about = self._words_below() if kind in _MARKUP else ""
            remark = Remark(said, visible(said), about, tidy(self._string(b"T")) or None)
            found.notes.append(Note(self._number, (box.bottom + box.top) / 2, remark))

    def _box(self) -> Box | None:
        rectangle = pdfium.FS_RECTF()
        if not pdfium.FPDFAnnot_GetRect(self._handle, rectangle):
            return None
        return self._glyphs.placed(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)

    def _lines(self, text: str, box: Box) -> Iterator[Line]:
        """A line for each line of a text, from the top of its box."""
        rows = [row for row in tidy(text).split("\n") if visible(row)]
        leading = min((box.top - box.bottom) / max(1, len(rows)), 1.4 * USUAL_SIZE)
        base = box.top - 0.75 * leading if len(rows) > 1 else (box.top + box.bottom) / 2 - 0.3 * USUAL_SIZE
        for row in rows:
            cell = Cell(box.left, box.right, row, visible(row))
            yield Line(self._number, row, visible(row), box.left, box.right, base, USUAL_SIZE, 0, False, (cell,))
            base -= leading

    def _value(self) -> str:
        """What a form field shows: a text, the choices made, or whether it is ticked."""
        if self._forms is None:
            return ""
        kind = pdfium.FPDFAnnot_GetFormFieldType(self._forms, self._handle)
        if kind in _CHECKS:
            return markdown.box(bool(pdfium.FPDFAnnot_IsChecked(self._forms, self._handle)))
        if kind in _CHOICES and (chosen := self._chosen()):
            return "\n".join(chosen)
        if kind == pdfium.FPDF_FORMFIELD_TEXTFIELD or kind in _CHOICES:
            if pdfium.FPDFAnnot_GetFormFieldFlags(self._forms, self._handle) & _PASSWORD:
                return ""
            return _wide(
                lambda buffer, size: pdfium.FPDFAnnot_GetFormFieldValue(self._forms, self._handle, buffer, size)
            )
        return ""

    def _chosen(self) -> list[str]:
        count = pdfium.FPDFAnnot_GetOptionCount(self._forms, self._handle)
        return [
            self._option(index)
            for index in range(max(0, count))
            if pdfium.FPDFAnnot_IsOptionSelected(self._forms, self._handle, index)
        ]

    def _option(self, index: int) -> str:
        return _wide(
            lambda buffer, size: pdfium.FPDFAnnot_GetOptionLabel(self._forms, self._handle, index, buffer, size)
        )

    def _string(self, key: bytes) -> str:
        return _wide(lambda buffer, size: pdfium.FPDFAnnot_GetStringValue(self._handle, key, buffer, size))

    def _links(self, box: Box) -> Iterator[Link]:
        action = pdfium.FPDFLink_GetAction(pdfium.FPDFAnnot_GetLink(self._handle))
        if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
            return
        size = pdfium.FPDFAction_GetURIPath(self._document.raw, action, None, 0)
        buffer = ctypes.create_string_buffer(size)
        pdfium.FPDFAction_GetURIPath(self._document.raw, action, buffer, size)
        target = buffer.value.decode("utf-8", "replace").strip()
        text = _bare(self._words_below())
        if target.lower().startswith(_OPENED) and visible(text) > 1 and not _PRINTED.search(text):
            yield Link(self._number, (box.bottom + box.top) / 2, text, target)

    def _words_below(self) -> str:
        """The words of the page that the annotation lies on."""
        count = pdfium.FPDFAnnot_CountAttachmentPoints(self._handle)
        texts = []
        for index in range(count):
            quad = pdfium.FS_QUADPOINTSF()
            if pdfium.FPDFAnnot_GetAttachmentPoints(self._handle, index, quad):
                xs, ys = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
                texts.append(self._glyphs.text_in(min(xs), min(ys), max(xs), max(ys)))
        if not count:
            rectangle = pdfium.FS_RECTF()
            pdfium.FPDFAnnot_GetRect(self._handle, rectangle)
            texts.append(self._glyphs.text_in(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top))
        words = " ".join(" ".join(texts).split())
        return words if len(words) <= LONGEST_ABOUT_CHARACTERS else words[:LONGEST_ABOUT_CHARACTERS].rstrip() + "…"


def with_lines(lines: Sequence[Line], added: Sequence[Line]) -> list[Line]:
    """The lines of a page with those of its annotations: in the line that stands left of them, else by their height."""
    result = list(lines)
    for line in added:
        beside = [
            index
            for index, other in enumerate(result)
            if other.upright
            and abs(other.base - line.base) < 0.7 * max(other.size, line.size)
            and other.left < line.left
        ]
        if beside:
            index = max(beside, key=lambda index: result[index].left)
            result[index] = merged(result[index], line)
        else:
            lower = (index for index, other in enumerate(result) if other.upright and other.base < line.base)
            result.insert(next(lower, len(result)), line)
    return result


def _bare(words: str) -> str:
    """Words without the punctuation around them that a link's rectangle touches."""
    words = words.strip(" .,;:")
    if words.count("(") != words.count(")"):
        words = words.strip("()")
    return words.strip(" .,;:")


def _wide(ask: Callable[[object, int], int]) -> str:
    """A text in UTF-16 from PDFium, which is asked twice: for its size in bytes, then for the text."""
    size = ask(None, 0)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    ask(ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace")
