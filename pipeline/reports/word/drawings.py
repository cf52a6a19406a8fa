"""Words in charts and diagrams (SmartArt): they live in parts of their own.

Of a chart its titles, series, categories and labels are read, not the values that it draws.
"""

import re
from collections import defaultdict
from datetime import date, timedelta
from itertools import groupby

from lxml import etree

from pipeline.reports.archive import Element
from pipeline.reports.blocks import Tally, tidy, visible
from pipeline.reports.word import names as n


def _beside(known: str, *names: str) -> frozenset[str]:
    """Qualified names from the namespace of a `known` one."""
    space = etree.QName(known).namespace
    return frozenset(f"{{{space}}}{name}" for name in names)


(_PARAGRAPH,), (_BREAK,), (_FIELD,) = (_beside(n.A_T, name) for name in ("p", "br", "fld"))
(_CATEGORIES,), (_CODE,), (_FROM_1904,) = (_beside(n.CHART_VALUE, name) for name in ("cat", "formatCode", "date1904"))
_PLOTTED = _beside(n.CHART_VALUE, "val", "xVal", "yVal", "bubbleSize", "plus", "minus")
_NUMBERS = _beside(n.CHART_VALUE, "numCache", "numLit") | _beside(n.CHART_EX_POINT, "numDim")
_DIMENSIONS = _beside(n.CHART_EX_POINT, "numDim", "strDim")
_CHARTS = _beside(n.CHART_VALUE, "chartSpace") | _beside(n.CHART_EX_POINT, "chartSpace")
(_POINT,), (_CONNECTION,) = (_beside(n.DIAGRAM, name) for name in ("pt", "cxn"))
_LEAVES = (n.A_T, n.M_T, n.CHART_VALUE, n.CHART_EX_POINT, *_beside(n.CHART_EX_POINT, "v"))

_PLACEHOLDER = re.compile(r"\s*\[.*\]\s*", re.DOTALL)
_LITERAL = re.compile(r'"[^"]*"|\[[^\]]*\]|[\\_*].')
_DATE_CODE = re.compile(r"(?=.*[dmy])[dmyhs/\-., :]+")
_FIGURES = re.compile(r"y+|m+|d+")
_LAST_DAY = 2_950_000  # in the year 9976


def drawing_texts(part: Element) -> list[str]:
    """Every text of the part, shown or not, in their order."""
    return [leaf.text or "" for leaf in part.iter(*_LEAVES)]


def drawing_text(part: Element, tally: Tally) -> tuple[str, int]:
    """The words in one line, and how many characters of the part they are.

    A chart's repeated labels come once; numbers that are categories (years, dates) are written as the chart shows
    them. A diagram's texts follow its tree: what stands below a text comes after it.
    """
    is_chart = part.tag in _CHARTS
    known: set[str] = set()
    texts: list[str] = []
    characters = 0
    found = list(part.iter(*_LEAVES, _BREAK))
    for _, leaves in groupby(found if is_chart else _by_tree(part, found), key=_paragraph_of):
        shown = [leaf for leaf in leaves if not is_chart or not _is_left(leaf, tally)]
        text, length = tidy("".join(map(_shown, shown))), sum(visible(leaf.text or "") for leaf in shown)
        if not length:
            continue
        if is_chart and text in known:
            tally.left_out["repeated chart label"] += length
            continue
        known.add(text)
        texts.append(text)
        characters += length
    return "; ".join(texts), characters


def _by_tree(part: Element, leaves: list[Element]) -> list[Element]:
    """The texts of a diagram from the top of its tree down; those that hang nowhere come last."""
    below: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for connection in part.iter(_CONNECTION):
        if connection.get("type", "parOf") == "parOf":
            order = n.whole(connection.get("srcOrd")) or 0
            below[connection.get("srcId", "")].append((order, connection.get("destId", "")))
    hanging = {point for points in below.values() for _, point in points}
    waiting = [point.get("modelId", "") for point in part.iter(_POINT)]
    waiting = [point for point in reversed(waiting) if point not in hanging]
    places: dict[str, int] = {}
    while waiting:
        point = waiting.pop()
        if point not in places:
            places[point] = len(places)
            waiting += [lower for _, lower in sorted(below[point], reverse=True)]
    return sorted(leaves, key=lambda leaf: places.get(_point_of(leaf), len(places)))


