"""Cutting a section's text into pieces that may be kept or left out, each with its tokens.

A piece is a sentence or line of a paragraph, an item of a list, or a row of a table (its header rows are one piece:
without them the rest cannot be read). A window never cuts inside a piece.

    The project ran for two years. 340 pupils took part.\\n\\n| Item | Cost |\\n| --- | --- |\\n| Staff | 12 € |
    └──────────── 0 ─────────────┘└─────── 1 ───────────┘   └────── 2: header ───────────┘└─ 3: needs 2 ─┘
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import regex

from pipeline.bases.tokens import Tokens
from pipeline.facts import facts_of
from pipeline.records import Block, Section
from pipeline.windows.controls import MOST_TOKENS, count_controls, without_controls
from pipeline.windows.relevance import Index, index

# A sentence ends at . ! ? … (and a closing quote or bracket) before white space and an upper-case letter, digit or
# opening mark, but not after an initial or an abbreviation. The white space begins the next piece, as it does the next
# token.
_SENTENCE_END = regex.compile(r"(?<=[.!?…])[\"'»”’)\]*_]*(?=\s+[\"'«“‘(\[¿¡*_]*[\p{Lu}\p{Lt}\p{Nd}])|(?=\n)")
_NO_END = regex.compile(
    r"(?:^|[\s(\[«“\"'’])(?:\p{Lu}|d|dr|dra|sr|sra|srta|dña|mr|mrs|ms|st|prof|art|arts|núm|núms|nº|n|no|pàg|pàgs|pág|págs"
    r"|pag|p|pp|cap|fig|vol|ed|ex|ej|vs|al|tel|aprox|approx|av|c)\.$",
    regex.IGNORECASE,
)
_LABEL = regex.compile(r"[\s\-*•–]*(?:\d+(?:\.\d+)*|\p{L})[.)]")  # "1." or "- a)": no piece by itself
_EMPTY_CELL = regex.compile(r"\|\s*\|")
_HEADER_ROWS = 2  # the names of the columns, and Markdown's line beneath them
_LONG_CHARACTERS = 1_500  # a piece without an end is cut at white space, so that it fits into a window


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters [start, end) of a section's text.

    `tokens` counts those that begin in it, as they stand in the section. `header` is the place of the piece without
    which a table's row cannot be read; None for that piece itself. `block` tells the section's blocks apart.
    """

    start: int
    end: int
    tokens: int
    block: int
    begins_block: bool
    is_row: bool = False
    header: int | None = None


@dataclass(frozen=True)
class Measured:
    """A section cut into pieces that cover its text, measured once for all the windows that may want it."""

    section: Section
    heading_tokens: int
    pieces: tuple[Piece, ...]

    @cached_property
    def tokens(self) -> int:
        """Tokens of the text alone."""
        return sum(piece.tokens for piece in self.pieces)

    @cached_property
    def whole_tokens(self) -> int:
        """Tokens of heading and text."""
        return self.heading_tokens + self.tokens

    @cached_property
    def facts(self) -> tuple[frozenset[str], ...]:
        """Keys of the facts that each piece tells; numbers of one digit are none: they recur by chance."""
        told: list[set[str]] = [set() for _ in self.pieces]
        place = 0
        for fact in facts_of(self.section.text, self.section.language):
            while fact.start >= self.pieces[place].end:
                place += 1
            if not (fact.kind == "number" and fact.end - fact.start == 1):
                told[place].add(fact.key)
        return tuple(map(frozenset, told))

    @cached_property
    def all_facts(self) -> frozenset[str]:
        """Keys of the facts that the section tells."""
        return frozenset().union(*self.facts)

    @cached_property
    def heading_facts(self) -> frozenset[str]:
        """Keys of the facts that the heading tells."""
        return frozenset(fact.key for fact in facts_of(self.section.title, self.section.language))

    @cached_property
    def index(self) -> Index:
        """The words of the pieces, to find those that are about something."""
        return index(self.section.text[piece.start : piece.end] for piece in self.pieces)


def heading_line(level: int, title: str) -> str:
    """A heading as a line of Markdown, as the model sees it."""
    return f"{'#' * max(1, min(level, 6))} {title}"


def measure(section: Section, tokens: Tokens) -> Measured:
    """Cut a section into pieces and count the tokens of each; its text is tokenised once."""
    heading = heading_line(section.level, section.title)
    heading_tokens = count_within(f"\n\n{without_controls(heading)}\n\n", tokens)
    beginnings = list(_beginnings(section.blocks))
    if not beginnings:
        return Measured(section, heading_tokens, ())
    cuts = [0, *(start for start, _, _ in beginnings[1:]), len(section.text)]
    counts = [
        count + MOST_TOKENS * count_controls(section.text[start:end])
        for count, (start, end) in zip(tokens.count_between(section.text, cuts), pairwise(cuts), strict=True)
    ]
    headers: dict[int, int] = {}  # where a block begins -> the place of its first piece
    pieces = []
    for place, (start, block_start, is_row) in enumerate(beginnings):
        first = headers.setdefault(block_start, place)
        header = first if is_row and first != place else None
        begins = start == block_start
        pieces.append(Piece(cuts[place], cuts[place + 1], counts[place], block_start, begins, is_row, header))
    return Measured(section, heading_tokens, tuple(pieces))


def count_within(text: str, tokens: Tokens) -> int:
    """Tokens of a text that stands between others: line ends count otherwise where nothing follows them."""
    return tokens.count_between(f"x{text}x", [0, 1, len(text) + 1, len(text) + 2])[1]


def _beginnings(blocks: Sequence[Block]) -> Iterator[tuple[int, int, bool]]:
    """Where each piece begins in the section's text, where its block does, and whether that is a table."""
    start, before = 0, None
    for block in blocks:
        if before is not None:
            start += 1 if before.kind == block.kind == "list_item" else 2  # as Section.text joins blocks
        if block.text:
            yield from ((start + cut, start, block.kind == "table") for cut in (0, *_cuts_in(block)))
        start += len(block.text)
        before = block


def _cuts_in(block: Block) -> list[int]:
    """Offsets within a block, other than 0, at which a piece may begin."""
    text = block.text
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    if block.kind == "table":
        rows = [place + 1 for place, character in enumerate(text) if character == "\n" and place + 1 < last]
        header = _HEADER_ROWS - 1
        # Under names of several columns stand those of each; the first cell is empty then.
        while header < len(rows) and _EMPTY_CELL.match(text, rows[header]):
            header += 1
        return rows[header:]
    ends = sorted({match.end() for match in _SENTENCE_END.finditer(text)})
    label = _LABEL.match(text)
    label_end = label.end() if label else 0
    return _with_long_cut(text, [end for end in ends if first < end < last and not _is_no_end(text, end, label_end)])


def _is_no_end(text: str, end: int, label_end: int) -> bool:
    """Would a cut here part a label from its item, or an abbreviation from what it stands before?"""
    if text.startswith("\n", end):
        return False
    return end <= label_end or _NO_END.search(text[max(0, end - 12) : end]) is not None


def _with_long_cut(text: str, cuts: list[int]) -> list[int]:
    """The cuts, and more at white space wherever two of them are far apart."""
    all_cuts: list[int] = []
    for start, end in pairwise([0, *cuts, len(text)]):
        while end - start > _LONG_CHARACTERS and (space := text.rfind(" ", start + 1, start + _LONG_CHARACTERS)) > 0:
            all_cuts.append(space)
            start = space
        all_cuts.append(end)
    return all_cuts[:-1]
