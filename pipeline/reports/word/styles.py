"""Styles: what a paragraph or a run inherits from its style, and from those that this one is based on."""

import re
from dataclasses import dataclass
from functools import cache

from pipeline.reports.archive import Element
from pipeline.reports.word.names import PPR, RPR, VAL, child_value, is_on, w, whole

# Word stores built-in names in English; other writers, and people, store them in their own language.
_HEADING = re.compile(
    r"(?:heading|t[ií]tol|t[ií]tulo|encap[cç]alament|encabezado|titre|[üu]berschrift|titolo)\s*([1-9])",
    re.IGNORECASE,
)
_TITLE = re.compile(r"title|t[ií]tol|t[ií]tulo|titre|titel|titolo", re.IGNORECASE)
_CAPTION = re.compile(
    r"caption|llegenda|ep[ií]grafe?|leyenda|legenda|l[ée]gende|beschriftung|didascalia", re.IGNORECASE
)
_CONTENTS = re.compile(r"(?:toc|tdc|idc|contents|[ií]ndice|[ií]ndex)\s*\d|toc heading|table of figures", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Style:
    """A style with all that it inherits. `level` is a heading's, from 1; `number` is (numId, ilvl).

    `is_contents` marks an entry, or the title, of a table of contents.
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
        self.get = cache(self._resolve)
        self.of_paragraph = cache(self._of_paragraph)

    def _of_paragraph(self, style_id: str | None) -> Style:
        """The style of a paragraph: the document's default one where it names none."""
        return self._resolve(style_id or self._default)

    def _resolve(self, style_id: str | None) -> Style:
        chain = self._chain(style_id)
        if style_id and not chain:  # the file uses a style that it does not define
            return Style(name=style_id, level=_level_of_name(style_id))
        number, number_style = self._number(chain)
        name = _name(chain[0]) if chain else ""
        return Style(
            name=name,
            level=_level(chain),
            number=number,
            number_style=number_style,
            hidden=_switch(chain, "vanish"),
            bold=_switch(chain, "b"),
            is_title=bool(_TITLE.fullmatch(name)),
            is_caption=bool(_CAPTION.fullmatch(name)),
            is_contents=bool(_CONTENTS.fullmatch(name)),
        )

    def _chain(self, style_id: str | None) -> list[Element]:
        """The style and those it is based on; a circle ends where it closes."""
        chain: list[Element] = []
        while style_id in self._elements and self._elements[style_id] not in chain:
            chain.append(self._elements[style_id])
            style_id = child_value(chain[-1], w("basedOn"))
        return chain

    def _number(self, chain: list[Element]) -> tuple[tuple[str, int | None] | None, str | None]:
        depth: int | None = None
        for style in chain:
            depth = depth if depth is not None else whole(child_value(style, PPR, w("numPr"), w("ilvl")))
            num_id = child_value(style, PPR, w("numPr"), w("numId"))
            if num_id is not None:
                return (num_id, depth), chain[0].get(w("styleId"))
        return None, None


def _is_default(style: Element) -> bool:
    return style.get(w("type")) == "paragraph" and is_on(style.get(w("default")))


def _name(style: Element) -> str:
    return (child_value(style, w("name")) or style.get(w("styleId"), "")).strip()


def _level_of_name(name: str) -> int | None:
    match = _HEADING.fullmatch(name.strip())
    return int(match[1]) if match else None


def _level(chain: list[Element]) -> int | None:
    for style in chain:
        outline = whole(child_value(style, PPR, w("outlineLvl")))
        if outline is not None:
            return outline + 1 if 0 <= outline < 9 else None  # 9 says "body text"
        if (level := _level_of_name(_name(style))) is not None:
            return level
    return None


def _switch(chain: list[Element], name: str) -> bool:
    for style in chain:
        properties = style.find(RPR)
        element = properties.find(w(name)) if properties is not None else None
        if element is not None:
            return is_on(element.get(VAL, ""))
    return False
