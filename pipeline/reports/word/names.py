"""Qualified names of the XML that Word writes. `w("p")` is {…/wordprocessingml/2006/main}p."""

from pipeline.reports.archive import Element

_OFFICE = "http://schemas.openxmlformats.org"
_W = f"{_OFFICE}/wordprocessingml/2006/main"
_M = f"{_OFFICE}/officeDocument/2006/math"
_A = f"{_OFFICE}/drawingml/2006/main"
_R = f"{_OFFICE}/officeDocument/2006/relationships"
_WP = f"{_OFFICE}/drawingml/2006/wordprocessingDrawing"

# ISO "strict" files use other names for the same things; they are renamed before parsing.
STRICT = {
    b"http://purl.oclc.org/ooxml/wordprocessingml/main": _W.encode(),
    b"http://purl.oclc.org/ooxml/officeDocument/math": _M.encode(),
    b"http://purl.oclc.org/ooxml/officeDocument/relationships": _R.encode(),
    b"http://purl.oclc.org/ooxml/drawingml/main": _A.encode(),
    b"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing": _WP.encode(),
    b"http://purl.oclc.org/ooxml/drawingml/chart": f"{_OFFICE}/drawingml/2006/chart".encode(),
    b"http://purl.oclc.org/ooxml/drawingml/diagram": f"{_OFFICE}/drawingml/2006/diagram".encode(),
}


def w(name: str) -> str:
    """A name of WordprocessingML."""
    return f"{{{_W}}}{name}"


def m(name: str) -> str:
    """A name of Office mathematics."""
    return f"{{{_M}}}{name}"


VAL, ID, R_ID = w("val"), w("id"), f"{{{_R}}}id"
DIAGRAM_DATA = f"{{{_R}}}dm"
BODY, P, R, T, TBL, TR, TC, SDT = map(w, ("body", "p", "r", "t", "tbl", "tr", "tc", "sdt"))
PPR, RPR, TRPR, TCPR, FLDCHAR = map(w, ("pPr", "rPr", "trPr", "tcPr", "fldChar"))
PSTYLE, OUTLINE, NUMPR, FRAME = map(w, ("pStyle", "outlineLvl", "numPr", "framePr"))
RSTYLE, VANISH, BOLD, FONTS = map(w, ("rStyle", "vanish", "b", "rFonts"))
FOOTNOTE_REFERENCE, ENDNOTE_REFERENCE = w("footnoteReference"), w("endnoteReference")
COMMENT_START, COMMENT_END, COMMENT_REFERENCE = map(w, ("commentRangeStart", "commentRangeEnd", "commentReference"))
TEXTBOX = w("txbxContent")
M_T, PHANTOM = m("t"), m("phant")
A_T = f"{{{_A}}}t"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
ALTERNATE, CHOICE, FALLBACK = MC + "AlternateContent", MC + "Choice", MC + "Fallback"
OFFICE_SPACES = ("http://schemas.openxmlformats.org/", "http://schemas.microsoft.com/", "urn:schemas-microsoft-com:")
DOC_PROPERTIES = f"{{{_WP}}}docPr"
PICTURE_PROPERTIES = f"{{{_OFFICE}/drawingml/2006/picture}}cNvPr"
_CHART, _CHART_EX = f"{_OFFICE}/drawingml/2006/chart", "http://schemas.microsoft.com/office/drawing/2014/chartex"
CHART, CHART_EX = f"{{{_CHART}}}chart", f"{{{_CHART_EX}}}chart"
CHART_VALUE, CHART_STRINGS = f"{{{_CHART}}}v", f"{{{_CHART}}}strCache"
CHART_EX_POINT, CHART_EX_STRINGS = f"{{{_CHART_EX}}}pt", f"{{{_CHART_EX}}}strDim"
DIAGRAM = f"{{{_OFFICE}/drawingml/2006/diagram}}relIds"
VML = "{urn:schemas-microsoft-com:vml}"

# What a thing is like, not what it says.
PROPERTIES = frozenset(
    map(w, ("sectPr", "sdtPr", "sdtEndPr", "tblPr", "tblGrid", "tblPrEx", "trPr", "tcPr", "pPr", "rPr", "ffData"))
)
DELETED = (w("del"), w("moveFrom"))
# Every element whose text is characters of the document; what the account of a file sums over.
TEXTS = (T, w("delText"), w("instrText"), w("delInstrText"), M_T, A_T)


def child_value(element: Element, *path: str) -> str | None:
    """The `w:val` of the element at `path` below `element`; None if there is none, "" if it has no value."""
    for name in path:
        element = element.find(name)
        if element is None:
            return None
    return element.get(VAL, "")


def is_on(value: str | None) -> bool:
    """Is a switch like `<w:b/>` or `<w:b w:val="0"/>` on? `value` as from `child_value`."""
    return value is not None and value not in ("0", "false", "off", "none")


def whole(value: str | None) -> int | None:
    """An attribute as an integer; None where it is missing or no number."""
    try:
        return int(value) if value is not None else None
    except ValueError:
        return None
