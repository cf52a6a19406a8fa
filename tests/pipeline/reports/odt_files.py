"""OpenDocument files made from raw XML: each holds exactly what its test is about."""

import zipfile
from pathlib import Path

_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
NAMESPACES = (
    " ".join(
        f'xmlns:{name}="{_OASIS}:{name}:1.0"'
        for name in ("office", "style", "text", "table", "form", "meta", "chart", "manifest")
    )
    + f' xmlns:draw="{_OASIS}:drawing:1.0" xmlns:svg="{_OASIS}:svg-compatible:1.0"'
    f' xmlns:fo="{_OASIS}:xsl-fo-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:math="http://www.w3.org/1998/Math/MathML"'
    ' xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
)
STYLES = """
<style:style style:name="Title" style:family="paragraph"/>
<style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph"
  style:default-outline-level="1"/>
<style:style style:name="Heading_20_2" style:display-name="Heading 2" style:family="paragraph"/>
<style:style style:name="Own" style:family="paragraph" style:parent-style-name="Heading_20_2"/>
<style:style style:name="Plain" style:family="paragraph" style:parent-style-name="Heading_20_1"
  style:list-style-name=""/>
<style:style style:name="Caption" style:family="paragraph"/>
<style:style style:name="Figure" style:family="paragraph" style:parent-style-name="Caption"/>
<style:style style:name="Bold" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="Secret" style:family="text"><style:text-properties text:display="none"/></style:style>
<style:style style:name="Unseen" style:family="paragraph"><style:text-properties text:display="none"/></style:style>
<text:outline-style style:name="Outline">
  <text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/>
  <text:outline-level-style text:level="2" style:num-format="a" text:display-levels="2" style:num-suffix=")"/>
  <text:outline-level-style text:level="3" style:num-format=""/>
</text:outline-style>
<text:list-style style:name="Dots"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/>
  <text:list-level-style-number text:level="2" style:num-format="i" style:num-prefix="(" style:num-suffix=")"/>
</text:list-style>
<text:list-style style:name="Numbers">
  <text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="." text:start-value="3"/>
  <text:list-level-style-number text:level="2" style:num-format="A" loext:num-list-format="%1%-%2%"/>
</text:list-style>
"""


def p(text: str, style: str = "Standard", tag: str = "p", more: str = "") -> str:
    return f'<text:{tag} text:style-name="{style}"{more}>{text}</text:{tag}>'


def h(text: str, level: int = 1, more: str = "", style: str | None = None) -> str:
    return p(text, style or f"Heading_20_{level}", "h", f' text:outline-level="{level}"{more}')


def items(*contents: str, more: str = "") -> str:
    return (
        f"<text:list{more}>"
        + "".join(f"<text:list-item>{content}</text:list-item>" for content in contents)
        + ("</text:list>")
    )


def cell(content: str, more: str = "", tag: str = "table-cell") -> str:
    return f"<table:{tag}{more}>{content}</table:{tag}>"


def table(*rows: str) -> str:
    return "<table:table>" + "".join(f"<table:table-row>{row}</table:table-row>" for row in rows) + "</table:table>"


def document(kind: str, inside: str) -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-{kind} {NAMESPACES}>{inside}</office:document-{kind}>'
    )


def make_odt(
    path: Path,
    body: str,
    *,
    automatic: str = "",
    masters: str = "",
    meta: str = "",
    parts: dict[str, str] | None = None,
) -> Path:
    """Write a file at `path`; `parts` are further parts by name, or other ones for those that there are."""
    files = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": document(
            "content",
            f"<office:automatic-styles>{automatic}</office:automatic-styles>"
            f"<office:body><office:text>{body}</office:text></office:body>",
        ),
        "styles.xml": document(
            "styles",
            f"<office:styles>{STYLES}</office:styles><office:master-styles>"
            f'<style:master-page style:name="Standard">{masters}</style:master-page></office:master-styles>',
        ),
        "meta.xml": document("meta", f"<office:meta>{meta}</office:meta>"),
        **(parts or {}),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path
