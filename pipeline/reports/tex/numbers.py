"""The numbers that LaTeX prints before headings and items, and nowhere writes."""

import re
from dataclasses import dataclass, field

from pipeline.reports.numerals import KIND_OF_SIGN, formatted
from pipeline.reports.tex.names import SECTIONS

_WITH_CHAPTERS = frozenset(("book", "report", "memoir", "scrbook", "scrreprt", "amsbook"))
_NUMBER = {
    "arabic": "decimal",
    "alph": "lowerLetter",
    "Alph": "upperLetter",
    "roman": "lowerRoman",
    "Roman": "upperRoman",
    **KIND_OF_SIGN,
}
_PATTERN = re.compile(r"\\(arabic|alph|Alph|roman|Roman)\*")
_LABEL = re.compile(r"label\s*=\s*(?:\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}|([^,\]]*))")
_START = re.compile(r"start\s*=\s*(\d+)")
_SHORT = re.compile(r"[1aAiI]")
_DEFAULTS = (r"\arabic*.", r"(\alph*)", r"\roman*.", r"\Alph*.")


@dataclass
class Headings:
    """The counters of a document's sections."""

    document_class: str
    counters: dict[str, int] = field(default_factory=dict)
    in_appendix: bool = False

    @property
    def has_chapters(self) -> bool:
        return self.document_class in _WITH_CHAPTERS

    def next_number(self, kind: str) -> str | None:
        """The number of the next heading of a kind ("section"); None if so deep ones have none."""
        deepest = self.counters.get("secnumdepth", 2 if self.has_chapters else 3)
        if SECTIONS[kind] > deepest:
            return None
        self.counters[kind] = self.counters.get(kind, 0) + 1
        if kind == "part":
            return formatted(self.counters[kind], "upperRoman")
        for below in (name for name, level in SECTIONS.items() if level > SECTIONS[kind]):
            self.counters[below] = 0
        first = "chapter" if self.has_chapters else "section"
        shown = [name for name, level in SECTIONS.items() if SECTIONS[first] <= level <= SECTIONS[kind]]
        return ".".join(self._printed(name, name == first) for name in shown)

    def start_appendix(self) -> None:
        """From here on, the highest counter is a letter, and begins anew."""
        self.in_appendix = True
        self.counters["chapter" if self.has_chapters else "section"] = 0

    def _printed(self, name: str, is_first: bool) -> str:
        return formatted(self.counters.get(name, 0), "upperLetter" if is_first and self.in_appendix else "decimal")


@dataclass
class Items:
    """The labels of one list. `pattern` is like "\\\\alph*)"; None for bullets."""

    pattern: str | None
    reached: int = 0

    def next_label(self) -> str:
        """The next item's label."""
        if self.pattern is None:
            return "-"
        self.reached += 1
        return _PATTERN.sub(lambda kind: formatted(self.reached, _NUMBER[kind[1]]), self.pattern)


def items_of(kind: str, options: str, depth: int) -> Items:
    """A list's labels: `options` as written between its brackets, `depth` how many numbered lists it stands in."""
    if "enum" not in kind:
        return Items(None)
    start = _START.search(options)
    reached = int(start[1]) - 1 if start else 0
    if label := _LABEL.search(options):
        pattern = re.sub(r"\\(?:textbf|textit|emph|bfseries|itshape)\b|[{}]", "", label[1] or label[2] or "").strip()
    elif options and "=" not in options and (short := _SHORT.search(options)):
        name = next(name for name, number in _NUMBER.items() if number == _NUMBER[short[0]])
        pattern = options[: short.start()] + rf"\{name}*" + options[short.end() :]
    else:
        pattern = _DEFAULTS[min(depth, len(_DEFAULTS) - 1)]
    return Items(pattern, reached)
