"""What a Word file shows, found without Memoria: its words by a count over the XML, its outline by LibreOffice."""

import html
import json
import re
import shutil
import subprocess
import tempfile
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from pipeline.storage import file_sha256, user_cache

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_ODT = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_LONGEST_HEADING = 250  # a clause with an outline level is longer
_GAPS = {f"{_W}{name}": " " for name in ("tab", "br", "cr", "ptab")} | {f"{_W}noBreakHyphen": "-"}
_SEPARATE = {f"{_W}p", f"{_W}tc", f"{_W}txbxContent"}
_LOOKS_ALIKE = {ord("\u2011"): "-", ord("\u00a0"): " ", ord("\u202f"): " ", ord("\u2019"): "'", ord("\u00ad"): None}
_MARKUP = re.compile(r"</?[a-zA-Z][^>\n]{0,200}>|[*`^~]|\\(?=[^\w\s])")


def plain(text: str) -> str:
    """A text without the marks of Markdown and HTML, with plain spaces and hyphens, composed."""
    text = re.sub(r"<br\s*/?>", "\n", html.unescape(text))
    return unicodedata.normalize("NFC", _MARKUP.sub("", text).translate(_LOOKS_ALIKE))


def words(text: str) -> list[str]:
    """The words and numbers of a text, in order, without any mark around or between them."""
    return re.findall(r"[^\W_]+", plain(text))


def shown_words(file: Path) -> list[str]:
    """The words that the main text and its notes show, in the order of the XML; a note after its paragraph or table.

    Left out: what was deleted or moved away, the second copy of a text box, hidden runs, the table of contents.
    Headers, footers and comments are parts of their own, which are not looked at.
    """
    with zipfile.ZipFile(file) as archive:
        return words("".join(_Page(archive).texts()))


