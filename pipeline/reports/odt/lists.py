"""Numbers and bullets: OpenDocument writes the rule of a list, as Word does, and not what it prints.

Counters belong to one list; a list that continues another goes on with that one's (OpenDocument 1.3, part 3,
section 19.780). An item counts where its first paragraph stands: items that only hold a deeper list do not.
"""

import re
from dataclasses import dataclass, field

from pipeline.reports.archive import Element
from pipeline.reports.numerals import formatted
from pipeline.reports.odt.names import P, q, whole
from pipeline.reports.odt.styles import Styles

_PLACE = re.compile(r"%(\d+)%")
_KINDS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_DEEPEST = 10


@dataclass(frozen=True, slots=True)
class Label:
    """What is printed before a paragraph: a bullet, or a number; `depth` counts from 0."""

    text: str
    depth: int
    bullet: bool


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a list style. `pattern` is like "%1%.%2%"."""

    bullet: bool
    kind: str
    pattern: str
    start: int
    repeats_letters: bool


@dataclass
class Counters:
    """The numbers that one list has reached, by depth from 1."""

    reached: dict[int, int] = field(default_factory=dict)

    def count(self, depth: int, levels: dict[int, Level], start: int | None) -> None:
        """Go on to the next item at `depth`, which is given the number `start`, if any."""
        for above in range(1, depth):  # a level that was skipped shows its first number
            self.reached.setdefault(above, levels[above].start if above in levels else 1)
        first = levels[depth].start if depth in levels else 1
        self.reached[depth] = start if start is not None else self.reached.get(depth, first - 1) + 1
        for below in range(depth + 1, _DEEPEST + 1):
            self.reached.pop(below, None)


@dataclass(frozen=True, slots=True)
class Item:
    """The item that is being read: its list's counters and style, its depth, the number it is given, if any.

    Its label stands before the paragraph `labelled`; other paragraphs of the item have none.
    """

    counters: Counters
    style: str
    depth: int
    start: int | None
    labelled: Element | None


class Lists:
    """All lists of a document. Ask in reading order: every label counts on."""

    def __init__(self, styles: Styles) -> None:
        outline = styles.outline
        self._styles = {name: levels_of(element) for name, element in styles.lists.items()}
        self.outline_name = outline.get(q("style:name"), "Outline") if outline is not None else "Outline"
        if outline is not None:
            self._styles[self.outline_name] = levels_of(outline)
        self._by_id: dict[str, Counters] = {}
        self._by_style: dict[str, Counters] = {}

    def counters(self, element: Element, style: str) -> Counters:
        """Those of a list: of the one it continues, else new ones. All headings share one list."""
        continued = self._by_id.get(element.get(q("text:continue-list"), ""))
        if continued is None and (
            element.get(q("text:continue-numbering")) == "true" or style in ("", self.outline_name)
        ):
            continued = self._by_style.get(style) if style else None
        counters = continued or Counters()
        self._by_style[style] = counters
        if (identity := element.get(q("xml:id")) or element.get(q("text:list-id"))) is not None:
            self._by_id[identity] = counters
        return counters

    def shared(self, style: str) -> Counters:
        """The counters of all paragraphs that have their list by their style only, headings above all."""
        return self._by_style.setdefault(style, Counters())

    def label(self, counters: Counters, style: str, depth: int, start: int | None) -> Label | None:
        """The label of the next item at `depth` (from 1); None if the style prints none there."""
        levels = self._styles.get(style, {})
        depth = min(depth, _DEEPEST)
        counters.count(depth, levels, start)
        level = levels.get(depth)
        if level is None:
            return None if levels else Label("-", depth - 1, bullet=True)
        if level.bullet:
            return Label("-", depth - 1, bullet=True)
        text = _PLACE.sub(lambda place: _printed(int(place[1]), counters, levels), level.pattern).strip()
        return Label(text, depth - 1, bullet=False) if text else None


def levels_of(style: Element) -> dict[int, Level]:
    """The levels of a list style, or of the headings' outline style, by depth from 1."""
    levels: dict[int, Level] = {}
    for element in style:
        depth = whole(element.get(q("text:level")), 0)
        if not 1 <= depth <= _DEEPEST:
            continue
        kind = element.get(q("style:num-format"), "")
        shown = range(max(1, depth - whole(element.get(q("text:display-levels")), 1) + 1), depth + 1)
        places = ".".join(f"%{d}%" for d in shown if d == depth or (d in levels and levels[d].kind))
        before, after = element.get(q("style:num-prefix"), ""), element.get(q("style:num-suffix"), "")
        pattern = element.get(q("loext:num-list-format")) or f"{before}{places}{after}"
        levels[depth] = Level(
            bullet=element.tag in (q("text:list-level-style-bullet"), q("text:list-level-style-image")),
            kind=_KINDS.get(kind, kind and "decimal"),
            pattern=pattern if kind else "",
            start=whole(element.get(q("text:start-value")), 1),
            repeats_letters=element.get(q("style:num-letter-sync")) == "true",
        )
    return levels


def start_of(item: Element) -> int | None:
    """The number that an item is given, if it does not just count on."""
    start = item.get(q("text:start-value"))
    return whole(start, 1) if start is not None else None


def first_paragraph(item: Element) -> Element | None:
    """The paragraph or heading that an item's label stands before; None if the item begins with a list."""
    for child in item:
        if child.tag in (P, q("text:h")):
            return child
        if child.tag in (q("text:list"), q("table:table"), q("text:section")):
            return None
    return None


def _printed(depth: int, counters: Counters, levels: dict[int, Level]) -> str:
    level = levels.get(depth)
    if level is None or level.bullet or not level.kind:
        return ""
    number = counters.reached.get(depth, level.start)
    if level.kind.endswith("Letter") and not level.repeats_letters and number > 26:
        letters = ""
        while number:  # a ... z, aa, ab: OpenDocument counts on as sheets count their columns
            number, rest = divmod(number - 1, 26)
            letters = chr(ord("a") + rest) + letters
        return letters if level.kind == "lowerLetter" else letters.upper()
    return formatted(number, level.kind)
