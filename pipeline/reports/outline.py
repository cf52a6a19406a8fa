"""Events become sections: each heading opens one, paths lead down from the top, level jumps close.

events   H1 A   p   H3 B   p   H2 C          raw levels 1, 3, 2
sections 1 A       2 B       2 C             a level is never more than one below the one it stands in
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from pipeline.records import Block, Comment, Section
from pipeline.reports.blocks import Event, Heading, Piece, Reading, Remark

LONGEST_PROMOTED_CHARACTERS = 120
LARGEST_PROMOTED_SHARE = 0.4
# A number that somebody typed: 2.1, A.1., 3), IV. or a bare 1 or 2 digits before a capital letter.
_TYPED = re.compile(
    r"(?P<number>(?:\d{1,2}|[A-Z])(?:\.\d{1,2})+\.?"
    r"|(?:\d{1,2}|[A-Z]|[IVX]{1,5})[.)](?=\s)"
    r"|\d{1,2}(?=\s+[^\W\d_a-zà-ÿ]))"
    r"[ \t\n]*(?P<rest>[^\W_].*|[¿¡\"'«“(].*)",
    re.DOTALL,
)
_SENTENCE_END = (".", ";", ",", ":", "!")


class Outlined(NamedTuple):
    """Sections of a file, languages not yet known, its comments, and how many characters these and the title hold."""

    sections: tuple[Section, ...]
    comments: tuple[Comment, ...]
    characters: int


def sections_of(reading: Reading, document: str) -> Outlined:
    """Put the events of a file under their headings.

    The text before the first heading is a section too, headed by the title, or by nothing.
    """
    events = reading.events
    if not any(isinstance(event, Heading) for event in events):
        events = promoted(events)
    placed = reading.title_characters
    sections: list[Section] = []
    comments: list[Comment] = []
    open_levels: list[tuple[int, str]] = []  # raw level and title of each heading that the next one may stand under
    current: dict[str, object] = {"level": 1, "heading": reading.title, "path": (reading.title,)}
    blocks: list[Block] = []

    def close() -> None:
        if blocks or "number" in current:
            sections.append(Section(document=document, position=len(sections), blocks=tuple(blocks), **current))
            blocks.clear()

    for event in events:
        placed += event.characters
        if isinstance(event, Remark):
            comments.append(Comment(section=len(sections), author=event.author, about=event.about, text=event.text))
            continue
        if isinstance(event, Piece):
            if event.text:
                blocks.append(Block(kind=event.kind, text=event.text))
            continue
        close()
        number, heading = split_number(event.text, event.number)
        while open_levels and open_levels[-1][0] >= event.level:
            open_levels.pop()
        open_levels.append((event.level, heading))
        path = tuple(title for _, title in open_levels)
        current = {"level": len(path), "number": number, "heading": heading, "path": path}
    close()
    last = max(0, len(sections) - 1)  # a comment may hang on an empty beginning or end
    within = (comment.model_copy(update={"section": min(comment.section, last)}) for comment in comments)
    return Outlined(tuple(sections), tuple(within), placed)


def split_number(text: str, automatic: str | None = None) -> tuple[str | None, str]:
    """A heading's printed number, automatic or typed, without its final stop, and the heading without it."""
    if automatic:
        return automatic.rstrip("."), text
    match = _TYPED.fullmatch(text)
    return (match["number"].rstrip("."), match["rest"]) if match else (None, text)


def promoted(events: Sequence[Event]) -> list[Event]:
    """Where no heading is marked: lines that stand alone in bold, or under a number, become headings.

    A line is left alone if it is long, ends like a sentence, heads nothing, or is one of a row of such lines
    (a cover, a typed list). If too many lines would be headings, none is.
    """
    said = [index for index, event in enumerate(events) if not isinstance(event, Remark)]
    candidates = [None, *(_candidate(events[index]) for index in said), None]
    chosen: dict[int, tuple[str | None, str]] = {}
    for index, before, here, after in zip(said[:-1], candidates, candidates[1:], candidates[2:], strict=False):
        if here is None:
            continue
        if here[0] is None:
            alone = after is None or after[0] is not None
        else:
            alone = _is_emphatic(events[index]) or _depth(here) not in (_depth(before), _depth(after))
        if alone:
            chosen[index] = here
    if len(chosen) > LARGEST_PROMOTED_SHARE * len(said):
        return list(events)
    result, numbered_level = list(events), 0
    for index, (number, heading) in chosen.items():
        if number is not None:
            numbered_level = _depth((number, heading))
        level = numbered_level if number is not None else numbered_level + 1
        result[index] = Heading(level, heading, events[index].characters, number)
    return result


def _candidate(event: Event) -> tuple[str | None, str] | None:
    """(number, heading) if the event could be a heading."""
    if not isinstance(event, Piece) or event.kind not in ("paragraph", "list_item"):
        return None
    text, number = event.text.strip(), event.number
    if event.kind == "list_item":
        if number is None or not event.emphatic:
            return None
        number, text = number.rstrip("."), text.removeprefix(number).strip()
    else:
        number, text = split_number(text)
    if (number is None and not event.emphatic) or len(text) > LONGEST_PROMOTED_CHARACTERS or "\n" in text:
        return None
    if text.endswith(_SENTENCE_END) or not any(map(str.isalpha, text)) or text.startswith("!["):
        return None
    return number, text


def _depth(candidate: tuple[str | None, str] | None) -> int:
    """How deep the candidate's number is, 0 if it has none."""
    return len(candidate[0].split(".")) if candidate and candidate[0] else 0


def _is_emphatic(event: Event) -> bool:
    return isinstance(event, Piece) and event.emphatic
