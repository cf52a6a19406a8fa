"""The account of an OpenDocument file: which characters are text, whoever reads them."""

from collections.abc import Iterator

from pipeline.reports.archive import Archive, Element
from pipeline.reports.blocks import Reading, visible
from pipeline.reports.odt.names import q
from pipeline.reports.odt.objects import object_root

# Who remarked or changed something, and when, is printed nowhere in the text.
_NO_TEXT = frozenset(
    map(
        q,
        ("dc:creator", "dc:date", "meta:date-string", "meta:creator-initials", "loext:sender-initials")
        + ("office:binary-data",),
    )
)


def texts(root: Element) -> Iterator[str]:
    """Every piece of text below an element, in its order."""
    for element in root.iter():
        if element.text and element.tag not in _NO_TEXT:
            yield element.text
        if element.tail and element is not root:
            yield element.tail


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
