"""Other files inside the document (altChunk): HTML, Word, plain text, a web archive."""

import io
import zipfile

from tests.pipeline.reports.report_files import OFFICE, PACKAGE, Craft
from tests.pipeline.reports.torture.manifest import Left, Mark, Part, heading, part, xml_part

p = Craft.p
_MODE = ' TargetMode="External"'
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def chunks() -> list[Part]:
    """Word shows their text as if it were its own."""

    def chunk(identity: str) -> str:
        return f'<w:altChunk r:id="{identity}"/>'

    return [
        heading(chunk("html"), "mkchunkheading", "heading of embedded HTML", 2),
        part(
            "",
            Mark("mkchunkhtml", "embedded HTML"),
            Mark("mkchunkcell", "table of embedded HTML"),
            Left(("page head",), "t"),
        ),
        part(p("Between the files.")),
        part(chunk("docx"), Mark("mkchunkword", "embedded Word file"), Mark("mkchunkwordcell", "table of it")),
        part(chunk("text"), Mark("mkchunktext", "embedded plain text")),
        part(chunk("mht"), Mark("mkchunkweb", "embedded web archive")),
    ]


def chunk_parts() -> dict[str, str | bytes]:
    """The embedded files."""
    html = (
        "<html><head><title>t</title></head><body><h2>mkchunkheading</h2><p>mkchunkhtml</p>"
        "<table><tr><td>mkchunkcell</td><td>x</td></tr><tr><td>y</td><td>z</td></tr></table></body></html>"
    )
    archive = (
        "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=cut; type=text/html\r\n\r\n--cut\r\n"
        "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        '<html><body><p class=3D"x">mkchunk=\r\nweb caf=C3=A9</p></body></html>\r\n--cut--\r\n'
    )
    return {
        "word/afchunk1.html": html,
        "word/afchunk2.docx": _small_word_file(),
        "word/afchunk3.txt": "mkchunktext stands alone.\r\n",
        "word/afchunk4.mht": archive,
    }


def _small_word_file() -> bytes:
    body = p("mkchunkword") + Craft.table(Craft.cell(p("mkchunkwordcell")) + Craft.cell(p("x")))
    return packed(
        {
            "[Content_Types].xml": content_types({"word/document.xml": "document.main"}),
            "_rels/.rels": relationships({"d": ("officeDocument", "word/document.xml")}),
            "word/document.xml": xml_part("document", f"<w:body>{body}</w:body>"),
        }
    )


def relationships(links: dict[str, tuple[str, str]]) -> str:
    """A part of relationships: id -> (kind, target); a target with "://" is outside the file."""
    found = "".join(
        f'<Relationship Id="{i}" Type="{OFFICE}/{kind}" Target="{target}"{_MODE if "://" in target else ""}/>'
        for i, (kind, target) in links.items()
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{found}</Relationships>'


def content_types(kinds: dict[str, str]) -> str:
    """What each part is: name -> kind of WordprocessingML, or a whole content type."""
    word = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    defaults = {
        "rels": "application/vnd.openxmlformats-package.relationships+xml",
        "xml": "application/xml", "png": "image/png", "html": "text/html", "txt": "text/plain",
        "mht": "message/rfc822", "docx": f"{word}.document",
    }  # fmt: skip
    return (
        f'<Types xmlns="{PACKAGE}/content-types">'
        + "".join(f'<Default Extension="{end}" ContentType="{kind}"/>' for end, kind in defaults.items())
        + "".join(
            f'<Override PartName="/{name}" ContentType="{kind if "/" in kind else f"{word}.{kind}+xml"}"/>'
            for name, kind in kinds.items()
        )
        + "</Types>"
    )


def packed(parts: dict[str, str | bytes]) -> bytes:
    """A zip that is the same, byte by byte, whenever it is made."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
