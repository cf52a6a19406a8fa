"""The torture document: one .docx with every construct that reports are made of, and what is in it.

`write(path)` makes the file, the same byte by byte each time; `marks()` are its marks in reading order.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from tests.pipeline.reports.torture import (
    boxes,
    changes,
    chunks,
    controls,
    drawings,
    equations,
    fields,
    furniture,
    headings,
    notes,
    tables,
    text,
)  # fmt: skip
from tests.pipeline.reports.torture.manifest import Left, Mark, Part, chapter, xml_part
from tests.pipeline.reports.torture.numbering import NUMBERING
from tests.pipeline.reports.torture.styles import STYLES

_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
    "0000000a4944415478da63f80f00010101001cb08c990000000049454e44ae426082"
)
_LINKS = {
    "styles": ("styles", "styles.xml"),
    "numbering": ("numbering", "numbering.xml"),
    "footnotes": ("footnotes", "footnotes.xml"),
    "endnotes": ("endnotes", "endnotes.xml"),
    "comments": ("comments", "comments.xml"),
    "glossary": ("glossaryDocument", "glossary/document.xml"),
    "image": ("image", "media/pixel.png"),
    "chart": ("chart", "charts/chart1.xml"),
    "diagram": ("diagramData", "diagrams/data1.xml"),
    "link": ("hyperlink", "https://example.org/mklinktarget"),
    "html": ("aFChunk", "afchunk1.html"),
    "docx": ("aFChunk", "afchunk2.docx"),
    "text": ("aFChunk", "afchunk3.txt"),
    "mht": ("aFChunk", "afchunk4.mht"),
    "bound": ("customXml", "../customXml/item1.xml"),
    **{name: (name[:-1], f"{name}.xml") for name in furniture.HEADERS},
}
_CONTENT_TYPES = {
    "word/document.xml": "document.main",
    "word/glossary/document.xml": "document.glossary",
    "word/charts/chart1.xml": "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
    "word/diagrams/data1.xml": "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml",
    "word/diagrams/drawing1.xml": "application/vnd.ms-office.drawingml.diagramDrawing+xml",
    "docProps/app.xml": "application/vnd.openxmlformats-officedocument.extended-properties+xml",
    **{f"word/{name}.xml": name for name in ("styles", "numbering", "footnotes", "endnotes", "comments")},
    **{f"word/{name}.xml": name[:-1] for name in furniture.HEADERS},
}


def _body() -> list[Part]:
    chapters: list[tuple[str, list[Part]]] = [
        ("No headings", headings.no_headings()),
        ("Paragraphs", text.paragraphs()),
        ("Scripts", text.scripts()),
        ("Lists", text.lists()),
        ("Tables", tables.tables()),
        ("Content controls", controls.controls()),
        ("Text boxes", boxes.boxes()),
        ("Notes", notes.notes()),
        ("Tracked changes", changes.tracked_changes()),
        ("Hidden text", changes.hidden_text()),
        ("Comments", changes.comments()),
        ("Equations", equations.equations()),
        ("Fields", fields.fields()),
        ("Forms", fields.forms()),
        ("Captions", fields.captions()),
        ("Drawings", drawings.drawings()),
        ("Files inside", chunks.chunks()),
    ]
    front = [*headings.title_page(), *fields.contents(), *headings.headings()]
    rest = [part for title, parts in chapters for part in (chapter(title), *parts)]
    return [*front, *rest, *headings.numbered_headings(), furniture.furniture()]


@cache
def _parts() -> tuple[Part, ...]:
    return tuple(_body())


def marks() -> tuple[Mark, ...]:
    """All marks. `place` counts up along the reading order."""
    placed, place = [], 0
    for part in _parts():
        place += 1
        for mark in part.marks:
            placed.append(replace(mark, place=place))
            place += 0 if part.any_order else 1
    return tuple(placed)


def left_out() -> tuple[Left, ...]:
    """All text that is left out where the settings keep comments only."""
    return tuple(left for part in _parts() for left in part.left)


def some_of(dice: Random, count: int) -> list[Part]:
    """A few stretches of the document in their order, for files that are made in numbers."""
    return [_parts()[index] for index in sorted(dice.sample(range(len(_parts())), count))]


def package_parts(chosen: Sequence[Part] | None = None) -> dict[str, str | bytes]:
    """The parts of the file by name; of the main text all stretches, or those `chosen`."""
    body = "".join(part.xml for part in chosen or _parts()) + furniture.references()
    return {
        "[Content_Types].xml": chunks.content_types(_CONTENT_TYPES),
        "_rels/.rels": chunks.relationships(
            {"d": ("officeDocument", "word/document.xml"), "p": ("extended-properties", "docProps/app.xml")}
        ),
        "word/document.xml": xml_part("document", f"<w:body>{body}</w:body>"),
        "word/_rels/document.xml.rels": chunks.relationships(_LINKS),
        "word/styles.xml": xml_part("styles", STYLES),
        "word/numbering.xml": xml_part("numbering", NUMBERING),
        "word/media/pixel.png": _PIXEL,
        "customXml/item1.xml": controls.BOUND_DATA,
        **notes.note_parts(),
        **changes.comment_parts(),
        **drawings.drawing_parts(),
        **chunks.chunk_parts(),
        **furniture.furniture_parts(),
    }


def write(path: Path) -> Path:
    """Write the document."""
    path.write_bytes(chunks.packed(package_parts()))
    return path


def write_small(path: Path) -> Path:
    """Write its first page only: enough to let a reader load what it needs."""
    path.write_bytes(chunks.packed(package_parts(headings.title_page())))
    return path
