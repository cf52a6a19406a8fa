"""What PDFium says of a page: lines of text with their place, size and weight."""

import ctypes
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import pypdfium2
import pypdfium2.raw as pdfium

from pipeline.reports.blocks import visible

HYPHEN = "\x02"  # PDFium's mark for a hyphen at which a word was broken
_BREAK = re.compile(r"[\r\n]+")
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_DETACHED = re.compile(r"([¨ˆ˜])([A-Za-z])")  # TeX sets these before the letter
_COMBINING = {"¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303"}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page. Places in points from the page's lower left corner; `size` in points as drawn."""

    page: int
    text: str
    characters: int
    left: float
    right: float
    base: float
    size: float
    weight: int
    bold_name: bool


def page_lines(page: pypdfium2.PdfPage, number: int) -> list[Line]:
    """The page's lines in the order of its text, white ones left out."""
    text_page = page.get_textpage()
    handle = text_page.raw
    codes = (pdfium.FPDFText_GetUnicode(handle, index) for index in range(text_page.count_chars()))
    text = "".join(chr(code) if not 0xD800 <= code < 0xE000 and code else "\ufffd" for code in codes)
    lines, start = [], 0
    for match in [*_BREAK.finditer(text), None]:
        end = match.start() if match else len(text)
        if text[start:end].strip():
            lines.append(_line(handle, text, start, end, number))
        start = match.end() if match else end
    text_page.close()
    page.close()
    return lines


def leading(lines: Sequence[Line]) -> float:
    """The usual distance of two lines' bases, in points."""
    gaps = [a.base - b.base for a, b in zip(lines, lines[1:], strict=False) if a.page == b.page and a.base > b.base]
    return median(gaps) if gaps else 1.0


def right_edge(lines: Sequence[Line]) -> float:
    """Where most full lines end: the edge that a tenth of the lines reach or cross."""
    edges = sorted(line.right for line in lines)
    return edges[len(edges) * 9 // 10] if edges else 0.0


def _line(handle: object, text: str, start: int, end: int, page: int) -> Line:
    raw = text[start:end]
    first = start + len(raw) - len(raw.lstrip())
    last = start + len(raw.rstrip()) - 1
    left, base, _ = _box(handle, first)
    _, _, right = _box(handle, last)
    return Line(
        page=page,
        text=mended(raw.strip()),
        characters=visible(raw),
        left=left,
        right=right,
        base=base,
        size=min(_size(handle, first), _size(handle, last)),
        weight=min(pdfium.FPDFText_GetFontWeight(handle, first), pdfium.FPDFText_GetFontWeight(handle, last)),
        bold_name=_is_bold(handle, first) and _is_bold(handle, last),
    )


def mended(text: str) -> str:
    """Ligatures as letters, and accents back on theirs."""
    text = _LIGATURE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return _DETACHED.sub(lambda match: unicodedata.normalize("NFC", match[2] + _COMBINING[match[1]]), text)


def _box(handle: object, index: int) -> tuple[float, float, float]:
    """(left, lower edge, right) of a character, as its font's box."""
    box = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(handle, index, box)
    return box.left, box.bottom, box.right


def _size(handle: object, index: int) -> float:
    """Size as drawn: many files write at size 1 and scale the page."""
    matrix = pdfium.FS_MATRIX()
    scaled = pdfium.FPDFText_GetMatrix(handle, index, matrix)
    scale = (matrix.b**2 + matrix.d**2) ** 0.5 if scaled else 1.0
    return round(pdfium.FPDFText_GetFontSize(handle, index) * scale, 1)


def _is_bold(handle: object, index: int) -> bool:
    buffer, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    length = pdfium.FPDFText_GetFontInfo(handle, index, buffer, 128, flags)
    name = buffer.raw[: min(length, 128)].rstrip(b"\0").lower()
    return any(word in name for word in (b"bold", b"black", b"heavy", b"-bx", b"cmbx"))
