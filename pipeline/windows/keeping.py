"""Which pieces of the earlier sections a window keeps while it is being chosen, what they cost, and how they read.

    kept        ■ ■ · · ■ · ·         1 sentence 2 […] 5 […]
    tokens      heading + 3 pieces + 2 marks, one for each run of pieces that is left out

A section of which nothing is kept costs nothing, and is not shown.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from pipeline.bases.tokens import Tokens
from pipeline.records import Span, WindowPart
from pipeline.windows.pieces import Measured, Piece, count_within

ELLIPSIS = "[…]"
_IN_LINE = f" {ELLIPSIS}"
_INTO_BLOCK, _BETWEEN_BLOCKS, _BETWEEN_ROWS = f"\n\n{ELLIPSIS}", f"\n\n{ELLIPSIS}\n\n", f"\n{ELLIPSIS}\n"


@dataclass(frozen=True)
class MarkTokens:
    """The most tokens of a mark: within a block, before a piece that begins a block or is a row, at the end."""

    within: int
    between: int
    at_end: int

    def before(self, piece: Piece) -> int:
        """Tokens of the mark before a piece whose forerunner is left out."""
        return self.between if piece.begins_block or piece.is_row else self.within


@lru_cache(maxsize=4)
def mark_tokens_of(tokens: Tokens) -> MarkTokens:
    """What marks cost in a base's tokens."""

    def most(*marks: str) -> int:
        return max(count_within(mark, tokens) for mark in marks)

    return MarkTokens(
        within=most(_IN_LINE, ELLIPSIS, _INTO_BLOCK),
        between=most(_BETWEEN_BLOCKS, _BETWEEN_BLOCKS.lstrip(), _BETWEEN_ROWS),
        at_end=most(_IN_LINE, _INTO_BLOCK),
    )


@dataclass
class _Kept:
    """The kept pieces of one section, each with the reason, and what they cost as they stand now."""

    reasons: dict[int, str] = field(default_factory=dict)
    tokens: int = 0


class Keeping:
    """The pieces kept so far, within a budget of tokens.

    Attributes:
        earlier: the sections that pieces are kept of, in document order.
        budget: tokens that all of it may cost.
        left: tokens of the budget that are not spent.
        open_from: sections before this one were chosen earlier, and stay as they are.
    """

    def __init__(self, earlier: Sequence[Measured], budget: int, marks: MarkTokens) -> None:
        self.earlier, self.budget, self.left, self._marks = earlier, budget, budget, marks
        self.open_from = 0
        self._kept: dict[int, _Kept] = {}

    def take_over(self, before: "Keeping", open_from: int) -> None:
        """Keep what another one kept of the sections before `open_from`, and let nobody change it.

        Its sections are those that these begin with.
        """
        self.open_from = open_from
        for section, kept in before._kept.items():
            if section < open_from:
                self._kept[section] = kept
                self.left -= kept.tokens

    def first_kept_for(self, reason: str) -> int:
        """The first section of which something is kept for this reason; 0 if there is none."""
        return min((section for section, kept in self._kept.items() if reason in kept.reasons.values()), default=0)

    def has(self, section: int, piece: int) -> bool:
        """Is this piece kept?"""
        return section in self._kept and piece in self._kept[section].reasons

    def tokens_of(self, section: int) -> int:
        """What the section costs by now."""
        return self._kept[section].tokens if section in self._kept else 0

    def cost(self, section: int, piece: int) -> int:
        """What keeping one more piece costs: its tokens, those of its table's header, of marks and of the heading.

        It may be below 0, where the piece fills a gap that is dearer to mark.
        """
        measured = self.earlier[section]
        kept = self._kept[section].reasons if section in self._kept else {}
        cost = 0 if kept else measured.heading_tokens
        cost += measured.pieces[piece].tokens + self._further_marks(section, piece, kept)
        header = measured.pieces[piece].header
        if header is not None and header not in kept:
            cost += measured.pieces[header].tokens + self._further_marks(section, header, kept, joined=piece)
        return cost

    def keep(self, section: int, piece: int, reason: str, reserve: int = 0) -> bool:
        """Keep a piece, with its table's header, unless less than `reserve` tokens would be left.

        Returns:
            Whether it is kept, now or from before.
        """
        if self.has(section, piece):
            return True
        header = self.earlier[section].pieces[piece].header
        new = {piece: reason} if header is None or self.has(section, header) else {header: reason, piece: reason}
        return self._spend(section, new, self.cost(section, piece), reserve)

    def keep_whole(self, section: int, reason: str, reserve: int = 0) -> bool:
        """Keep all of a section, unless less than `reserve` tokens would be left; returns whether it is kept."""
        measured = self.earlier[section]
        new = dict.fromkeys(range(len(measured.pieces)), reason)
        return self._spend(section, new, measured.whole_tokens - self.tokens_of(section), reserve)

    def keep_heading(self, section: int, reserve: int = 0) -> bool:
        """Keep a section's heading, unless less than `reserve` tokens would be left; returns whether it is kept."""
        return section in self._kept or self._spend(section, {}, self.earlier[section].heading_tokens, reserve)

    def _spend(self, section: int, new: dict[int, str], cost: int, reserve: int) -> bool:
        assert section >= self.open_from, "what another choice kept is not changed"
        if self.left - cost < reserve:
            return False
        kept = self._kept.setdefault(section, _Kept())
        for piece, reason in new.items():
            kept.reasons.setdefault(piece, reason)
        kept.tokens += cost
        self.left -= cost
        return True

    def kept(self) -> Iterator[tuple[int, int]]:
        """All kept pieces: places of section and piece."""
        for section, kept in self._kept.items():
            yield from ((section, piece) for piece in kept.reasons)

    def parts(self) -> tuple[WindowPart, ...]:
        """What the window shows, in document order."""
        return tuple(_part(self.earlier[place], kept) for place, kept in sorted(self._kept.items()))

    def _further_marks(self, section: int, piece: int, kept: Collection[int], joined: int | None = None) -> int:
        """What the section's marks cost more once `piece` joins those that are `kept`, and a later one just `joined`.

        It may be below 0.
        """
        pieces = self.earlier[section].pieces
        cost = self._marks.before(pieces[piece]) if piece > 0 and piece - 1 not in kept else 0
        if piece + 1 in kept or piece + 1 == joined:
            return cost - self._marks.before(pieces[piece + 1])
        is_shown = bool(kept) or joined is not None
        if piece + 1 == len(pieces):
            return cost - (self._marks.at_end if is_shown else 0)
        return cost + (0 if is_shown else self._marks.at_end)


