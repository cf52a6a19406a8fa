"""The account of an OpenDocument file: which characters are text, whoever reads them."""

from collections.abc import Iterator

from pipeline.reports.archive import Archive, Element
from pipeline.reports.blocks import Reading, visible
from pipeline.reports.mathml import COPIES, TOKENS
from pipeline.reports.odt.names import ALT_TEXTS, DRAW, H, P, q
from pipeline.reports.odt.objects import object_root

_INLINE_MARKS = ("s", "tab", "line-break", "change", "ruby", "note", "note-body")
_LISTS = ("list", "list-item", "list-header", "section", "tracked-changes", "changed-region", "deletion", "index-body")
# What holds text by itself, and what holds none, whatever it stands in: that is left to the paragraphs inside it.
_TEXT = frozenset(
    (
        P,
        H,
        *map(
            q,
            (
                "text:note-citation",
                "text:ruby-base",
                "text:ruby-text",
                *(f"math:{token}" for token in (*TOKENS, *COPIES)),
            ),
        ),
    )
)
_NO_TEXT = frozenset(map(q, (f"text:{name}" for name in (*_INLINE_MARKS, *_LISTS))))
_NO_TEXT_SPACES = tuple(q(f"{prefix}:x")[:-1] for prefix in ("office", "draw", "table", "form", "dc", "meta", "math"))


def texts(root: Element) -> Iterator[str]:
    """Every piece of text below an element, in its order. Only paragraphs and what they hold have text."""
    parent = root.getparent()
    yield from _texts(root, parent is not None and _holds_text(parent))


def _texts(element: Element, around: bool) -> Iterator[str]:
    holds = says_of_itself(element)
    holds = around if holds is None else holds
    if holds and element.text:
        yield element.text
    for child in element:
        yield from _texts(child, holds)
        if holds and child.tail:
            yield child.tail


def says_of_itself(element: Element) -> bool | None:
    """Whether an element holds text, whatever it stands in; None if that is as around it."""
    tag = element.tag
    if tag in _TEXT:
        return True
    if tag in ALT_TEXTS:
        parent = element.getparent()
        return True if parent is not None and parent.tag.startswith(DRAW) else None
    return False if tag in _NO_TEXT or tag.startswith(_NO_TEXT_SPACES) else None


def _holds_text(element: Element | None) -> bool:
    while element is not None:
        if (holds := says_of_itself(element)) is not None:
            return holds
        element = element.getparent()
    return False


def count(root: Element | None) -> int:
    """How many visible characters stand below an element."""
    return sum(map(visible, texts(root))) if root is not None else 0


def account_for_objects(archive: Archive, reading: Reading, read: set[str]) -> None:
    """Count embedded objects, and leave out those that no frame shows. `read` holds the names of those read."""
    for name in archive.names:
        folder, _, file = name.rpartition("/")
        if folder and "/" not in folder and file == "content.xml":
            characters = count(object_root(archive, folder))
            reading.tally.visible += characters
            if folder not in read and characters:
                reading.tally.left_out["drawing without a reference"] += characters
