"""Files embedded in a Word file as text of it (`w:altChunk`): pages, plain text, other Word files, web archives."""

import email
import email.policy
from collections.abc import Callable
from email.message import EmailMessage
from io import BytesIO

from pipeline.reports.blocks import Heading, Reading
from pipeline.reports.plain_text import read_plain
from pipeline.settings import Reports

ReadWord = Callable[[BytesIO], Reading]


def read_embedded(data: bytes, settings: Reports, read_word: ReadWord) -> Reading | None:
    """The text of an embedded file, known by its first bytes; None if it is of a kind that is not read.

    Args:
        read_word: reads the bytes of a Word file.
    """
    start = data[:2000].lstrip().lower()
    if data.startswith(b"PK\x03\x04"):
        return _with_title_in_text(read_word(BytesIO(data)))
    if b"mime-version:" in start:
        return _read_web_archive(data, settings)
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<?xml")) or b"<html" in start:
        return _read_page(data, settings)
    if start.startswith((b"{\\rtf", b"\xd0\xcf\x11\xe0")):
        return None
    return read_plain(data)


def _read_page(data: bytes, settings: Reports) -> Reading:
    from pipeline.reports.html import read_markup

    return _without_page_title(read_markup(data, settings))


def _read_web_archive(data: bytes, settings: Reports) -> Reading | None:
    """The page in a web archive (.mht): a message whose first page is the text."""
    message = email.message_from_bytes(data, _class=EmailMessage, policy=email.policy.default)
    for part in message.walk():
        if part.get_content_type() == "text/html":
            payload = part.get_payload(decode=True)
            return _read_page(payload, settings) if isinstance(payload, bytes) else None
    return None


def _without_page_title(reading: Reading) -> Reading:
    """The title of a page stands above the window that shows it, not in the page."""
    reading.tally.left_out["page head"] += reading.title_characters
    reading.title_characters = 0
    return reading


def _with_title_in_text(reading: Reading) -> Reading:
    """The title of an embedded file heads a part of the outer one."""
    if reading.title_characters:
        reading.events.insert(0, Heading(1, reading.title, reading.title_characters))
        reading.title_characters = 0
    return reading
