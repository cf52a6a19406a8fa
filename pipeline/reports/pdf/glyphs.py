"""What PDFium says of a page's characters. Asking costs a call each, so nobody asks for more than needed.

Characters are counted in UTF-16 units, as PDFium does. Places are in points, from where the page's lower left
corner is once the page is turned so that most of its text runs from left to right.
"""

import ctypes
from collections import Counter
from math import hypot, pi
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

HYPHEN = "\x02"  # PDFium's mark for a hyphen at which a word was broken
_HYPHEN_IN_TEXT = "\ufffe"  # the same mark, where it hands out the text of a whole page
_ASKED_FOR_TURN = 20  # characters of a page that are asked which way they run
_NAME_BYTES = 128
_BOLD = ("bold", "black", "heavy", "-bx", "cmbx")


class Box(NamedTuple):
    """Where a character stands: its advance from `left` to `right`, its font's height from `bottom` to `top`."""

    left: float
    bottom: float
    right: float
    top: float


class Glyphs:
    """The characters of one page. Close it before the page."""

    def __init__(self, page: pypdfium2.PdfPage) -> None:
        self._text_page = page.get_textpage()
        self._handle = self._text_page.raw
        self._box, self._matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._name, self._flags = ctypes.create_string_buffer(_NAME_BYTES), ctypes.c_int()
        self._count = self._text_page.count_chars()
        self.text = self._text()
        self.turn = self._usual_turn()

    def close(self) -> None:
        """Let PDFium forget the page's characters."""
        self._text_page.close()

    def box(self, index: int) -> Box:
        """The box of a character."""
        pdfium.FPDFText_GetLooseCharBox(self._handle, index, self._box)
        return self.placed(self._box.left, self._box.bottom, self._box.right, self._box.top)

    def placed(self, left: float, bottom: float, right: float, top: float) -> Box:
        """Where a rectangle of the page lies once the page is turned."""
        a, b = self._turned(left, bottom), self._turned(right, top)
        return Box(min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))

    def text_in(self, left: float, bottom: float, right: float, top: float) -> str:
        """The text in a rectangle of the page."""
        return self._text_page.get_text_bounded(left, bottom, right, top)

    def across(self, index: int) -> tuple[float, float]:
        """Where a character begins and ends: what is asked most."""
        if self.turn:
            turned = self.box(index)
            return turned.left, turned.right
        box = self._box
        pdfium.FPDFText_GetLooseCharBox(self._handle, index, box)
        return box.left, box.right

    def base(self, index: int) -> float:
        """Height of the line that a character stands on."""
        pdfium.FPDFText_GetCharOrigin(self._handle, index, self._x, self._y)
        return self._turned(self._x.value, self._y.value)[1]

    def size(self, index: int) -> float:
        """Font size as drawn, in points: many files write at size 1 and scale the page."""
        matrix = self._matrix
        scale = hypot(matrix.b, matrix.d) if pdfium.FPDFText_GetMatrix(self._handle, index, matrix) else 1.0
        return round(pdfium.FPDFText_GetFontSize(self._handle, index) * scale, 1)

    def weight(self, index: int) -> int:
        """Weight of the font, 400 for a usual one; many files do not tell it well."""
        return pdfium.FPDFText_GetFontWeight(self._handle, index)

    def font(self, index: int) -> str:
        """Name of a character's font, in small letters."""
        length = pdfium.FPDFText_GetFontInfo(self._handle, index, self._name, _NAME_BYTES, self._flags)
        return self._name.raw[: min(length, _NAME_BYTES)].rstrip(b"\0").decode("utf-8", "replace").lower()

    def is_bold(self, index: int) -> bool:
        """Whether a font calls itself bold."""
        name = self.font(index)
        return any(word in name for word in _BOLD)

    def runs_along(self, index: int) -> bool:
        """Whether a character stands upright when most of its page does."""
        return self._quarters(index) == self.turn

    def is_generated(self, index: int) -> bool:
        """Whether PDFium made a character up (a space, a line's end) because of the gap that it saw."""
        return pdfium.FPDFText_IsGenerated(self._handle, index) == 1

    def _text(self) -> str:
        """The page's text, as one character for each that PDFium counts."""
        units = (ctypes.c_ushort * (self._count + 1))()
        if pdfium.FPDFText_GetText(self._handle, 0, self._count, units) != self._count + 1:
            return "".join(self._unicode(index) for index in range(self._count))  # some have no text and are skipped
        text = bytes(units)[: 2 * self._count].decode("utf-16-le", "surrogatepass")
        if len(text) != self._count:
            text = "".join(map(chr, units[: self._count]))
        # A soft hyphen that a page draws is as hard as any other.
        return text.replace(_HYPHEN_IN_TEXT, HYPHEN).replace("\u00ad", "-")

    def _unicode(self, index: int) -> str:
        code = pdfium.FPDFText_GetUnicode(self._handle, index)
        return chr(code) if 0 < code <= 0x10FFFF and code != ord(_HYPHEN_IN_TEXT) else "\ufffd"

    def _usual_turn(self) -> int:
        step = max(1, self._count // _ASKED_FOR_TURN)
        asked = [index for index in range(0, self._count, step) if not self.text[index].isspace()]
        return Counter(map(self._quarters, asked)).most_common(1)[0][0] if asked else 0

    def _quarters(self, index: int) -> int:
        """Quarter turns, clockwise, of a character."""
        return round(pdfium.FPDFText_GetCharAngle(self._handle, index) / (pi / 2)) % 4

    def _turned(self, x: float, y: float) -> tuple[float, float]:
        match self.turn:
            case 0:
                return x, y
            case 1:
                return -y, x
            case 2:
                return -x, -y
            case _:
                return y, -x