class _Page:
    """The text of one file, piece by piece."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._left_out: set[str] = set()  # ids of the styles that hide, and of those of contents
        styles = self._part("styles")
        for style in styles.iter(f"{_W}style") if styles is not None else ():
            name = style.find(f"{_W}name")
            is_contents = name is not None and re.match(r"toc (\d|heading)", name.get(f"{_W}val", ""), re.I)
            if is_contents or style.find(f"{_W}rPr/{_W}vanish") is not None:
                self._left_out.add(style.get(f"{_W}styleId", ""))
        self._notes = {
            (note.tag, note.get(f"{_W}id")): note
            for kind in ("footnotes", "endnotes")
            for note in (self._part(kind) if self._part(kind) is not None else ())
        }
        self._waiting: list[etree._Element] = []

    def _part(self, name: str) -> etree._Element | None:
        path = f"word/{name}.xml"
        return etree.fromstring(self._archive.read(path)) if path in self._archive.namelist() else None

    def texts(self) -> Iterator[str]:
        document = self._part("document")
        return self._below(document) if document is not None else iter(())

    def _below(self, element: etree._Element, in_table: bool = False) -> Iterator[str]:
        for child in element:
            if not isinstance(child.tag, str) or self._is_left_out(child):
                continue
            if child.tag in (f"{_W}t", _MATH_TEXT):
                yield child.text or ""
            elif child.tag in _GAPS:
                yield _GAPS[child.tag]
            elif child.tag in (f"{_W}footnoteReference", f"{_W}endnoteReference"):
                key = child.tag.removesuffix("Reference"), child.get(f"{_W}id")
                self._waiting += [self._notes[key]] if key in self._notes else []
            else:
                edge = "\n" if child.tag in _SEPARATE else ""
                yield edge
                yield from self._below(child, in_table or child.tag == f"{_W}tbl")
                yield edge
            if child.tag in (f"{_W}p", f"{_W}tbl") and not in_table:
                yield from self._notes_here()

    def _notes_here(self) -> Iterator[str]:
        waiting, self._waiting = self._waiting, []
        for note in waiting:
            yield from self._below(note)

    def _is_left_out(self, element: etree._Element) -> bool:
        name = element.tag.removeprefix(_W)
        if element.tag == _FALLBACK or name in _LEFT_OUT:
            return True
        if name == "tr":
            return element.find(f"{_W}trPr/{_W}del") is not None
        if name not in ("p", "r"):
            return False
        vanish, style = (element.find(f"{_W}{name}Pr/{_W}{what}") for what in ("vanish", f"{name}Style"))
        if vanish is not None and name == "r":
            return vanish.get(f"{_W}val", "1") not in ("0", "false", "off")
        return style is not None and style.get(f"{_W}val") in self._left_out


_LEFT_OUT = {"del", "moveFrom", "rPr", "pPr", "sdtPr", "delText", "instrText"}


def share_kept(shown: list[str], told: list[str]) -> float:
    """Share of the characters of the words shown that a reader tells, each word as often as it is shown."""
    wanted, found = Counter(shown), Counter(told)
    total = sum(len(word) * count for word, count in wanted.items())
    kept = sum(len(word) * min(count, found[word]) for word, count in wanted.items())
    return kept / total if total else 1.0


@dataclass(frozen=True)
class Heading:
    """A heading as it is printed. `levels` count as right: the one marked, and the one without jumps.

    `number` is "" where there is none.
    """

    levels: tuple[int, ...]
    number: str
    text: str


def outline(file: Path) -> list[Heading] | None:
    """The headings that LibreOffice finds, with the numbers that it prints; None if it is not installed.

    Kept in the user's cache. Nothing in a table, a text box or a note is a heading.
    """
    kept = user_cache() / "outlines" / f"{file_sha256(file)}.json"
    if not kept.is_file():
        if (soffice := shutil.which("soffice")) is None:
            return None
        with tempfile.TemporaryDirectory() as folder:
            found = _outline_by(soffice, file, Path(folder))
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(found, ensure_ascii=False), "utf-8")
    found = json.loads(kept.read_text("utf-8"))
    levels = zip((level for level, _, _ in found), repaired([level for level, _, _ in found]), strict=True)
    return [Heading(both, number, text) for both, (_, number, text) in zip(levels, found, strict=True)]


def repaired(levels: list[int]) -> list[int]:
    """Levels without jumps: none is more than one below the heading that it stands under."""
    above: list[int] = []
    found = []
    for level in levels:
        above = [*(other for other in above if other < level), level]
        found.append(len(above))
    return found


def _outline_by(soffice: str, file: Path, folder: Path) -> list[tuple[int, str, str]]:
    for kind in ("odt", "txt:Text (encoded):UTF8"):
        command = [soffice, "--headless", f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--convert-to"]
        subprocess.run(
            [*command, kind, "--outdir", str(folder), str(file)], capture_output=True, timeout=300, check=True
        )
    with zipfile.ZipFile(folder / f"{file.stem}.odt") as archive:
        root = etree.fromstring(archive.read("content.xml"), etree.XMLParser(huge_tree=True))
    lines = iter((folder / f"{file.stem}.txt").read_text("utf-8-sig").splitlines())
    found = []
    for element in root.iter(f"{_ODT % 'text'}h"):
        above = {ancestor.tag for ancestor in element.iterancestors()}
        text = " ".join("".join(_heading_text(element)).split())
        if above & _NO_PLACE or not text or len(text) > _LONGEST_HEADING:
            continue
        number, lines = _number_before(text, lines)
        found.append((int(element.get(f"{_ODT % 'text'}outline-level", "1")), number, text))
    return found


_NO_PLACE = {
    _ODT % "table" + "table-cell",
    _ODT % "drawing" + "text-box",
    _ODT % "text" + "note",
    _ODT % "text" + "tracked-changes",
}


def _heading_text(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag not in (f"{_ODT % 'text'}note", f"{_ODT % 'office'}annotation", f"{_ODT % 'drawing'}frame"):
            yield " " if child.tag.endswith(("}tab", "}s", "}line-break")) else ""
            yield from _heading_text(child)
        yield child.tail or ""


def _number_before(text: str, lines: Iterator[str]) -> tuple[str, Iterator[str]]:
    """What stands before the heading on the first of the printed lines that ends in it, and the lines after that."""
    rest = list(lines)
    for index, line in enumerate(rest):
        line = " ".join(line.split())
        if line.endswith(text) and len(line) <= len(text) + 20:
            return line[: -len(text)].strip(), iter(rest[index + 1 :])
    return "", iter(rest)
