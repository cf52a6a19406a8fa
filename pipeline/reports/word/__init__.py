"""Word: .docx and .docm, by their XML.

package   the parts and how they are related      stream   the main text, a few blocks at a time
styles, numbering    what a paragraph inherits; the numbers that Word prints but does not write
properties, inline    a paragraph, and its text    fields, equations, symbols, look    what that may hold
walker, heading    blocks in their order          aside, marks, drawings, embedded   what stands elsewhere
account   where every character of every part went
"""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from pipeline.errors import UserError
from pipeline.reports.blocks import Piece, Reading, tidy
from pipeline.reports.days import iso_day
from pipeline.reports.word.account import account_for_other_parts
from pipeline.reports.word.package import Package
from pipeline.reports.word.stream import group_of, groups
from pipeline.reports.word.walker import Walker
from pipeline.settings import Reports

__all__ = ["read_word"]
MOST_EMBEDDED_DEPTH = 3
SHORTEST_TITLE_CHARACTERS = 4
_DUBLIN_CORE, _TERMS = "{http://purl.org/dc/elements/1.1/}", "{http://purl.org/dc/terms/}"


def read_word(path: Path, settings: Reports) -> Reading:
    """Read a Word file.

    Raises:
        UserError: it is no Word file, damaged, encrypted or harmful.
    """
    with Package(path) as package:
        return _read(package, settings, depth=0)


def _read(package: Package, settings: Reports, depth: int) -> Reading:
    def nested(data: BytesIO) -> Reading:
        if depth == MOST_EMBEDDED_DEPTH:
            raise UserError("is refused: files are embedded in one another without end", where=package.path)
        with Package(package.path, data) as inner:
            return _read(inner, settings, depth + 1)

    reading = Reading()
    walker = Walker(package, reading, settings, nested)
    counted: set[str] = set()
    if "headers" in settings.keep:
        counted |= _walk_around(package, walker, "header")
    walker.walk(groups(package, package.main_name), package.main_name, package.relations(package.main_name))
    if "headers" in settings.keep:
        counted |= _walk_around(package, walker, "footer")
    walker.aside.finish()
    account_for_other_parts(package, reading, walker.aside.parts_read, counted)
    _read_properties(package, reading)
    for font in sorted(walker.inline.unknown_symbols):
        reading.warnings.append(f"symbols of the font {font} could not be read; □ stands for them")
    return reading


def _walk_around(package: Package, walker: Walker, kind: str) -> set[str]:
    """Read the headers or the footers, each text once; returns the names of their parts."""
    seen: set[str] = set()
    names = sorted({target for k, target, _ in package.relations(package.main_name).values() if k == kind})
    for name in names:
        root = package.part(name)
        if root is None:
            continue
        text = "".join(root.itertext())
        walker.walk(
            [group_of(root)], name, package.relations(name), "repeated header or footer" if text in seen else None
        )
        seen.add(text)
    return set(names)


def _read_properties(package: Package, reading: Reading) -> None:
    """Dates and title in the file's properties. Most titles are left over: one counts if the text says it too."""
    core = package.part(package.related_to_file("core-properties") or "docprops/core.xml")
    if core is None:
        return
    reading.created = iso_day(core.findtext(f"{_TERMS}created"))
    reading.modified = iso_day(core.findtext(f"{_TERMS}modified"))
    element = core.find(f"{_DUBLIN_CORE}title")
    title = " ".join(tidy(element.text or "").split()) if element is not None else ""
    said = re.search(rf"(?<!\w){re.escape(title)}(?!\w)", " ".join(_start(reading)), re.IGNORECASE)
    if len(title) >= SHORTEST_TITLE_CHARACTERS and said and not reading.title:
        reading.title = title


def _start(reading: Reading) -> Iterator[str]:
    for event in reading.events[:40]:
        if isinstance(event, Piece):
            yield " ".join(event.text.split())
