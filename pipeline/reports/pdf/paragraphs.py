"""Lines become headings, paragraphs and list items again."""

import re
from collections.abc import Mapping, Sequence

from pipeline.reports import markdown
from pipeline.reports.blocks import Heading, Piece, Reading, tidy
from pipeline.reports.outline import split_number
from pipeline.reports.pdf.lines import HYPHEN, Line, leading, right_edge

_BULLET = re.compile(r"([•●▪◦○■□➢✓–\-*\uf0b7\uf0a7])\s+(?=\S)")
_NUMBERED = re.compile(r"(\(?(?:\d{1,2}|[a-z])[.)])\s+(?=\S)")
_BROKEN = re.compile(r"(\w+)[-\u00ad\u2010]$")
_COMPOUND = re.compile(r"\w+-\w+")
_ENDS = (".", "?", "!", ":", "…", ".”", ".»", '."')
PARAGRAPH_GAP = 1.4  # in usual line distances
SHORT_LINE = 0.85  # of the usual right edge


def events_of(lines: Sequence[Line], levels: Mapping[int, int], reading: Reading) -> None:
    """Append the events of all lines to `reading`. `levels` says which lines are headings."""
    compounds = {word.casefold() for line in lines for word in _COMPOUND.findall(line.text)}
    usual_leading, usual_right = leading(lines), right_edge(lines)
    group: list[Line] = []
    for index, line in enumerate(lines):
        before = group[-1] if group else None
        if before is not None and _parts(before, line, index, levels, usual_leading, usual_right):
            _flush(group, levels.get(index - 1), compounds, reading)
            group = []
        group.append(line)
    if group:
        _flush(group, levels.get(len(lines) - 1), compounds, reading)


def _parts(a: Line, b: Line, index: int, levels: Mapping[int, int], usual_leading: float, usual_right: float) -> bool:
    """Does a new block begin at line `b`, which is the one at `index`, after `a`?"""
    if levels.get(index) != levels.get(index - 1):
        return True
    gap = a.base - b.base
    moved = a.page != b.page or gap < -usual_leading  # to the next page or column
    if index in levels:
        return moved or split_number(b.text)[0] is not None or gap > PARAGRAPH_GAP * max(usual_leading, a.size * 1.2)
    if _BULLET.match(b.text) or _NUMBERED.match(b.text):
        return True
    ended = a.text.endswith(_ENDS)
    if moved:
        return ended
    return gap > PARAGRAPH_GAP * usual_leading or (
        ended and (b.left > a.left + b.size or a.right < SHORT_LINE * usual_right)
    )


def _flush(group: Sequence[Line], level: int | None, compounds: set[str], reading: Reading) -> None:
    text, dropped = joined([line.text for line in group], compounds)
    characters = sum(line.characters for line in group) - dropped
    if dropped:
        reading.tally.left_out["hyphenation"] += dropped
    text = tidy(text)
    if level is not None:
        reading.events.append(Heading(level, text, characters))
    elif bullet := _BULLET.match(text):
        reading.events.append(Piece("list_item", markdown.list_item("-", 0, text[bullet.end() :]), characters))
    elif number := _NUMBERED.match(text):
        reading.events.append(Piece("list_item", markdown.list_item(number[1], 0, text[number.end() :]), characters))
    else:
        reading.events.append(Piece("paragraph", text, characters))


def joined(lines: Sequence[str], compounds: set[str]) -> tuple[str, int]:
    """Lines as one text, and how many hyphens were dropped. One stays if the word is written so elsewhere."""
    text, dropped = "", 0
    for line in lines:
        broken = _BROKEN.search(text)
        if broken and line[:1].islower():
            keeps = f"{broken[1]}-{line.split()[0].strip('.,;:')}".casefold() in compounds
            text, dropped = (text, dropped) if keeps else (text[:-1], dropped + 1)
            text += line
        else:
            text += (" " if text else "") + line
    while HYPHEN in text:
        before, _, after = text.partition(HYPHEN)
        word = f"{(before.split() or [''])[-1]}-{(after.split() or [''])[0].strip('.,;:')}".casefold()
        keeps = word in compounds
        text, dropped = before + ("-" if keeps else "") + after, dropped + (not keeps)
    return text, dropped
