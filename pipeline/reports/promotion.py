"""Where a file marks no headings, or only one: lines that people set apart by hand become headings.

bold or capitals, alone        Aims                        a heading
under a number                 2.1 Staff                   a heading, if it is not a row of a list
one of three or more in a row  Association / Report / 2024 a cover: at most the last of them is a heading
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from pipeline.reports.blocks import Event, Heading, Piece, Remark
from pipeline.reports.no_heading import answers, is_no_heading, is_one_of_contents, letterhead
from pipeline.reports.typed_number import Place, Typed, in_series, is_label, place, typed_number

LONGEST_PROMOTED_CHARACTERS = 120
LARGEST_PROMOTED_SHARE = 0.4
FEWEST_BESIDE_A_MARKED_ONE = 3
FEWEST_PLAIN_ITEMS = 3
MOST_WORDS_BEFORE_COLON = 6
FEWEST_CHARACTERS_OF_TEXT = 40
_SENTENCE_END = (".", ";", ",", ":", "!")
_RANKS = {"par": 0, "cap": 1, "cha": 1, "sec": 2, "art": 3}


@dataclass(frozen=True, slots=True)
class Line:
    """A line that may be a heading: `typed` is its number, typed or automatic, `text` all that it says."""

    text: str
    typed: Typed | None
    is_emphatic: bool
    is_item: bool = False

    @property
    def depth(self) -> int:
        """How deep its number is, 0 without one."""
        return self.typed.depth if self.typed else 0


def promoted(events: Sequence[Event]) -> list[Event]:
    """Lines that stand alone in bold or capitals, or under a number, become headings where fewer than two are marked.

    A line is left alone if it is long, ends like a sentence, heads nothing, is one of a row of such lines (a cover,
    a typed list), or is something else that people set in bold: see `no_heading`. If too many lines would be
    headings, none is. A single marked heading, of level 1 then, is believed to be the only one unless at least
    `FEWEST_BESIDE_A_MARKED_ONE` lines stand beside it.
    """
    marked = [index for index, event in enumerate(events) if isinstance(event, Heading)]
    if len(marked) > 1:
        return list(events)
    said = [index for index, event in enumerate(events) if not isinstance(event, Remark)]
    lines = _lines([events[index] for index in said])
    chosen = {said[at]: line for at, line in _alone(lines) if at < len(said) - 1}
    too_few = marked and len(chosen) < FEWEST_BESIDE_A_MARKED_ONE
    if too_few or len(chosen) > LARGEST_PROMOTED_SHARE * len(said):
        return list(events)
    result = list(events)
    levels = _levels(chosen, marked[0] if marked else None)
    for index, line in chosen.items():
        number, heading = (line.typed.number, line.typed.heading) if line.typed else (None, line.text)
        result[index] = Heading(levels[index], heading, events[index].characters, number)
    for index, event in enumerate(events):
        if isinstance(event, Heading):
            result[index] = replace(event, level=1)
    return result


def _lines(said: Sequence[Event]) -> list[Line | None]:
    """What may be a heading, by its place; numbers that may be counts or names stand only in a series."""
    texts = [event.text.strip() for event in said]
    found = [_line(event) for event in said]
    known, bold = set(texts), {line.text for line in found if line and line.is_emphatic}
    for at, line in enumerate(found):
        if line is None:
            continue
        heads_text = not line.is_item or _is_prose(said[at + 1 : at + 2])
        is_listed = not line.is_emphatic and (line.text in bold or not heads_text)
        if is_listed or is_one_of_contents(line.text, known):
            found[at] = None
    unnumbered = [line is not None and line.is_emphatic and line.typed is None for line in found]
    for at in {*letterhead(texts), *answers(said, unnumbered)}:
        if unnumbered[at]:
            found[at] = None
    places = {where for line in found if line and line.typed and (where := place(line.typed))}
    sizes = Counter(where[:2] for where in places)
    settled = [line and _settled(line, places, sizes) for line in found]
    return [line if line and _may_end_so(line, said[at + 1 : at + 2]) else None for at, line in enumerate(settled)]


def _line(event: Event) -> Line | None:
    """A piece as a line that may be a heading, by its looks alone."""
    if not isinstance(event, Piece) or event.kind not in ("paragraph", "list_item"):
        return None
    text = event.text.strip()
    typed = typed_number(text)
    is_item = event.kind == "list_item"
    if is_item:
        if event.number is None:
            return None
        number, rest = event.number.rstrip("."), text.removeprefix(event.number).strip()
        typed = Typed(number, rest, typed.kind if typed and typed.number == number else "arabic", "sure")
    rest = typed.heading if typed else text
    if (typed is None and not event.emphatic) or "\n" in text or len(rest) > LONGEST_PROMOTED_CHARACTERS:
        return None
    if not any(map(str.isalpha, rest)) or text.startswith("![") or is_no_heading(text, rest):
        return None
    return Line(text, typed, event.emphatic, is_item)


def _settled(line: Line, places: Set[Place], sizes: Mapping[tuple[str, tuple[str, ...]], int]) -> Line | None:
    """The line with its number, without one, or None, as the other numbers have it. `sizes` are those of the series."""
    typed = line.typed
    if typed is None:
        return line
    if line.is_item:
        where = place(typed)
        is_chapter = where is not None and sizes[where[:2]] >= FEWEST_PLAIN_ITEMS
        return line if line.is_emphatic or is_chapter else None
    is_weak = typed.kind in ("word", "minor") or typed.number.isalpha() or typed.heading[0].islower()
    if typed.standing == "sure" and (line.is_emphatic or not is_weak):
        return line
    if in_series(typed, places):
        return line
    return replace(line, typed=None) if line.is_emphatic else None


def _may_end_so(line: Line, following: Sequence[Event]) -> bool:
    """Does a line end as headings do? "Aims:" does where text or a list follows that is not bold."""
    if not line.text.endswith(_SENTENCE_END) or is_label(line.text):
        return True
    if not line.text.endswith(":") or not line.is_emphatic or len(line.text.split()) > MOST_WORDS_BEFORE_COLON:
        return False
    return _is_prose(following) or any(isinstance(event, Piece) and event.kind != "paragraph" for event in following)


def _is_prose(following: Sequence[Event]) -> bool:
    """Is what follows running text, and not an answer of a few words?"""
    return any(
        isinstance(event, Piece)
        and event.kind == "paragraph"
        and not event.emphatic
        and (len(event.text) >= FEWEST_CHARACTERS_OF_TEXT or event.text.endswith((".", ";")))
        for event in following
    )


def _alone(lines: Sequence[Line | None]) -> Iterator[tuple[int, Line]]:
    """The lines that are no part of a row. An unnumbered one may stand above one other, or above a number."""
    for at, line in enumerate(lines):
        if line is None:
            continue
        before, after = (lines[at - 1] if at else None), (lines[at + 1] if at + 1 < len(lines) else None)
        if line.typed is None:
            if after is None or after.typed is not None or _is_first_of_two(lines, at):
                yield at, line
        elif line.is_emphatic or line.depth not in (before.depth if before else 0, after.depth if after else 0):
            yield at, line


def _is_first_of_two(lines: Sequence[Line | None], at: int) -> bool:
    """Do this line and the next make a pair, with text under it and none of their kind above?"""
    if at == 0 and any(line and line.typed for line in lines):
        return False  # chapters have numbers here: these two are the title
    above = lines[at - 1] if at else None
    if (above is not None and above.typed is None) or at + 2 >= len(lines):
        return False
    third = lines[at + 2]
    return third is None or third.typed is not None


def _levels(chosen: Mapping[int, Line], marked: int | None) -> dict[int, int]:
    """Levels by index. A line without a number stands under the last number, or else under the marked heading.

    Numbers below the marked heading count its parts only if chapters above it were numbered.
    """
    outer = _outer_kinds(list(chosen.values()))
    ranks = {rank for line in chosen.values() if (rank := _rank(line)) is not None}
    capitals_lead = any(_is_above(chosen, index) for index in chosen)
    levels: dict[int, int] = {}
    above, deeper = 0, 0  # level of the last numbered line, and how much deeper than they say numbers are now
    for index, line in chosen.items():
        if marked is not None and index > marked:
            deeper = 1 if any(chosen[other].depth for other in levels) else 0
            above, marked = 1, None
        typed, rank = line.typed, _rank(line)
        if rank is not None:
            levels[index] = above = 1 + len([other for other in ranks if 0 <= other < rank])
        elif typed is None or typed.kind == "minor":
            is_below = typed is None and capitals_lead and not line.text.isupper()
            levels[index] = above + (2 if is_below else 1)
        else:
            inner = outer.index(typed.kind) if typed.kind in outer else len(outer) if typed.kind == "arabic" else 0
            levels[index] = above = typed.depth + inner + deeper
    return levels


def _outer_kinds(lines: Sequence[Line]) -> list[str]:
    """Numerals or letters that count chapters when plain numbers count their parts: those that come up first."""
    kinds = [line.typed.kind for line in lines if line.typed and line.typed.depth == 1]
    first = kinds.index("arabic") if "arabic" in kinds else 0
    return [kind for kind in dict.fromkeys(kinds[:first]) if kind in ("roman", "letter") and kinds.count(kind) > 1]


def _rank(line: Line) -> int | None:
    """The rank of what a word counts: a part stands above a chapter, an annex beside the highest; None without."""
    if not (line.typed.kind == "word" if line.typed else is_label(line.text)):
        return None
    return _RANKS.get(re.sub("í", "i", line.text[:3].casefold()), -1)


def _is_above(chosen: Mapping[int, Line], index: int) -> bool:
    """Does an unnumbered line in capitals stand right above one that is not?"""
    here, below = chosen[index], chosen.get(index + 1)
    if below is None or here.typed or below.typed or is_label(here.text):
        return False
    return here.text.isupper() and not below.text.isupper()
