"""Footnotes: python-docx cannot write them, so the part is made by hand."""

from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.text.paragraph import Paragraph as WordParagraph

_NAMESPACE: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONSHIP: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
_CONTENT_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"


class Footnotes:
    """Collects footnotes while the body is written; ``save`` adds their part to the document."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def refer(self, paragraph: "WordParagraph", text: str) -> None:
        """Put a reference mark at the end of ``paragraph`` and keep the note's text."""
        from docx.oxml import parse_xml

        self._texts.append(text)
        paragraph._p.append(
            parse_xml(
                f'<w:r xmlns:w="{_NAMESPACE}"><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr>'
                f'<w:footnoteReference w:id="{len(self._texts)}"/></w:r>'
            )
        )

    def save(self, word: "WordDocument") -> None:
        """Write word/footnotes.xml, with the two separators that Word wants before the first note."""
        if not self._texts:
            return
        from docx.opc.packuri import PackURI
        from docx.opc.part import Part

        separators = "".join(
            f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{kind}/></w:r></w:p></w:footnote>'
            for number, kind in ((-1, "separator"), (0, "continuationSeparator"))
        )
        notes = "".join(
            f'<w:footnote w:id="{number}"><w:p><w:pPr><w:pStyle w:val="FootnoteText"/></w:pPr>'
            '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>'
            f'<w:r><w:t xml:space="preserve"> {escape(text)}</w:t></w:r></w:p></w:footnote>'
            for number, text in enumerate(self._texts, 1)
        )
        xml = (
            '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
            f'<w:footnotes xmlns:w="{_NAMESPACE}">{separators}{notes}</w:footnotes>'
        )
        part = Part(PackURI("/word/footnotes.xml"), _CONTENT_TYPE, xml.encode(), word.part.package)
        word.part.relate_to(part, _RELATIONSHIP)
