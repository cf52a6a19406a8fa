"""Labels of a list's items, as a browser counts them (HTML, section 4.4.5)."""

import re

from bs4.element import Tag

from pipeline.reports.html.saved_by_word import class_of
from pipeline.reports.numerals import KIND_OF_SIGN, formatted

_KINDS = {
    **KIND_OF_SIGN,
    "lower-alpha": "lowerLetter",
    "lower-latin": "lowerLetter",
    "upper-alpha": "upperLetter",
    "upper-latin": "upperLetter",
    "lower-roman": "lowerRoman",
    "upper-roman": "upperRoman",
    "decimal-leading-zero": "decimalZero",
}
_STYLE = re.compile(r"list-style(?:-type)?\s*:\s*([\w-]+)")
_DEEP_CLASS = re.compile(r"lst-kix_\w+-(\d)")


class OpenList:
    """A list that is being read. `depth` counts from 0; None where it is as deep as it is nested."""

    def __init__(self, tag: Tag) -> None:
        self._is_numbered = tag.name == "ol"
        self._step = -1 if tag.has_attr("reversed") else 1
        first = len(tag.find_all("li", recursive=False)) if self._step < 0 else 1
        start = whole(tag.get("start"))
        self._next = start if start is not None else first
        style = _STYLE.search(str(tag.get("style", "")))
        self._kind = _KINDS.get(str(tag.get("type", "")) or (style[1] if style else ""), "decimal")
        # Some writers put lists that are deeper beside the others, and say so in a class only.
        deep = _DEEP_CLASS.search(class_of(tag))
        self.depth = int(deep[1]) if deep else None

    def label(self, item: Tag) -> str:
        """The label of its next item."""
        if not self._is_numbered:
            return "-"
        value = whole(item.get("value"))
        number = value if value is not None else self._next
        self._next = number + self._step
        return f"{formatted(number, self._kind)}."


def whole(value: object) -> int | None:
    """An attribute as a whole number; None where it is missing or none."""
    text = str(value).strip() if value is not None else ""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,6}", text) else None
