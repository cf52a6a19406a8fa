"""A ``Document`` as a .docx file: the same bytes on every run."""

import io
import zipfile
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from data.sample.document import Document, Items, Paragraph, Section, Table
from data.sample.word_footnotes import Footnotes
from data.sample.word_styles import (
    define_numbering,
    define_styles,
    heading_style_ids,
    start_steps,
    title_style_id,
)

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.table import Table as WordTable
    from docx.text.paragraph import Paragraph as WordParagraph

# A zip entry's earliest possible date: what stands in for "now", so that two runs give equal files.
_ZIP_DATE: Final = (1980, 1, 1, 0, 0, 0)


def write_docx(document: Document, path: Path) -> None:
    """Write ``document`` to ``path``."""
    import docx

    word = docx.Document()
    define_styles(word, document)
    define_numbering(word, document)
    _write_front(word, document)
    footnotes = Footnotes()
    style_ids = heading_style_ids(document)
    steps = 0
    for section in document.sections:
        _styled(word, _written_heading(section, document), style_ids[section.level - 1])
        for block in section.blocks:
            if isinstance(block, Paragraph):
                paragraph = word.add_paragraph(block.text)
                if block.footnote:
                    footnotes.refer(paragraph, block.footnote)
            elif isinstance(block, Table):
                _write_table(word, block)
            else:
                steps += block.numbered
                _write_items(word, block, start_steps(word, steps) if block.numbered else None)
    footnotes.save(word)
    _write_edges(word, document)
    _write_properties(word, document)
    _save(word, path)


def _written_heading(section: Section, document: Document) -> str:
    if document.design.numbering == "typed":
        return f"{section.number}{'.' if section.level == 1 else ''} {section.heading}"
    return section.heading


def _styled(word: "WordDocument", text: str, style_id: str) -> "WordParagraph":
    paragraph = word.add_paragraph(text)
    paragraph._p.style = style_id
    return paragraph


def _write_front(word: "WordDocument", document: Document) -> None:
    _styled(word, document.title, title_style_id(document))
    word.add_paragraph(f"{document.labels['report']} · {document.acronym} · {document.year}")
    if not document.design.contents:
        return
    word.add_paragraph(document.labels["contents"]).runs[0].bold = True
    instruction = r' TOC \o "1-3" \h \z \u '
    entries = list(document.sections)
    for place, section in enumerate(entries):
        # The page numbers are what the field last computed; Word renews them on demand.
        text = f"{section.number} {section.heading}".strip() + f"\t{2 + place // 2}"
        entry = _styled(word, "", f"TOC{section.level}")
        if place == 0:
            _field_mark(entry, "begin")
            _field_instruction(entry, instruction)
            _field_mark(entry, "separate")
        entry.add_run(text)
        if place == len(entries) - 1:
            _field_mark(entry, "end")
    word.add_page_break()


def _field_mark(paragraph: "WordParagraph", kind: str) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    mark = OxmlElement("w:fldChar")
    mark.set(qn("w:fldCharType"), kind)
    paragraph.add_run()._r.append(mark)


def _field_instruction(paragraph: "WordParagraph", instruction: str) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    text = OxmlElement("w:instrText")
    text.set(qn("xml:space"), "preserve")
    text.text = instruction
    paragraph.add_run()._r.append(text)


def _write_items(word: "WordDocument", items: Items, num_id: int | None) -> None:
    for item in items.items:
        paragraph = word.add_paragraph(item, style="List Bullet" if num_id is None else "List Paragraph")
        if num_id is not None:
            properties: Any = paragraph._p.get_or_add_pPr()
            numbering = properties.get_or_add_numPr()
            numbering.get_or_add_ilvl().val = 0
            numbering.get_or_add_numId().val = num_id


def _write_table(word: "WordDocument", table: Table) -> None:
    made = word.add_table(rows=len(table.rows), cols=len(table.rows[0]), style="Table Grid")
    covered = {
        (row, column)
        for (top, left), (bottom, right) in table.merges
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
        if (row, column) != (top, left)
    }
    for row, texts in enumerate(table.rows):
        cells = made.rows[row].cells
        for column, text in enumerate(texts):
            if (row, column) not in covered:
                cells[column].text = text
                for run in cells[column].paragraphs[0].runs:
                    run.bold = row < table.header_rows
    for (top, left), (bottom, right) in table.merges:
        made.cell(top, left).merge(made.cell(bottom, right))
    _repeat_header(made, table.header_rows)
    word.add_paragraph()


def _repeat_header(table: "WordTable", rows: int) -> None:
    from docx.oxml import OxmlElement

    for row in table.rows[:rows]:
        row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))


def _write_edges(word: "WordDocument", document: Document) -> None:
    """Header with the acronym, footer with the page number and the number of pages as fields."""
    section = word.sections[0]
    section.header.paragraphs[0].text = f"{document.acronym} – {document.labels['report']}"
    footer = section.footer.paragraphs[0]
    footer.add_run(f"{document.labels['page']} ")
    for instruction, between in ((" PAGE ", f" {document.labels['of']} "), (" NUMPAGES ", "")):
        _field_mark(footer, "begin")
        _field_instruction(footer, instruction)
        _field_mark(footer, "separate")
        footer.add_run("1")
        _field_mark(footer, "end")
        if between:
            footer.add_run(between)


def _write_properties(word: "WordDocument", document: Document) -> None:
    properties = word.core_properties
    properties.title = document.title
    properties.author = properties.last_modified_by = document.author
    properties.subject = document.labels["report"]
    properties.language = document.language
    properties.comments = ""
    properties.created = properties.modified = datetime(document.year + 1, 2, 1, 9, 0)
    properties.revision = 1


def _save(word: "WordDocument", path: Path) -> None:
    """Save with a fixed date on every entry, since python-docx stamps the time of writing."""
    buffer = io.BytesIO()
    word.save(buffer)
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            entry = zipfile.ZipInfo(name, _ZIP_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            target.writestr(entry, source.read(name))
