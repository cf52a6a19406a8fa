"""Plain text: paragraphs parted by empty lines, lines that are underlined, lists, and pages as a printer saw them."""

import re
from collections.abc import Iterator
from pathlib import Path

from pipeline.reports import markdown
from pipeline.reports.blocks import Event, Heading, Piece, Reading, tidy, visible
from pipeline.reports.encodings import decoded
from pipeline.reports.outline import promoted

LONGEST_HEADING_CHARACTERS = 120
_EMPTY_LINE = re.compile(r"\n[ \t]*\n")
_UNDERLINE = re.compile(r"([=\-~*_#^\"'+])\1{2,}")
_PAGE_NUMBER = re.compile(
    r"\W*(?:p[àá]gina|page|p[àáa]g\.?|p\.)?\s*\d{1,4}(?:\s*(?:/|of|de)\s*\d{1,4})?\W*", re.IGNORECASE
)
_BULLET = re.compile(r"(\s*)([-*•·▪●○◦–‣+])[ \t]+(?=\S)")
_NUMBER = re.compile(r"(\s*)((?:\d{1,3}|[A-Za-z]|[ivx]{1,5})[.)]|\((?:\d{1,3}|[A-Za-z]|[ivx]{1,5})\))[ \t]+(?=\S)")
_GAP = re.compile(r"\S(?: {2,}|[ ]*\t[ ]*)\S|\S ?[|│] ?|[|│]")
_LETTER_HYPHEN = re.compile(r"\w-\Z")
_NARROWEST, _WIDEST = 40, 110
_LEAST_WRAPPED_SHARE, _LEAST_LINES = 0.6, 4


def read_text(path: Path) -> Reading:
    """Read a text file. Lines that stand alone in capitals or under a number may head sections."""
    return read_plain(path.read_bytes())


def read_plain(data: bytes) -> Reading:
    """Read the bytes of a text."""
    text = decoded(data)
    reading = Reading()
    reading.tally.visible = visible(text)
    text = _joined_pages(text, reading)
    width = _width(text)
    styles: dict[int, str] = {}  # how headings are underlined, by their place among the events
    for paragraph in _EMPTY_LINE.split(text):
        lines = [line.rstrip() for line in paragraph.strip("\n").split("\n") if line.strip()]
        if not any(map(visible, lines)):
            reading.tally.leave("zero-width", paragraph)
            continue
        lines, style = _without_underlines(lines, reading)
        if style:
            styles[len(reading.events)] = style
            reading.events.append(Piece("paragraph", tidy(lines[0]), visible(lines[0]), emphatic=True))
            lines = lines[1:]
        reading.events += _events(lines, width)
    if styles:
        reading.events = _with_headings(reading.events, styles)
    return reading


def _joined_pages(text: str, reading: Reading) -> str:
    """One text of all pages, without the numbers at their ends; a sentence that goes on is not broken."""
    pages = text.split("\f")
    if len(pages) == 1:
        return text
    joined = ""
    for page in pages:
        lines = page.strip("\n").split("\n")
        for place in (-1, 0):
            if lines and _PAGE_NUMBER.fullmatch(lines[place].strip()) and any(map(str.isdigit, lines[place])):
                reading.tally.leave("page number", lines.pop(place))
        page = "\n".join(lines).strip("\n")
        goes_on = page[:1].islower() and joined[-1:].isalnum()
        joined += ("\n" if goes_on else "\n\n") + page if joined else page
    return joined


def _width(text: str) -> int | None:
    """The width at which the file's lines were broken; None if its lines are as people ended them."""
    lines = text.split("\n")
    told = [not line.strip() or _GAP.search(line) or _UNDERLINE.fullmatch(line.strip()) for line in lines]
    pairs = zip(lines, told, told[1:], strict=False)
    broken = [len(line.rstrip()) for line, here, below in pairs if not here and not below]
    if len(broken) < _LEAST_LINES:
        return None
    width = sorted(broken)[int(0.95 * (len(broken) - 1))]
    wide = sum(0.8 * width <= length <= width + 2 for length in broken)
    is_broken = _NARROWEST <= width <= _WIDEST and wide >= _LEAST_WRAPPED_SHARE * len(broken)
    return width if is_broken else None


