"""The main text in its order, a few blocks at a time: what has been read is let go, so that memory stays small.

    <w:body>  p  p  tbl  p(field begins)  p  p(field ends)  p ...
              └┘ └┘ └─┘  └──────────────────────────────┘  └┘     one group each

A group ends where all its fields have ended: whether a field ends at all decides how its text is read.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple, cast

from lxml import etree

from pipeline.reports.archive import Element, pull_parser
from pipeline.reports.word import names as n
from pipeline.reports.word.fields import match_fields
from pipeline.reports.word.package import Package

_STEP_BYTES = 1 << 18
_FREQUENT = (n.P, n.TBL, n.SDT)  # the parser reports these; others come along with the next of them


class Group(NamedTuple):
    """Blocks that are read together, and the beginnings of the fields that end within them."""

    blocks: Sequence[Element]
    fields: Set[Element]


def groups(package: Package, name: str) -> Iterator[Group]:
    """Groups of the blocks of a main part, taken out of their tree.

    Raises:
        UserError: the part is damaged, or built to do harm.
    """
    blocks: list[Element] = []
    opened: list[Element] = []
    closed: set[Element] = set()
    for block in _blocks(package, name):
        blocks.append(block)
        match_fields(block, opened, closed)
        if not opened:
            yield Group(blocks, closed)
            blocks, closed = [], set()
    if blocks:
        yield Group(blocks, closed)


def group_of(*blocks: Element) -> Group:
    """A group of blocks that are there already."""
    closed: set[Element] = set()
    opened: list[Element] = []
    for block in blocks:
        match_fields(block, opened, closed)
    return Group(blocks, closed)


def _blocks(package: Package, name: str) -> Iterator[Element]:
    """Children of the body, each as soon as it is whole; then what stands beside the body, if anything does."""
    data = package.xml(name)
    parser = pull_parser(_FREQUENT)
    try:
        for start in range(0, len(data), _STEP_BYTES):
            parser.feed(data[start : start + _STEP_BYTES])
            for _, element in cast(Iterable[tuple[str, Element]], parser.read_events()):
                parent = element.getparent()
                if parent is None or parent.tag != n.BODY:
                    continue
                while (first := parent[0]) is not element:  # which stays: the parser still adds behind it
                    parent.remove(first)
                    yield first
        root = parser.close()
    except etree.XMLSyntaxError as error:
        raise package.damaged(name, error) from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise package.harmful(f"its part {name} has a DOCTYPE")
    for child in list(root):
        yield from list(child) if child.tag == n.BODY else (child,)