def _point_of(leaf: Element) -> str:
    point = next(leaf.iterancestors(_POINT), None)
    return point.get("modelId", "") if point is not None else ""


def _paragraph_of(leaf: Element) -> Element:
    """What a text is part of: its paragraph, or else nothing but itself."""
    return next(leaf.iterancestors(_PARAGRAPH), leaf)


def _is_left(leaf: Element, tally: Tally) -> bool:
    """Leave out what a chart draws as bars or lines, and the names of what is to stand in its labels."""
    if leaf.tag in (n.A_T, n.M_T, _BREAK):
        reason = "field code"
        is_left = leaf.getparent().tag == _FIELD and _PLACEHOLDER.fullmatch(leaf.text or "") is not None
    else:
        reason, is_left = "chart data", _is_value(leaf)
    if is_left:
        tally.leave(reason, leaf.text or "")
    return is_left


def _is_value(leaf: Element) -> bool:
    dimension = next(leaf.iterancestors(*_DIMENSIONS), None)
    if dimension is not None:  # of a newer kind of chart
        kind = dimension.get("type")
        return kind != "cat" if dimension.tag in _NUMBERS else kind == "entityId"
    above = {element.tag for element in leaf.iterancestors()}
    return bool(above & _PLOTTED) or (bool(above & _NUMBERS) and _CATEGORIES not in above)


def _shown(leaf: Element) -> str:
    if leaf.tag == _BREAK:
        return " "
    text = str(leaf.text or "")
    if next(leaf.iterancestors(*_NUMBERS), None) is None:
        return text
    return formatted_number(text, _code_of(leaf), from_1904=_counts_from_1904(leaf))


def _code_of(leaf: Element) -> str:
    """The number format: a point's own, or else that of all of them."""
    for element in (leaf, *leaf.iterancestors()):
        code = element.get("formatCode") or element.findtext(_CODE)
        if code or element.tag in _NUMBERS:
            return str(code or "")
    return ""


def _counts_from_1904(leaf: Element) -> bool:
    switch = leaf.getroottree().getroot().find(_FROM_1904)
    return switch is not None and n.is_on(switch.get("val", ""))


def formatted_number(text: str, code: str, *, from_1904: bool = False) -> str:
    """A number of a chart as its format `code` says: "2023.0" is "2023", 0.5 in "0%" is "50%".

    Dates (days since the end of 1899, or since 1904) are written in figures: "yyyy" and "dd/mm/yy" as they say,
    and those with names of months as 2023-01 or 2023-01-31. Text that is no number stays.
    """
    try:
        number = float(text)
    except ValueError:
        return text
    bare = _LITERAL.sub("", code.split(";")[0]).strip().casefold()
    if _DATE_CODE.fullmatch(bare) and 1 <= number < _LAST_DAY:
        first = date(1904, 1, 1) if from_1904 else date(1899, 12, 30)
        return _dated(first + timedelta(days=int(number)), bare)
    if "%" in bare:
        return f"{number * 100:.10g}%"
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else f"{number:.10g}"


def _dated(day: date, code: str) -> str:
    if re.search("mmm|ddd|h|s", code):
        return day.isoformat() if "d" in code else day.isoformat()[:7]
    parts = {"y": (day.year % 100, day.year), "m": (day.month, day.month), "d": (day.day, day.day)}
    return _FIGURES.sub(lambda found: f"{parts[found[0][0]][len(found[0]) > 2]:0{len(found[0])}d}", code)
