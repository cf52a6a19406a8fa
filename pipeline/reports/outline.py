"""Events become sections: each heading opens one, paths lead down from the top, level jumps close.

events   H1 A   p   H3 B   p   H2 C          raw levels 1, 3, 2
sections 1 A       2 B       2 C             a level is never more than one below the one it stands in
"""

from collections.abc import Sequence
from typing import NamedTuple

from pipeline.records import Block, Comment, Section
from pipeline.reports.blocks import Heading, Piece, Reading, Remark
from pipeline.reports.promotion import LONGEST_PROMOTED_CHARACTERS, promoted
from pipeline.reports.typed_number import in_series, place, split_number, typed_number

__all__ = ["LONGEST_PROMOTED_CHARACTERS", "Outlined", "promoted", "sections_of", "split_number"]

LARGEST_LONE_NUMBER = 9


class Outlined(NamedTuple):
    """Sections of a file, languages not yet known, its comments, and how many characters these and the title hold."""

    sections: tuple[Section, ...]
    comments: tuple[Comment, ...]
    characters: int


def sections_of(reading: Reading, document: str) -> Outlined:
    """Put the events of a file under their headings.

    The text before the first heading is a section too, headed by the title, or by nothing.
    """
    events = promoted(reading.events)
    headings = [event for event in events if isinstance(event, Heading)]
    is_marked = any(isinstance(event, Heading) for event in reading.events)
    numbers = iter(_numbers(headings, is_marked))
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
        number, heading = next(numbers)
        while open_levels and open_levels[-1][0] >= event.level:
            open_levels.pop()
        open_levels.append((event.level, heading))
        path = tuple(title for _, title in open_levels)
        current = {"level": len(path), "number": number, "heading": heading, "path": path}
    close()
    last = max(0, len(sections) - 1)  # a comment may hang on an empty beginning or end
    within = (comment.model_copy(update={"section": min(comment.section, last)}) for comment in comments)
    return Outlined(tuple(sections), tuple(within), placed)


def _numbers(headings: Sequence[Heading], is_marked: bool) -> list[tuple[str | None, str]]:
    """Number and text of each heading. A typed number that may be a count is one only in a series.

    Where people marked the headings, a small one will do without a series, if all headings of its level have numbers.
    """
    typed = [None if heading.number else typed_number(heading.text) for heading in headings]
    places = {where for found in typed if found and (where := place(found))}
    pairs = list(zip(headings, typed, strict=True))
    unnumbered_levels = {heading.level for heading, found in pairs if not (found or heading.number)}
    result: list[tuple[str | None, str]] = []
    for heading, found in pairs:
        if found is None:
            result.append(split_number(heading.text, heading.number) if heading.number else (None, heading.text))
            continue
        is_lone = is_marked and found.standing == "bare" and heading.level not in unnumbered_levels
        is_small = (where := place(found)) is not None and where[2] <= LARGEST_LONE_NUMBER
        if found.standing == "sure" or (is_lone and is_small) or in_series(found, places):
            result.append((found.number, found.heading))
        else:
            result.append((None, heading.text))
    return result
