"""HTML: what a browser would show. Nothing that a page refers to is fetched.

page    blocks in their order          tables, lists    what they may be
inline    the words of a block         controls, formulas    what stands among them
saved_by_word    what only pages say that Word has saved
"""

import re
import warnings
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

from bs4 import BeautifulSoup
from bs4.dammit import EncodingDetector
from bs4.element import Comment, Tag

from pipeline.reports.blocks import Reading, tidy, visible
from pipeline.reports.html.inline import is_text
from pipeline.reports.html.page import Page
from pipeline.settings import Reports

__all__ = ["read_html", "read_markup"]
# What pages declare, and what browsers take it for (WHATWG, Encoding, section 4.2).
_REALLY_WINDOWS = frozenset(("iso-8859-1", "iso8859-1", "latin-1", "latin1", "us-ascii", "ascii"))
_CREATED = ("dcterms.created", "dc.date.created", "article:published_time", "dcterms.date", "dc.date", "date")
_MODIFIED = ("dcterms.modified", "dc.date.modified", "article:modified_time", "last-modified")
_SAVED = re.compile(r"<o:(Created|LastSaved)>([^<]*)<")


def read_html(path: Path, settings: Reports) -> Reading:
    """Read a page."""
    return read_markup(path.read_bytes(), settings)


def read_markup(source: bytes | str, settings: Reports | None = None) -> Reading:
    """Read a page or a piece of one. Bytes are decoded as the page itself says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # XHTML is read as the HTML that it is, and short pieces are pages
        soup = BeautifulSoup(source, "lxml", from_encoding=_windows(source))
    reading = Reading()
    reading.tally.visible = sum(visible(text) for text in soup.find_all(string=True) if is_text(text))
    _read_dates(soup, reading)
    title = next((tag for tag in soup.find_all("title") if tag.find_parent("svg") is None), None)
    said = title.extract().get_text() if isinstance(title, Tag) else ""
    Page(reading, frozenset((settings or Reports()).keep)).read(soup)
    if reading.title or not said:  # a title on the page goes before that of its window
        reading.tally.leave("page head", said)
    else:
        reading.title, reading.title_characters = " ".join(tidy(said).split()), visible(said)
    return reading


def _windows(source: bytes | str) -> str | None:
    """The encoding, where it is not the one that the page declares."""
    if isinstance(source, str):
        return None
    declared = EncodingDetector.find_declared_encoding(source, is_html=True)
    return "windows-1252" if declared and declared.lower() in _REALLY_WINDOWS else None


def _read_dates(soup: BeautifulSoup, reading: Reading) -> None:
    said: dict[str, str] = {}
    for meta in soup.find_all("meta"):
        name = meta.get("name") or meta.get("property") or meta.get("http-equiv") or ""
        said.setdefault(str(name).lower(), str(meta.get("content", "")))
    for comment in soup.find_all(string=lambda text: isinstance(text, Comment) and "<o:" in text):
        said |= {kind: written for kind, written in _SAVED.findall(comment)}
    reading.created = _first_date(said, ("Created", *_CREATED))
    reading.modified = _first_date(said, ("LastSaved", *_MODIFIED))


def _first_date(said: dict[str, str], names: tuple[str, ...]) -> date | None:
    return next((found for name in names if (found := _date(said.get(name, "").strip()))), None)


def _date(text: str) -> date | None:
    """A date as in 2024-05-06, or as in the head of a letter."""
    for parse in (lambda: datetime.strptime(text[:10], "%Y-%m-%d"), lambda: parsedate_to_datetime(text)):
        try:
            return parse().date()
        except (ValueError, TypeError):
            continue
    return None
