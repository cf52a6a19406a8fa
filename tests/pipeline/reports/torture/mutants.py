"""Files that went wrong in every way that a disk, a mail server or an enemy can think of. All by a seed."""

import io
import zipfile
from collections.abc import Callable
from copy import deepcopy
from random import Random

from lxml import etree

from tests.pipeline.reports.torture.chunks import LONG_AGO

Parts = dict[str, bytes]
_ODD_VALUES = ("", "-1", "0", "99999999999999999999", "NaN", "true", "../../../etc/passwd", "é\u202e", "x" * 3000)
_ODD_TEXTS = ("\ufffd", "\u202e\u0301", "𝔪" * 50, " \t\n", "]]", "%1" * 200)


def mutant_zip(parts: Parts, seed: int) -> bytes:
    """A zip of parts, of which one to three things are wrong."""
    dice = Random(seed)
    changed = dict(parts)
    for _ in range(dice.randint(1, 3)):
        dice.choice(_OF_PARTS)(changed, dice)
    data = _packed(changed)
    return dice.choice(_OF_BYTES)(data, dice) if dice.random() < 0.2 else data


def mutant_text(data: bytes, seed: int) -> bytes:
    """Bytes of any file, of which one to ten things are wrong."""
    dice = Random(seed)
    for _ in range(dice.randint(1, 10)):
        data = dice.choice((*_OF_BYTES, _line_dropped, _line_doubled, _piece_moved))(data, dice) or b" "
    return data


def _packed(parts: Parts) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), content)
    return buffer.getvalue()


# ---- bytes ----


def _flipped(data: bytes, dice: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.randint(1, 12)):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def _truncated(data: bytes, dice: Random) -> bytes:
    return data[: dice.randrange(1, len(data) + 1)]


def _hole(data: bytes, dice: Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + data[at + dice.randrange(200) :]


def _line_dropped(data: bytes, dice: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    del lines[dice.randrange(len(lines))]
    return b"".join(lines)


def _line_doubled(data: bytes, dice: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    at = dice.randrange(len(lines))
    return b"".join((*lines[:at], lines[at] * dice.randint(2, 200), *lines[at:]))[: 1 << 20]


def _piece_moved(data: bytes, dice: Random) -> bytes:
    start = dice.randrange(len(data))
    piece = data[start : start + dice.randrange(1, 100)]
    at = dice.randrange(len(data))
    return data[:at] + piece + data[at:]


_OF_BYTES: tuple[Callable[[bytes, Random], bytes], ...] = (_flipped, _truncated, _hole)


# ---- parts ----


def _xml_name(parts: Parts, dice: Random) -> str:
    """A part of XML; mostly the one that holds the text."""
    names = [name for name in parts if name.endswith((".xml", ".rels"))]
    main = [name for name in names if name in ("word/document.xml", "content.xml")]
    return dice.choice(main or names) if dice.random() < 0.6 else dice.choice(names)


def _bytes_of_part(parts: Parts, dice: Random) -> None:
    name = dice.choice(sorted(parts))
    parts[name] = dice.choice(_OF_BYTES)(parts[name], dice) if parts[name] else b"?"


def _part_gone(parts: Parts, dice: Random) -> None:
    if len(parts) > 1:
        del parts[dice.choice(sorted(parts))]


def _parts_swapped(parts: Parts, dice: Random) -> None:
    one, other = dice.choice(sorted(parts)), dice.choice(sorted(parts))
    parts[one], parts[other] = parts[other], parts[one]


def _relationship_astray(parts: Parts, dice: Random) -> None:
    """A relationship that leads nowhere, outside, to another part, or back to the part it comes from."""
    names = [name for name in parts if name.endswith(".rels")]
    if not names:
        return
    name = dice.choice(names)
    root = _parsed(parts[name])
    if root is None or not len(root):
        return
    targets = ("nowhere.xml", "document.xml", "../../../../etc/passwd", "file:///etc/passwd", "/", "", *parts)
    for relation in dice.sample(list(root), dice.randint(1, len(root))):
        relation.set(dice.choice(("Target", "Target", "Id", "Type")), dice.choice(targets))
    parts[name] = etree.tostring(root)


def _parsed(data: bytes) -> etree._Element | None:
    try:
        return etree.fromstring(data, etree.XMLParser(resolve_entities=False, huge_tree=True))
    except (etree.XMLSyntaxError, ValueError):
        return None  # broken by what was done to it before


def _of_xml(change: Callable[[etree._Element, list[etree._Element], Random], None]) -> Callable[[Parts, Random], None]:
    """Let a change of a tree be one of a part."""

    def changed(parts: Parts, dice: Random) -> None:
        name = _xml_name(parts, dice)
        root = _parsed(parts[name])
        elements = [e for e in root.iter() if isinstance(e.tag, str) and e is not root] if root is not None else []
        if root is None or not elements:
            return
        for _ in range(dice.randint(1, 8)):
            change(root, elements, dice)
        parts[name] = etree.tostring(root, encoding="UTF-8")

    return changed


def _dropped(root: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    element = dice.choice(elements)
    if (parent := element.getparent()) is not None:
        parent.remove(element)


def _doubled(root: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    element = dice.choice(elements)
    if element.getparent() is not None:
        for _ in range(dice.choice((1, 1, 1, 40))):
            element.addnext(_copied(element))


def _nested(root: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    """An element copied into any other, its own ancestors and descendants too."""
    dice.choice(elements).append(_copied(dice.choice(elements)))


def _wrapped(root: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    """An element wrapped in empty copies of another, up to 300 deep."""
    element, outer = dice.choice(elements), dice.choice(elements)
    parent = element.getparent()
    if parent is None:
        return
    at = parent.index(element)
    for _ in range(dice.choice((1, 5, 50, 300))):
        around = etree.Element(outer.tag, dict(outer.attrib))
        around.append(element)
        element = around
    parent.insert(at, element)


def _renamed(root: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    dice.choice(elements).tag = dice.choice(elements).tag


def _attributes_shuffled(root: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    name = dice.choice([name for element in elements for name in element.attrib] or ["x"])
    holders = [element for element in elements if name in element.attrib]
    values = [element.attrib[name] for element in holders]
    dice.shuffle(values)
    for element, value in zip(holders, values, strict=True):
        element.attrib[name] = value


def _attribute_odd(root: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    element = dice.choice(elements)
    for name in element.attrib:
        element.attrib[name] = dice.choice(_ODD_VALUES)


def _text_odd(root: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    dice.choice(elements).text = dice.choice(_ODD_TEXTS)


def _copied(element: etree._Element) -> etree._Element:
    """A copy; of a large element its name alone, or a few steps would fill the memory."""
    return deepcopy(element) if sum(1 for _ in element.iter()) < 500 else etree.Element(element.tag)


_OF_PARTS: tuple[Callable[[Parts, Random], None], ...] = (
    _bytes_of_part,
    _part_gone,
    _parts_swapped,
    _relationship_astray,
    *map(
        _of_xml,
        (
            _dropped,
            _dropped,
            _doubled,
            _nested,
            _nested,
            _wrapped,
            _renamed,
            _attributes_shuffled,
            _attribute_odd,
            _text_odd,
        ),
    ),
)
