"""What the torture document holds: marks, each a word that stands nowhere else, and what must become of it."""

from dataclasses import dataclass
from pathlib import Path

from tests.pipeline.reports.report_files import Craft

READ = "read"  # who reads the file in Word sees it, so it must be in the text
BESIDE = "comment"  # kept beside the text
UNSEEN = "unseen"  # nobody sees it, and it is no character of the document
DELETED, MOVED, HIDDEN = "deleted", "moved away", "hidden"
CONTENTS, FURNITURE, CODE = "table of contents", "header or footer", "field code"
COPY, ORPHAN, BUILDING_BLOCK = "fallback copy", "note without a reference", "building block"

KEPT_BY = {DELETED: "deletions", HIDDEN: "hidden", CONTENTS: "contents", FURNITURE: "headers", BESIDE: "comments"}


@dataclass(frozen=True)
class Mark:
    """One marked word.

    `fate` is READ, BESIDE, UNSEEN, or the reason for which it is left out. `block` is the kind of block that
    holds it, or "heading" or "title". A heading's `level` is the one in the repaired outline; `raw_level` the
    one that the file marks, where they differ; `number` the one that Word prints. `shown` is how the word
    stands in the Markdown, with its label or link. Marks of the same `place` may come in any order.
    """

    word: str
    kind: str
    fate: str = READ
    block: str | None = None
    level: int | None = None
    raw_level: int | None = None
    number: str | None = None
    shown: str | None = None
    place: int = 0


@dataclass(frozen=True)
class Left:
    """Text that is left out, for one of `reasons`. It holds marks, or repeats what is read elsewhere."""

    reasons: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Part:
    """A stretch of the document's body with its marks in reading order, or in `any_order`."""

    xml: str
    marks: tuple[Mark, ...] = ()
    left: tuple[Left, ...] = ()
    any_order: bool = False


def part(xml: str, *what: Mark | Left, any_order: bool = False) -> Part:
    """A stretch of XML and what it holds. A mark that is left out and stands in no `Left` is left out alone."""
    marks = tuple(item for item in what if isinstance(item, Mark))
    left = tuple(item for item in what if isinstance(item, Left))
    alone = (
        Left((mark.fate,), mark.word)
        for mark in marks
        if mark.fate not in (READ, BESIDE, UNSEEN) and not any(mark.word in item.text for item in left)
    )
    return Part(xml, marks, (*left, *alone), any_order)


def heading(xml: str, word: str, kind: str, level: int, number: str | None = None, raw: int | None = None) -> Part:
    """A paragraph that is a heading."""
    return part(xml, Mark(word, kind, block="heading", level=level, raw_level=raw or level, number=number))


def chapter(title: str) -> Part:
    """A plain heading of level 1 that carries no mark of its own."""
    return Part(Craft.p(title, "Heading1"))


def xml_part(root: str, inside: str) -> str:
    """A whole part of the file, with all namespaces."""
    return Craft(Path()).part(root, inside)
