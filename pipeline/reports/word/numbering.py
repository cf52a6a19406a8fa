"""Automatic numbers: Word keeps the rule in numbering.xml and prints "3.2" or "b)", but writes it nowhere.

Counters belong to the abstract definition, so that two lists made from it go on counting; a `startOverride`
starts one list anew where it is first used (ECMA-376 part 1, section 17.9).
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pipeline.reports.archive import Element
from pipeline.reports.numerals import formatted
from pipeline.reports.word.names import FONTS, RPR, VAL, VANISH, child_value, is_on, w, whole
from pipeline.reports.word.styles import Styles
from pipeline.reports.word.symbols import UNKNOWN, readable, symbol

_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_TELLING_BULLETS = frozenset("☐☑☒◻□✓✔✗✘")  # they say what is done, so they are kept


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a list. `pattern` is like "%1.%2", or the whole label of a bullet; "" prints nothing.

    `restart_after` is the level that restarts it.
    """

    start: int
    kind: str
    pattern: str
    restart_after: int | None
    legal: bool
    style: str | None


@dataclass(frozen=True, slots=True)
class Label:
    """What is printed before a paragraph: a bullet ("-", or "- ☒" if it says something), or a number.

    `depth` counts from 0.
    """

    text: str
    depth: int
    bullet: bool


class Numbering:
    """The counters of a document. Ask in reading order: every question counts on."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        self._abstracts: dict[str, Element] = {}
        self._nums: dict[str, Element] = {}
        for element in root if root is not None else ():
            if element.tag == w("abstractNum"):
                self._abstracts[element.get(w("abstractNumId"), "")] = element
            elif element.tag == w("num"):
                self._nums[element.get(w("numId"), "")] = element
        self._levels: dict[str, dict[int, Level]] = {}
        self._starts: dict[str, list[tuple[int, int]]] = {}
        self._counters: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self._started: set[tuple[str, int]] = set()
        self._linked = cache(self._find_linked)

    def label(self, num_id: str, depth: int | None, style: str | None = None) -> Label | None:
        """The label of the next paragraph of a list; None where there is no such list ("0" takes a list off).

        `depth` None asks for the level that is linked to the paragraph's `style`, or to the nearest one that this
        is based on; else for the first.
        """
        num = self._nums.get(num_id)
        if num is None:
            return None
        abstract = self._abstract_of(num)
        levels = self._levels_of(num_id, num, abstract)
        if depth is None:
            depth = self._linked(num_id, style)
        level = levels.get(depth)
        if level is None:
            return None
        numbers = self._count(num_id, abstract, depth, levels)
        text = level.pattern
        if level.kind != "bullet":
            text = _PLACE.sub(lambda place: self._printed(int(place[1]) - 1, numbers, levels, level.legal), text)
        return Label(text.strip(), depth, bullet=level.kind == "bullet") if text.strip() else None

    def _find_linked(self, num_id: str, style: str | None) -> int:
        linked = {level.style: depth for depth, level in reversed(self._levels[num_id].items()) if level.style}
        return next((linked[id_] for id_ in (style, *self._styles.chain(style)) if id_ in linked), 0)

    def _abstract_of(self, num: Element) -> str:
        """The definition's id; a definition may only point to a list style, which points to the real one."""
        abstract = child_value(num, w("abstractNumId")) or ""
        element = self._abstracts.get(abstract)
        linked = child_value(element, w("numStyleLink")) if element is not None else None
        number = self._styles.get(linked).number if linked else None
        target = self._nums.get(number[0]) if number else None
        return (child_value(target, w("abstractNumId")) or abstract) if target is not None else abstract

    def _levels_of(self, num_id: str, num: Element, abstract: str) -> dict[int, Level]:
        if num_id not in self._levels:
            definition = self._abstracts.get(abstract)
            found = list(definition.iterfind(w("lvl"))) if definition is not None else []
            found += [level for override in num.iterfind(w("lvlOverride")) for level in override.iterfind(w("lvl"))]
            levels = {depth: _level(e) for e in found if (depth := whole(e.get(w("ilvl")))) is not None}
            self._levels[num_id] = levels
            self._starts[num_id] = sorted(_starts(num))
        return self._levels[num_id]

    def _count(self, num_id: str, abstract: str, depth: int, levels: dict[int, Level]) -> dict[int, int]:
        counters = self._counters[abstract]
        for at, start in self._starts[num_id]:
            if at <= depth and (num_id, at) not in self._started:
                self._started.add((num_id, at))
                counters[at] = start - (at == depth)  # a level above shows its first number at once
                _restart_below(at, counters, levels)
        for above in range(depth):  # a level that was skipped shows its first number
            if above in levels:
                counters.setdefault(above, levels[above].start)
        counters[depth] = counters.get(depth, levels[depth].start - 1) + 1
        _restart_below(depth, counters, levels)
        return counters

    def _printed(self, depth: int, numbers: dict[int, int], levels: dict[int, Level], legal: bool) -> str:
        level = levels.get(depth)
        if level is None or level.kind == "bullet":
            return ""
        kind = "decimal" if legal and level.kind != "none" else level.kind
        return formatted(numbers.get(depth, level.start), kind, self._styles.language)


def _starts(num: Element) -> Iterator[tuple[int, int]]:
    """(level, number) of the levels that a list starts anew."""
    for override in num.iterfind(w("lvlOverride")):
        at, start = whole(override.get(w("ilvl"))), whole(child_value(override, w("startOverride")))
        if at is not None and start is not None:
            yield at, start


def _restart_below(depth: int, counters: dict[int, int], levels: dict[int, Level]) -> None:
    for below in range(depth + 1, _LEVELS):
        if below in counters and _restarts(levels.get(below), depth):
            del counters[below]


def _restarts(level: Level | None, after: int) -> bool:
    # w:lvlRestart: 0 never; k: only after level k (from 1) or a higher one; absent: after any higher one.
    if level is None or level.restart_after is None:
        return True
    return after < level.restart_after


def _level(element: Element) -> Level:
    kind = _kind(element)
    start = whole(child_value(element, w("start")))
    return Level(
        start=1 if start is None else start,
        kind=kind,
        pattern=_pattern(element, kind),
        restart_after=whole(child_value(element, w("lvlRestart"))),
        legal=is_on(child_value(element, w("isLgl"))),
        style=child_value(element, w("pStyle")),
    )


def _pattern(element: Element, kind: str) -> str:
    text = child_value(element, w("lvlText")) or ""
    if is_on(child_value(element, RPR, VANISH)):
        return ""
    if kind != "bullet":
        return text
    if not text.strip() and element.find(w("lvlPicBulletId")) is None:  # how a further paragraph of an item is indented
        return ""
    mark = _mark(text.strip(), element)
    return f"- {mark}" if mark in _TELLING_BULLETS else "-"


def _mark(text: str, level: Element) -> str:
    """What a bullet looks like in its font."""
    fonts = level.find(f"{RPR}/{FONTS}")
    font = (fonts.get(w("ascii")) or fonts.get(w("hAnsi")) or "") if fonts is not None else ""
    known = symbol(font, f"{ord(text):x}") if len(text) == 1 else None
    return known or readable(text, font).replace(UNKNOWN, "")


def _kind(element: Element) -> str:
    """The format's name. One that is newer than the rest is written beside an older one; "001" stands for itself."""
    custom = next(element.iter(w("numFmt")), None)
    if custom is None:
        return "decimal"
    pattern = custom.get(w("format"), "").split(",")[0].strip()
    return pattern if custom.get(VAL) == "custom" and pattern.strip("0") == "1" else custom.get(VAL, "decimal")
