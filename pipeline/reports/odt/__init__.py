"""OpenDocument text (.odt), as LibreOffice and others write it, by its XML.

styles, lists    what a paragraph inherits; the numbers that are printed but not written
inline    the text of a paragraph         objects, forms    what it may hold
walker    blocks in their order           tables    their rows and cells
account   which characters are text, and where those of embedded objects went
"""

from collections.abc import Iterator
from pathlib import Path

from pipeline.errors import UserError
from pipeline.reports.archive import Archive, Element
from pipeline.reports.blocks import Piece, Reading, tidy
from pipeline.reports.days import iso_day
from pipeline.reports.odt.account import account_for_objects, count
from pipeline.reports.odt.inline import Inline
from pipeline.reports.odt.names import q
from pipeline.reports.odt.remarks import subjects_of
from pipeline.reports.odt.styles import Styles
from pipeline.reports.odt.walker import Walker
from pipeline.settings import Reports

__all__ = ["read_odt"]


def read_odt(path: Path, settings: Reports) -> Reading:
    """Read an OpenDocument text.

    Raises:
        UserError: it is none, damaged, encrypted or harmful.
    """
    with Archive(path) as archive:
        if _is_encrypted(archive):
            raise UserError("is encrypted", where=path, fix="save it without a password")
        content, styles = archive.part("content.xml"), archive.part("styles.xml")
        body = content.find(f"{q('office:body')}/{q('office:text')}") if content is not None else None
        if body is None:
            raise UserError("is no text document", where=path, fix="look for the text that it belongs to")
        reading = Reading()
        inline = Inline(archive, Styles(content, styles), reading.tally, settings.keep)
        walker = Walker(inline, reading, subjects_of(body))
        around = list(_around(styles))
        reading.tally.visible = count(body) + sum(map(count, around))
        _walk_around(walker, styles, [part for part in around if "}header" in part.tag])
        walker.walk(body)
        _walk_around(walker, styles, [part for part in around if "}footer" in part.tag])
        inline.finish()
        account_for_objects(archive, reading, inline.objects_read)
        _read_properties(archive, reading)
    return reading


def _is_encrypted(archive: Archive) -> bool:
    """Every encrypted part says so in the manifest. Newer writers encrypt the whole as one part."""
    manifest = archive.part("META-INF/manifest.xml")
    return manifest is not None and next(manifest.iter(q("manifest:encryption-data")), None) is not None


def _around(styles: Element | None) -> Iterator[Element]:
    """Headers and footers of all kinds of pages, in their order."""
    for page in styles.iterfind(f"{q('office:master-styles')}/{q('style:master-page')}") if styles is not None else ():
        yield from (part for part in page if "}header" in part.tag or "}footer" in part.tag)


def _walk_around(walker: Walker, styles: Element | None, parts: list[Element]) -> None:
    """Read headers or footers, each text once, if the settings keep them."""
    seen: set[str] = set()
    with walker.styles(Styles(styles)):
        for part in parts:
            text = "".join(part.itertext())
            walker.walk(part, "repeated header or footer" if text in seen else "header or footer")
            seen.add(text)


def _read_properties(archive: Archive, reading: Reading) -> None:
    """Dates and title in the file's properties. Most titles are left over: one counts if the text says it too."""
    meta = archive.part("meta.xml")
    properties = meta.find(q("office:meta")) if meta is not None else None
    if properties is None:
        return
    reading.created = iso_day(properties.findtext(q("meta:creation-date")))
    reading.modified = iso_day(properties.findtext(q("dc:date")))
    title = " ".join(tidy(properties.findtext(q("dc:title")) or "").split())
    start = " ".join(" ".join(event.text.split()) for event in reading.events[:40] if isinstance(event, Piece))
    if title and not reading.title and title.casefold() in start.casefold():
        reading.title = title