def whole(measured: Measured, reason: str) -> WindowPart:
    """A section kept from end to end."""
    return _part(measured, _Kept(dict.fromkeys(range(len(measured.pieces)), reason), measured.whole_tokens))


def _part(measured: Measured, kept: _Kept) -> WindowPart:
    section = measured.section
    runs = list(_runs(sorted(kept.reasons)))
    shown = sum(measured.pieces[end - 1].end - measured.pieces[start].start for start, end in runs)
    return WindowPart(
        section=section.id,
        title=section.title,
        level=section.level,
        spans=tuple(_spans(measured.pieces, kept.reasons)),
        text=_text(section.text, measured.pieces, runs),
        tokens=kept.tokens,
        share_kept=shown / len(section.text) if measured.pieces else 1.0,
    )


def _runs(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ascending places as [start, end) of those that follow one another."""
    start = 0
    for i in range(1, len(places) + 1):
        if i == len(places) or places[i] != places[i - 1] + 1:
            yield places[start], places[i - 1] + 1
            start = i


def _spans(pieces: Sequence[Piece], reasons: dict[int, str]) -> Iterator[Span]:
    """The kept pieces as spans; neighbours that are kept for one reason are one span."""
    places = sorted(reasons)
    for start, end in _runs(places):
        first = start
        for place in range(start + 1, end + 1):
            if place == end or reasons[place] != reasons[first]:
                yield Span(start=pieces[first].start, end=pieces[place - 1].end, reason=reasons[first])
                first = place


def _text(text: str, pieces: Sequence[Piece], runs: Sequence[tuple[int, int]]) -> str:
    """The runs of kept pieces, with a mark wherever something is left out."""
    shown: list[str] = []
    before: Piece | None = None
    for start, end in runs:
        if start:
            shown.append(_mark(before, pieces[start]))
        shown.append(text[pieces[start].start : pieces[end - 1].end])
        if end < len(pieces):
            shown[-1] = shown[-1].rstrip()
        before = pieces[end - 1]
    if before is not None and (end := runs[-1][1]) < len(pieces):
        shown.append(_INTO_BLOCK if pieces[end].begins_block or pieces[end].is_row else _IN_LINE)
    return "".join(shown)


def _mark(before: Piece | None, after: Piece) -> str:
    """The mark of a cut: in the line if it cuts a paragraph, in a line of its own elsewhere.

    In a table's row it would read as one more cell.
    """
    if before is None:
        return f"{ELLIPSIS}\n\n" if after.begins_block else ELLIPSIS
    if before.block != after.block:
        return _BETWEEN_BLOCKS if after.begins_block else _INTO_BLOCK
    return _BETWEEN_ROWS if after.is_row else _IN_LINE
