"""One file in, one Report out, in this process."""

import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from pipeline.errors import UserError
from pipeline.records import Characters, Report
from pipeline.reports.archive import OLE_MAGIC
from pipeline.reports.blocks import Reading
from pipeline.reports.language import with_languages
from pipeline.reports.outline import sections_of
from pipeline.settings import Reports
from pipeline.storage import file_sha256

READER = "memoria-2"  # part of every report's key: raise it whenever the same file would be read differently


Reader = Callable[[Path, Reports], Reading]


def _word() -> Reader:
    from pipeline.reports.word import read_word

    return read_word


def _odt() -> Reader:
    from pipeline.reports.odt import read_odt

    return read_odt


def _office() -> Reader:
    from pipeline.reports.office import read_office

    return read_office


def _pdf() -> Reader:
    from pipeline.reports.pdf import read_pdf

    return read_pdf


def _markdown() -> Reader:
    from pipeline.reports.markup import read_markdown

    return lambda path, settings: read_markdown(path)


def _html() -> Reader:
    from pipeline.reports.html import read_html

    return read_html


def _tex() -> Reader:
    from pipeline.reports.tex import read_tex

    return read_tex


def _text() -> Reader:
    from pipeline.reports.plain_text import read_text

    return lambda path, settings: read_text(path)


class Format(NamedTuple):
    """A kind of file: how its reader is imported, and whether its bytes are text."""

    load: Callable[[], Reader]
    is_text: bool = False


WORD, ODT, OFFICE, PDF = Format(_word), Format(_odt), Format(_office), Format(_pdf)
HTML, TEXT = Format(_html, is_text=True), Format(_text, is_text=True)
MARKDOWN, TEX = Format(_markdown, is_text=True), Format(_tex, is_text=True)
_FORMATS: dict[str, Format] = {
    ".docx": WORD,
    ".docm": WORD,
    ".dotx": WORD,
    ".dotm": WORD,
    ".odt": ODT,
    ".doc": OFFICE,
    ".rtf": OFFICE,
    ".pdf": PDF,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".html": HTML,
    ".htm": HTML,
    ".tex": TEX,
    ".txt": TEXT,
}
SUPPORTED: frozenset[str] = frozenset(_FORMATS)
_NO_CONTROLS = bytes(byte for byte in range(256) if byte >= 32 or byte in b"\t\n\r\f\x0b\x1a\x1b")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def prepare(suffixes: Iterable[str]) -> None:
    """Import the readers of files with these suffixes, which costs seconds, before there is a file to read."""
    for suffix in suffixes:
        _FORMATS[suffix].load()


def why_not(path: Path) -> str | None:
    """Why a file of this name is not read at all; None if it is."""
    suffix = path.suffix.lower()
    return None if suffix in SUPPORTED else f"not a report: {suffix or 'no suffix'}"


def format_of(path: Path) -> Format:
    """What a file is: by its first bytes where they tell, for many are misnamed, else by its suffix.

    Raises:
        UserError: its suffix says that it is text, and it is not.
    """
    named = _FORMATS[path.suffix.lower()]
    with open(path, "rb") as file:
        start = file.read(1 << 16)
    if (told := _told_by(start, path)) is not None:
        return told
    if named.is_text and not _is_text(start):
        raise UserError("is no text", where=path, fix="look for the file it was made from, or save it as UTF-8")
    return named


def _told_by(start: bytes, path: Path) -> Format | None:
    """The format that the first bytes of a file give away; None if they do not."""
    if start.startswith(b"PK\x03\x04"):
        return ODT if _is_open_document(path) else WORD
    if start.startswith((b"{\\rtf", OLE_MAGIC)):
        return OFFICE
    if b"%PDF-" in start[:1024]:
        return PDF
    if not _FORMATS[path.suffix.lower()].is_text and start[:200].lstrip().lower().startswith(
        (b"<!doctype html", b"<html")
    ):
        return HTML  # web systems export pages under the name of Word files
    return None


def _is_open_document(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return "mimetype" in archive.namelist() and "content.xml" in archive.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return path.suffix.lower() == ".odt"


def _is_text(start: bytes) -> bool:
    """Whether bytes may be text: of what no text has, control characters, they hold at most a twentieth.

    Random or packed bytes hold a tenth. UTF-16 says by its first bytes that it is text.
    """
    return start.startswith(_UTF16) or len(start.translate(None, _NO_CONTROLS)) <= len(start) / 20


def read_report(path: Path, settings: Reports | None = None) -> Report:
    """Read one file, here and now, without limits on time and memory.

    Raises:
        UserError: it cannot be read; the text says why and what to do.
    """
    if reason := why_not(path):
        raise UserError(reason, where=path)
    settings = settings or Reports()
    try:
        if path.stat().st_size == 0:
            raise UserError("is empty", where=path, fix="look for the file's whole copy")
        sha256 = file_sha256(path)
        reading = format_of(path).load()(path, settings)
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror or error}", where=path) from error
    except RecursionError as error:
        raise UserError(
            "is nested too deeply", where=path, fix="save it anew from the program it was written with"
        ) from error
    return _report(reading, path, sha256, settings)


def _report(reading: Reading, path: Path, sha256: str, settings: Reports) -> Report:
    outlined = sections_of(reading, sha256)
    if not outlined.sections:
        raise UserError("holds no text", where=path, fix="check that it is the right file")
    sections, language = with_languages(outlined.sections, settings.languages)
    left_out = dict(sorted(reading.tally.left_out.items()))
    unaccounted = reading.tally.visible - outlined.characters - sum(left_out.values())
    warnings = list(reading.warnings)
    if unaccounted:
        warnings.append(f"{unaccounted} visible characters are not accounted for")
    return Report(
        file=path.name,
        source_sha256=sha256,
        reader=READER,
        title=reading.title or sections[0].heading or path.stem,
        language=language,
        created=reading.created,
        modified=reading.modified,
        sections=sections,
        comments=outlined.comments,
        characters=Characters(
            visible=reading.tally.visible, read=outlined.characters, left_out=left_out, unaccounted=unaccounted
        ),
        warnings=tuple(warnings),
    )
