"""Styles: what a paragraph or a run inherits from its style, and from those that this one is based on."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pipeline.reports.archive import Element
from pipeline.reports.word.names import PPR, RPR, child_value, is_on, w, whole

# Word stores built-in names in English; other writers, and people, store them in their own language.
_HEAD = r"(?:heading|t[ií]tol|t[ií]tulo|encap[cç]alament|encabezado|titre|[üu]berschrift|titolo)"
HEADING_NAME = re.compile(rf"{_HEAD}\s*([1-9])", re.IGNORECASE)
TITLE_NAME = re.compile(r"title|t[ií]tol|t[ií]tulo|titre|titel|titolo", re.IGNORECASE)
CAPTION_NAME = re.compile(
    r"caption|llegenda|ep[ií]grafe?|leyenda|legenda|l[ée]gende|beschriftung|didascalia", re.IGNORECASE
)
CONTENTS_ENTRY_NAME = re.compile(
    r"(?:toc|tdc|idc|contents|[ií]ndice|[ií]ndex|(?:figure|table|illustration|object|user) index)\s*\d+"
    r"|table of figures",
    re.IGNORECASE,
)
CONTENTS_TITLE_NAME = re.compile(
    r"(?:toc|contents|table of contents|(?:(?:figure|table|illustration|object|user) )?index) ?heading"
    rf"|{_HEAD}(?: del?)?(?: la)?(?: l['’]| )"
    r"(?:tdc|idc|toc|sumari|sumario|[ií]ndex|[ií]ndice|taula de continguts?|tabla de contenidos?)(?: d(?:e |['’]).+)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Style:
    """A style with all that it inherits. `level` is a heading's, from 1; `number` is (numId, ilvl).

    `number_style` is the style's own id. `is_contents` marks an entry, or the title, of a table of contents.
    """

    name: str = ""
    level: int | None = None
    number: tuple[str, int | None] | None = None
    number_style: str | None = None
    hidden: bool = False
    bold: bool = False
    is_title: bool = False
    is_caption: bool = False
    is_contents: bool = False


class Styles:
    """All styles of a document by id."""

    def __init__(self, root: Element | None) -> None:
        found = root.iter(w("style")) if root is not None else ()
        self._elements: dict[str, Element] = {style.get(w("styleId"), ""): style for style in found}
        self._default = next((id_ for id_, style in self._elements.items() if _is_default(style)), None)
        self._resolved: dict[str | None, Style] = {}
        self.get = cache(self._resolve)
        self.of_paragraph = cache(self._of_paragraph)
        self.language = self._language(root)

    def chain(self, style_id: str | None) -> Iterator[str]:
        """Ids of the style and those it is based on, nearest first; a circle ends where it closes."""
        seen: set[str] = set()
        while style_id in self._elements and style_id not in seen:
            seen.add(style_id)
            yield style_id
            style_id = child_value(self._elements[style_id], w("basedOn"))

    def _language(self, root: Element | None) -> str:
        """The two letters of the language that paragraphs are in; "en" if the file does not say."""
        chain = [self._elements[id_] for id_ in self.chain(self._default)]
        defaults = root.iterfind(f"{w('docDefaults')}/{w('rPrDefault')}") if root is not None else ()
        said = (child_value(element, RPR, w("lang")) for element in (*chain, *defaults))
        return next((language[:2].casefold() for language in said if language), "en")

    def _of_paragraph(self, style_id: str | None) -> Style:
        """The style of a paragraph: the document's default one where it names none."""
        return self._resolve(style_id or self._default)

    def _resolve(self, style_id: str | None) -> Style:
        if style_id and style_id not in self._elements:  # the file uses a style that it does not define
            return Style(name=style_id, level=_level_of_name(style_id))
        waiting = []
        for id_ in self.chain(style_id):
            if id_ in self._resolved:
                break
            waiting.append(id_)
        style = Style()
        for id_ in reversed(waiting):
            based_on = child_value(self._elements[id_], w("basedOn"))
            style = self._resolved[id_] = _derived(id_, self._elements[id_], self._resolved.get(based_on, Style()))
        return self._resolved.get(style_id, style)


def _derived(style_id: str, element: Element, parent: Style) -> Style:
    """A style, given all of that which it is based on."""
    name = _name(element)
    levels = _own_level(element)
    number = _number(element, parent)
    # Who bases another style on that of the title of the contents wants its looks.
    is_entry = parent.is_contents and not CONTENTS_TITLE_NAME.fullmatch(parent.name) and not any(levels)
    return Style(
        name=name,
        level=levels[0] if levels else parent.level,
        number=number,
        number_style=style_id if number else None,
        hidden=_switch(element, "vanish", parent.hidden),
        bold=_switch(element, "b", parent.bold),
        is_title=bool(TITLE_NAME.fullmatch(name)),
        is_caption=bool(CAPTION_NAME.fullmatch(name)),
        is_contents=is_entry or bool(CONTENTS_ENTRY_NAME.fullmatch(name) or CONTENTS_TITLE_NAME.fullmatch(name)),
    )


def _is_default(style: Element) -> bool:
    return style.get(w("type")) == "paragraph" and is_on(style.get(w("default")))


def _name(style: Element) -> str:
    return (child_value(style, w("name")) or style.get(w("styleId"), "")).strip()


def _level_of_name(name: str) -> int | None:
    match = HEADING_NAME.fullmatch(name.strip())
    return int(match[1]) if match else None


def _own_level(style: Element) -> list[int | None]:
    """What the style itself says of its level, if anything: [None] says that it is no heading."""
    outline = whole(child_value(style, PPR, w("outlineLvl")))
    if outline is not None:
        return [outline + 1 if 0 <= outline < 9 else None]  # 9 says "body text"
    level = _level_of_name(_name(style))
    return [] if level is None else [level]


def _number(style: Element, parent: Style) -> tuple[str, int | None] | None:
    num_id = child_value(style, PPR, w("numPr"), w("numId"))
    depth = whole(child_value(style, PPR, w("numPr"), w("ilvl")))
    if num_id is not None:
        return num_id, depth
    return (parent.number[0], depth) if parent.number and depth is not None else parent.number


def _switch(style: Element, name: str, inherited: bool) -> bool:
    value = child_value(style, RPR, w(name))
    return inherited if value is None else is_on(value)
