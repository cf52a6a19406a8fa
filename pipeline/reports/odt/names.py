"""Names in OpenDocument's XML. `q("text:p")` is {urn:…:text:1.0}p."""

import re
from functools import cache

from pipeline.reports.archive import Element

_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
_SPACES = {
    **{name: f"{_OASIS}:{name}:1.0" for name in ("office", "style", "text", "table", "form", "meta", "chart")},
    "draw": f"{_OASIS}:drawing:1.0",
    "svg": f"{_OASIS}:svg-compatible:1.0",
    "fo": f"{_OASIS}:xsl-fo-compatible:1.0",
    "manifest": f"{_OASIS}:manifest:1.0",
    "loext": "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xlink": "http://www.w3.org/1999/xlink",
    "xml": "http://www.w3.org/XML/1998/namespace",
    "math": "http://www.w3.org/1998/Math/MathML",
}
_ESCAPED = re.compile(r"_([0-9a-f]{1,4})_")


@cache
def q(name: str) -> str:
    """The full name of an element or attribute from its usual prefix and its name."""
    prefix, local = name.split(":")
    return f"{{{_SPACES[prefix]}}}{local}"


DRAW = q("draw:x")[:-1]  # how the names of all shapes begin
P, H, LIST, TABLE = q("text:p"), q("text:h"), q("text:list"), q("table:table")
BLOCKS = frozenset((P, H, LIST, TABLE))
CONTAINERS = frozenset((q("draw:text-box"), q("draw:image")))  # of blocks, inside a frame
ALT_TEXTS = (q("svg:title"), q("svg:desc"))


def decoded(style_name: str) -> str:
    """A style's name as people see it: what is no letter is written as its code, "Heading_20_1"."""
    return _ESCAPED.sub(lambda code: chr(int(code[1], 16)), style_name)


def whole(value: str | None, default: int) -> int:
    """An attribute as a whole number; `default` where it is missing or none."""
    return int(value) if value and value.isascii() and value.isdigit() else default


def is_true(element: Element, attribute: str) -> bool:
    """Is an attribute there and "true"?"""
    return bool(element.get(q(attribute)) == "true")