def _without_underlines(lines: list[str], reading: Reading) -> tuple[list[str], str]:
    """The lines of a paragraph, and the character that its first one is underlined with, if it is."""
    over = len(lines) > 2 and _UNDERLINE.fullmatch(lines[0].strip()) and lines[0].strip() == lines[2].strip()
    title, under = lines[1 if over else 0], lines[2 if over else 1] if len(lines) > 1 else ""
    match = _UNDERLINE.fullmatch(under.strip())
    fits = len(lines) == 2 or over or abs(len(under.strip()) - len(title.strip())) <= 2
    if not match or not fits or len(title) > LONGEST_HEADING_CHARACTERS or not any(map(str.isalnum, title)):
        return lines, ""
    reading.tally.leave("underline", under + (lines[0] if over else ""))
    return [title, *lines[3 if over else 2 :]], match[1] * (2 if over else 1)


def _with_headings(events: list[Event], styles: dict[int, str]) -> list[Event]:
    """Underlined lines are headings; a kind of underline is the deeper, the later it comes up."""
    result = promoted(events)
    order = list(dict.fromkeys(styles.values()))
    for place, style in styles.items():
        event = events[place]
        result[place] = Heading(order.index(style) + 1, event.text, event.characters)
    return result


def _events(lines: list[str], width: int | None) -> Iterator[Event]:
    """What a paragraph's lines say: a list, a table, or text."""
    if not lines:
        return
    marks = [_BULLET.match(line) or _NUMBER.match(line) for line in lines]
    bullets = any(mark and _BULLET.match(line) for mark, line in zip(marks, lines, strict=True))
    if marks[0] and (bullets or sum(map(bool, marks)) > 1):
        yield from _items(lines, marks, width)
    elif len(lines) > 1 and sum(map(bool, map(_GAP.search, lines))) > len(lines) / 2:
        yield Piece("paragraph", "\n".join(lines), sum(map(visible, lines)))
    else:
        text = tidy(_flowing(lines, width))
        alone = len(lines) == 1 and len(text) <= LONGEST_HEADING_CHARACTERS
        yield Piece("paragraph", text, sum(map(visible, lines)), emphatic=alone and text.isupper())


def _items(lines: list[str], marks: list[re.Match[str] | None], width: int | None) -> Iterator[Event]:
    """Items of a list; a line without a mark goes on with the one above. Indents tell how deep an item is."""
    starts = [place for place, mark in enumerate(marks) if mark]
    indents: list[int] = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        mark = marks[start]
        assert mark is not None
        indent = len(mark[1].expandtabs(4))
        while indents and indents[-1] > indent:
            indents.pop()
        if not indents or indents[-1] < indent:
            indents.append(indent)
        own = lines[start:end]
        text = tidy(_flowing([own[0][mark.end() :], *own[1:]], width))
        is_number = _NUMBER.match(own[0]) is not None and _BULLET.match(own[0]) is None
        label = mark[2] if is_number else "-"
        item = markdown.list_item(label, len(indents) - 1, text)
        yield Piece("list_item", item, sum(map(visible, own)), number=label if is_number else None)


def _flowing(lines: list[str], width: int | None) -> str:
    """Lines in one where only the width has broken them: where the next word would not have fitted."""
    text = lines[0]
    for above, line in zip(lines, lines[1:], strict=False):
        word = line.split()[0] if line.split() else ""
        full = width is not None and len(above.rstrip()) + 1 + len(word) > width
        text += (" " if full and not _LETTER_HYPHEN.search(above) else "\n") + line.strip()
    return text
