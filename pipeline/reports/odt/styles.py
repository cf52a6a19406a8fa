"""Styles of an OpenDocument file: what a paragraph or a span inherits from its style and that one's parents."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pipeline.reports.archive import Element
from pipeline.reports.odt.names import decoded, is_true, q
from pipeline.reports.word.styles import (
    CAPTION_NAME,
    CONTENTS_ENTRY_NAME,
    CONTENTS_TITLE_NAME,
    HEADING_NAME,
    TITLE_NAME,
)


@dataclass(frozen=True, slots=True)
class Style:
    """A style with all that it inherits.

    `names` are its own and its parents', as people see them. `level` is a heading's, from 1. `list_style` is ""
    where the style says that there is no number.
    """

    names: tuple[str, ...] = ()
    level: int | None = None
    list_style: str | None = None
    hidden: bool = False
    bold: bool = False

    @property
    def is_title(self) -> bool:
        return any(map(TITLE_NAME.fullmatch, self.names))

    @property
    def is_caption(self) -> bool:
        return any(map(CAPTION_NAME.fullmatch, self.names))

    @property
    def is_contents(self) -> bool:
        """Does it mark an entry, or the title, of a table of contents?"""
        return any(CONTENTS_ENTRY_NAME.fullmatch(s) or CONTENTS_TITLE_NAME.fullmatch(s) for s in self.names)


class Styles:
    """The styles that one part of the file sees: its own automatic ones, and those that have names."""

    def __init__(self, *roots: Element | None) -> None:
        """`roots` are document parts; of two styles with one name, the first one's counts."""
        self._elements: dict[tuple[str, str], Element] = {}
        self.lists: dict[str, Element] = {}
        self.outline: Element | None = None
        for element in _definitions(roots):
            name = element.get(q("style:name"), "")
            if element.tag == q("style:style"):
                self._elements.setdefault((element.get(q("style:family"), ""), name), element)
            elif element.tag == q("text:list-style"):
                self.lists.setdefault(name, element)
            elif element.tag == q("text:outline-style") and self.outline is None:
                self.outline = element
        self.paragraph = cache(self._paragraph)
        self.text = cache(self._text)

    def _paragraph(self, name: str) -> Style:
        chain = self._chain("paragraph", name)
        return Style(
            names=tuple(map(_shown, chain)) or (decoded(name),),
            level=_level(chain, name),
            list_style=next((s for e in chain if (s := e.get(q("style:list-style-name"))) is not None), None),
            hidden=_property(chain, "text:display") == "none",
            bold=_is_bold(_property(chain, "fo:font-weight")),
        )

    def _text(self, name: str) -> tuple[bool | None, bool | None]:
        """(hidden, bold) of a span's style; None where it says nothing of it."""
        chain = self._chain("text", name)
        display, weight = _property(chain, "text:display"), _property(chain, "fo:font-weight")
        return display and display == "none", weight and _is_bold(weight)  # type: ignore[return-value]

    def _chain(self, family: str, name: str | None) -> list[Element]:
        """The style and its parents; a circle ends where it closes."""
        chain: dict[str, Element] = {}
        while name and name not in chain and (element := self._elements.get((family, name))) is not None:
            chain[name] = element
            name = element.get(q("style:parent-style-name"))
        return list(chain.values())


def is_hidden(section: Element) -> bool:
    """Is a section switched off? What its condition has come to is written beside it."""
    display = section.get(q("text:display"))
    return display == "none" or (display == "condition" and is_true(section, "text:is-hidden"))


def _definitions(roots: tuple[Element | None, ...]) -> Iterator[Element]:
    for root in roots:
        for place in ("office:automatic-styles", "office:styles"):
            yield from root.iterfind(f"{q(place)}/*") if root is not None else ()


def _shown(style: Element) -> str:
    return style.get(q("style:display-name")) or decoded(style.get(q("style:name"), ""))


def _level(chain: list[Element], name: str) -> int | None:
    for style in chain:
        level = style.get(q("style:default-outline-level"))
        if level is not None:
            return int(level) if level.isdigit() and int(level) else None
        if match := HEADING_NAME.fullmatch(_shown(style)):
            return int(match[1])
    match = None if chain else HEADING_NAME.fullmatch(decoded(name))
    return int(match[1]) if match else None


def _property(chain: list[Element], name: str) -> str | None:
    for style in chain:
        for properties in style.iterfind(q("style:text-properties")):
            if (value := properties.get(q(name))) is not None:
                return str(value)
    return None


def _is_bold(weight: str | None) -> bool:
    return weight == "bold" or bool(weight and weight.isdigit() and int(weight) >= 600)
