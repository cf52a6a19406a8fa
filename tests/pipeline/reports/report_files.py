"""Word files made from raw XML: each holds exactly what its test is about."""

import zipfile
from pathlib import Path

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    ' xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
    ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    ' xmlns:v="urn:schemas-microsoft-com:vml"'
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"

STYLES = """
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/>
  <w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/>
  <w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Heading3"><w:name w:val="heading 3"/></w:style>
<w:style w:type="paragraph" w:styleId="Ttol1"><w:name w:val="Títol 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Apartat propi"/><w:basedOn w:val="Heading2"/></w:style>
<w:style w:type="paragraph" w:styleId="TOCHeading"><w:name w:val="TOC Heading"/><w:basedOn w:val="Heading1"/>
  <w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Caption"><w:name w:val="caption"/></w:style>
<w:style w:type="paragraph" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Hid"><w:name w:val="Hid"/><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="ListBullet"><w:name w:val="List Bullet"/>
  <w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
"""


def level(depth: int, kind: str, pattern: str, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>{more}'
        f'<w:lvlText w:val="{pattern}"/></w:lvl>'
    )


NUMBERING = (
    f'<w:abstractNum w:abstractNumId="0">{level(0, "bullet", "•")}{level(1, "bullet", "o")}</w:abstractNum>'
    f'<w:abstractNum w:abstractNumId="1">{level(0, "decimal", "%1.")}{level(1, "decimal", "%1.%2")}'
    f"{level(2, 'lowerLetter', '%3)')}</w:abstractNum>"
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
)


class Craft:
    """Pieces of WordprocessingML, and whole files made of them."""

    namespaces = NAMESPACES
    level = staticmethod(level)

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0

    @staticmethod
    def run(text: str, properties: str = "") -> str:
        inside = f"<w:rPr>{properties}</w:rPr>" if properties else ""
        return f'<w:r>{inside}<w:t xml:space="preserve">{text}</w:t></w:r>'

    @classmethod
    def p(cls, text: str = "", style: str = "", *, properties: str = "", raw: str = "") -> str:
        inside = (f'<w:pStyle w:val="{style}"/>' if style else "") + properties
        return f"<w:p><w:pPr>{inside}</w:pPr>{cls.run(text) if text else ''}{raw}</w:p>"

    @staticmethod
    def number(num_id: int, depth: int = 0) -> str:
        return f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{num_id}"/></w:numPr>'

    @staticmethod
    def cell(content: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"

    @staticmethod
    def table(*rows: str) -> str:
        return "<w:tbl><w:tblPr/><w:tblGrid/>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"

    @staticmethod
    def field(code: str, result: str) -> str:
        mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'.format
        instruction = f'<w:r><w:instrText xml:space="preserve">{code}</w:instrText></w:r>'
        return mark("begin") + instruction + mark("separate") + result + mark("end")

    def part(self, root: str, inside: str) -> str:
        return f'<?xml version="1.0" encoding="UTF-8"?><w:{root} {NAMESPACES}>{inside}</w:{root}>'

    def docx(
        self,
        body: str,
        *,
        name: str = "",
        styles: str = STYLES,
        numbering: str = NUMBERING,
        relations: dict[str, tuple[str, str]] | None = None,
        parts: dict[str, str] | None = None,
    ) -> Path:
        """Write a file. `relations` are id -> (kind, target); a target with "://" is outside the file."""
        links = {"s": ("styles", "styles.xml"), "n": ("numbering", "numbering.xml"), **(relations or {})}
        related = "".join(
            f'<Relationship Id="{i}" Type="{OFFICE}/{kind}" Target="{target}"{_mode(target)}/>'
            for i, (kind, target) in links.items()
        )
        files = {
            "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"/>',
            "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="d" '
            f'Type="{OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{related}</Relationships>',
            "word/document.xml": self.part("document", f"<w:body>{body}</w:body>"),
            "word/styles.xml": self.part("styles", styles),
            "word/numbering.xml": self.part("numbering", numbering),
            **(parts or {}),
        }
        self._count += 1
        path = self._folder / (name or f"crafted-{self._count}.docx")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for part_name, text in files.items():
                archive.writestr(part_name, text)
        return path


def _mode(target: str) -> str:
    return ' TargetMode="External"' if "://" in target else ""
