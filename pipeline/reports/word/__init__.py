"""Word: .docx and .docm, by their XML.

package   the zip, opened with distrust
styles, numbering    what a paragraph inherits; the numbers that Word prints but does not write
inline    the text of a paragraph         equations, symbols, drawings   what it may hold
walker    blocks in their order
account   where every character of every part went
"""

from pathlib import Path

from pipeline.reports.blocks import Piece, Reading, tidy
from pipeline.reports.word.account import account_for_all_parts
from pipeline.reports.word.names import Element, w
from pipeline.reports.word.package import Package
from pipeline.reports.word.walker import Walker
from pipeline.settings import Reports

__all__ = ["read_word"]
_NOTE_PARTS = (("footnotes", "footnote"), ("endnotes", "endnote"))


def read_word(path: Path, settings: Reports) -> Reading:
    """Read a Word file.

    Raises:
        UserError: it is no Word file, damaged, encrypted or harmful.
    """
    reading = Reading()
    with Package(path) as package:
        walker = Walker(package, reading)
        main = package.part(package.main_name)
        notes = {kind: package.part(name) for parts, kind in _NOTE_PARTS if (name := package.related(parts))}
        for kind, root in notes.items():
            relations = package.relations(package.related(f"{kind}s") or "")
            for note in root if root is not None else ():
                walker.notes[kind, note.get(w("id"), "")] = (note, relations)
        walker.walk(main)
        for (_, _), (note, _) in walker.notes.items():
            walker.inline.drop(note, "note without a reference")
        account_for_all_parts(package, reading, walker.drawings)
        reading.title = reading.title or _core_title(package, reading)
    for font in sorted(walker.inline.unknown_symbols):
        reading.warnings.append(f"symbols of the font {font} could not be read; □ stands for them")
    return reading


def _core_title(package: Package, reading: Reading) -> str:
    """The title in the file's properties, if the text says it too: most are left over from an older file."""
    core: Element | None = package.part("docProps/core.xml")
    element = core.find("{http://purl.org/dc/elements/1.1/}title") if core is not None else None
    title = " ".join(tidy(element.text or "").split()) if element is not None else ""
    start = " ".join(" ".join(event.text.split()) for event in reading.events[:40] if isinstance(event, Piece))
    return title if title and title.casefold() in start.casefold() else ""
