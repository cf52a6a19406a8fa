"""Accepted text to Word and Markdown: only what a person accepted goes out.

    project.outline() ── accepted Markdown ── markdown-it ──> headings, paragraphs, lists, tables ──> .docx

Knows nothing of models or pages. Importing it imports python-docx.
"""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docx import Document
from docx.document import Document as WordDocument
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.table import _Cell
from docx.text.paragraph import Paragraph
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from copilot.library import Entry, Project
from pipeline.errors import UserError
from pipeline.storage import clear_disk_errors

_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LOCALES = {"ca": "ca-ES", "es": "es-ES", "en": "en-GB"}
_DEEPEST_LIST = 3  # Word's default template has list styles for three levels


def markdown_parser() -> MarkdownIt:
    """The Markdown of this house: paragraphs, lists, tables, bold, italic. No HTML, images or links.

    A model's or a stranger's text must not make a reader's machine fetch anything, so these stay plain text.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    return parser.disable(["html_block", "html_inline", "image", "link", "autolink", "reference", "entity"])


def unaccepted(project: Project) -> list[Entry]:
    """The sections that go out as an empty heading, and those whose latest changes are not accepted yet."""
    return [entry for entry in project.outline() if entry.state != "accepted"]


def export_docx(project: Project, path: Path | None = None) -> bytes:
    """The report as a Word file: title, numbered headings in Word's own styles, accepted text.

    Args:
        project: what to write down.
        path: where to put it as well; None: nowhere.

    Raises:
        UserError: it cannot be written there.
    """
    document = Document()
    _set_language(document, _LOCALES[project.language])
    document.core_properties.title = legal(project.title)[:255]
    document.core_properties.author = ""
    document.add_heading(legal(project.title), level=0)
    parser = markdown_parser()
    for entry in project.outline():
        document.add_heading(legal(entry.title), level=min(entry.level, 9))
        if entry.accepted is not None:
            _add_markdown(document, parser, legal(entry.accepted))
    file = io.BytesIO()
    document.save(file)
    return _written(file.getvalue(), path)


def export_markdown(project: Project, path: Path | None = None) -> bytes:
    """The report as UTF-8 Markdown; see `export_docx`."""
    pieces = [f"# {project.title}"]
    for entry in project.outline():
        pieces.append(f"{'#' * min(entry.level + 1, 6)} {entry.title}")
        if entry.accepted:
            pieces.append(entry.accepted.strip())
    return _written(("\n\n".join(pieces) + "\n").encode("utf-8", "replace"), path)


def legal(text: str) -> str:
    """`text` without the characters that XML forbids."""
    return _ILLEGAL.sub("", text)


def _written(content: bytes, path: Path | None) -> bytes:
    if path is not None:
        try:
            with clear_disk_errors(path):
                path.write_bytes(content)
        except FileNotFoundError as error:
            raise UserError("there is no such folder", where=path.parent, fix="make it first") from error
    return content


def _set_language(document: WordDocument, locale: str) -> None:
    run_properties = document.styles.element.xpath("w:docDefaults/w:rPrDefault/w:rPr")[0]
    for old in run_properties.findall(qn("w:lang")):
        run_properties.remove(old)
    language = OxmlElement("w:lang")
    language.set(qn("w:val"), locale)
    language.set(qn("w:eastAsia"), locale)
    run_properties.append(language)
    document.core_properties.language = locale


def _add_markdown(document: WordDocument, parser: MarkdownIt, text: str) -> None:
    for node in SyntaxTreeNode(parser.parse(text)).children:
        _add_block(document, node)


def _add_block(document: WordDocument, node: SyntaxTreeNode) -> None:
    if node.type in ("bullet_list", "ordered_list"):
        _add_list(document, node, depth=1)
    elif node.type == "table":
        _add_table(document, node)
    elif node.type == "blockquote":
        for child in node.children:
            _add_block(document, child)
    elif node.type in ("fence", "code_block"):
        document.add_paragraph(node.content.rstrip("\n"))
    elif node.type == "hr":
        document.add_paragraph()
    elif node.type == "heading":
        # Headings belong to the outline; one inside a section's text must stay out of the contents.
        _add_inline(document.add_paragraph(), node, bold=True)
    else:
        _add_inline(document.add_paragraph(), node)


def _add_list(document: WordDocument, node: SyntaxTreeNode, depth: int) -> None:
    kind = "List Bullet" if node.type == "bullet_list" else "List Number"
    level = min(depth, _DEEPEST_LIST)
    style = kind if level == 1 else f"{kind} {level}"
    if node.type == "ordered_list":
        number = _new_numbering(document, style, int(node.attrs.get("start", 1)))
    for item in node.children:
        paragraphs = 0
        for child in item.children:
            if child.type in ("bullet_list", "ordered_list"):
                _add_list(document, child, depth + 1)
            elif child.type != "paragraph":
                _add_block(document, child)
            else:
                paragraph = document.add_paragraph(style=style if not paragraphs else "List Continue")
                if node.type == "ordered_list" and not paragraphs:
                    _number(paragraph, number)
                _add_inline(paragraph, child)
                paragraphs += 1


def _new_numbering(document: WordDocument, style: str, start: int) -> int:
    """A numbering of its own for a list, so that it does not go on where the last one ended."""
    numbering = document.part.numbering_part.element
    shared = document.styles[style].element.pPr.numPr.numId.val
    abstract = numbering.num_having_numId(shared).abstractNumId.val
    new = numbering.add_num(abstract)
    new.add_lvlOverride(0).add_startOverride(start)
    return new.numId


def _number(paragraph: Paragraph, number: int) -> None:
    properties: Any = paragraph._p.get_or_add_pPr()
    properties = properties.get_or_add_numPr()
    properties.get_or_add_ilvl().val = 0
    properties.get_or_add_numId().val = number


def _add_table(document: WordDocument, node: SyntaxTreeNode) -> None:
    rows = [row for part in node.children for row in part.children]
    if not rows:
        return
    table = document.add_table(len(rows), max(len(row.children) for row in rows), style="Table Grid")
    for i, row in enumerate(rows):
        for j, cell in enumerate(row.children):
            _fill(table.cell(i, j), cell, header=cell.type == "th")
    _repeat_header(table.rows[0]._tr)
    document.add_paragraph()


def _fill(cell: _Cell, node: SyntaxTreeNode, header: bool) -> None:
    paragraph = cell.paragraphs[0]
    align = str(node.attrs.get("style", ""))
    if align == "text-align:right":
        paragraph.alignment = 2
    elif align == "text-align:center":
        paragraph.alignment = 1
    _add_inline(paragraph, node, bold=header)


def _repeat_header(row: Any) -> None:
    header = OxmlElement("w:tblHeader")
    header.set(qn("w:val"), "true")
    row.get_or_add_trPr().append(header)


def _add_inline(paragraph: Paragraph, node: SyntaxTreeNode, bold: bool = False) -> None:
    for text, is_bold, is_italic in _runs(node, bold, False):
        run = paragraph.add_run(text)
        run.bold, run.italic = is_bold or None, is_italic or None


def _runs(node: SyntaxTreeNode, bold: bool, italic: bool) -> Iterator[tuple[str, bool, bool]]:
    """The texts under a node, each with whether it is bold and italic."""
    if node.type in ("text", "code_inline", "text_special"):
        yield node.content.replace("<br>", "\n"), bold, italic
    elif node.type == "softbreak":
        yield " ", bold, italic
    elif node.type == "hardbreak":
        yield "\n", bold, italic
    for child in node.children:
        yield from _runs(child, bold or node.type == "strong", italic or node.type == "em")


def file_name(project: Project, suffix: str) -> str:
    """A name for the download: the title's first words, safe on every system."""
    kept = re.sub(r"[^\w\- ]+", "", legal(project.title))[:80].strip()
    return f"{kept or 'report'}{suffix}"
