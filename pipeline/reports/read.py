"""One file in, one Report out, in this process."""

from collections.abc import Callable
from pathlib import Path

from pipeline.errors import UserError
from pipeline.records import Characters, Report
from pipeline.reports.blocks import Reading
from pipeline.reports.language import with_languages
from pipeline.reports.outline import sections_of
from pipeline.storage import file_sha256

READER = "memoria-1"  # part of every report's key: raise it whenever the same file would be read differently


def _word(path: Path) -> Reading:
    from pipeline.reports.word import read_word

    return read_word(path)


def _pdf(path: Path) -> Reading:
    from pipeline.reports.pdf import read_pdf

    return read_pdf(path)


def _markdown(path: Path) -> Reading:
    from pipeline.reports.markup import read_markdown

    return read_markdown(path)


def _html(path: Path) -> Reading:
    from pipeline.reports.html import read_html

    return read_html(path)


def _text(path: Path) -> Reading:
    from pipeline.reports.markup import read_text

    return read_text(path)


_NO_CONTROLS = bytes(byte for byte in range(256) if byte >= 32 or byte in b"\t\n\r\f\x0b\x1a\x1b")

_READERS: dict[str, Callable[[Path], Reading]] = {
    ".docx": _word,
    ".docm": _word,
    ".pdf": _pdf,
    ".md": _markdown,
    ".markdown": _markdown,
    ".html": _html,
    ".htm": _html,
    ".txt": _text,
}
SUPPORTED: frozenset[str] = frozenset(_READERS)
_TEXT = frozenset({".md", ".markdown", ".html", ".htm", ".txt"})
NOT_YET: frozenset[str] = frozenset({".odt", ".doc", ".rtf", ".tex"})


def format_of(path: Path) -> str:
    """Name of the format that a file's suffix stands for; "" for one that is not read."""
    suffix = path.suffix.lower()
    return _READERS[suffix].__name__.strip("_") if suffix in _READERS else ""


def why_not(path: Path) -> str | None:
    """Why a file of this name is not read at all; None if it is."""
    suffix = path.suffix.lower()
    if suffix in SUPPORTED:
        return None
    if suffix in NOT_YET:
        return f"{suffix} is not read yet. Save it as .docx"
    return f"not a report: {suffix or 'no suffix'}"


def _is_text(path: Path) -> bool:
    """Whether a file may be text: of what no text has, control characters, it holds at most a twentieth.

    Random or packed bytes hold a tenth. UTF-16 says by its first bytes that it is text.
    """
    with open(path, "rb") as file:
        start = file.read(1 << 16)
    return start.startswith((b"\xff\xfe", b"\xfe\xff")) or len(start.translate(None, _NO_CONTROLS)) <= len(start) / 20


def read_report(path: Path) -> Report:
    """Read one file, here and now, without limits on time and memory.

    Raises:
        UserError: it cannot be read; the text says why and what to do.
    """
    if reason := why_not(path):
        raise UserError(reason, where=path)
    try:
        if path.stat().st_size == 0:
            raise UserError("is empty", where=path, fix="look for the file's whole copy")
        sha256 = file_sha256(path)
        if path.suffix.lower() in _TEXT and not _is_text(path):
            raise UserError("is no text", where=path, fix="look for the file it was made from, or save it as UTF-8")
        reading = _READERS[path.suffix.lower()](path)
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror or error}", where=path) from error
    except RecursionError as error:
        raise UserError(
            "is nested too deeply", where=path, fix="save it anew from the program it was written with"
        ) from error
    sections, placed = sections_of(reading, sha256)
    if not sections:
        raise UserError("holds no text", where=path, fix="check that it is the right file")
    sections, language = with_languages(sections)
    left_out = dict(sorted(reading.tally.left_out.items()))
    unaccounted = reading.tally.visible - placed - sum(left_out.values())
    warnings = list(reading.warnings)
    if unaccounted:
        warnings.append(f"{unaccounted} visible characters are not accounted for")
    return Report(
        file=path.name,
        source_sha256=sha256,
        reader=READER,
        title=reading.title or sections[0].heading or path.stem,
        language=language,
        sections=sections,
        characters=Characters(visible=reading.tally.visible, read=placed, left_out=left_out, unaccounted=unaccounted),
        warnings=tuple(warnings),
    )
