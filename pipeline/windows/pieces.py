"""Cutting a section's text into pieces that may be kept or left out, each with its tokens.

A piece is a sentence of a paragraph, an item of a list, or a row of a table (its header rows are one piece: without
them the rest cannot be read). A window never cuts inside a piece.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import regex

from pipeline.bases.tokens import Tokens
from pipeline.records import Block, Section

# A sentence ends at . ! ? … (and a closing quote or bracket) before white space and an upper-case letter, digit or
# opening mark. Abbreviations such as "núm. 12" may end one too early: a window then cuts there, which harms little.
_SENTENCE_END = regex.compile(r"(?<=[.!?…])[\"'»”’)\]*_]*\s+(?=[\"'«“‘(\[¿¡*_]*[\p{Lu}\p{Lt}\p{Nd}])")
_HEADER_ROWS = 2  # the names of the columns, and Markdown's line beneath them


@dataclass(frozen=True)
class Measured:
    """A section cut into n pieces, measured once for all the windows that may want it.

    Piece i is [cuts[i], cuts[i + 1]) in the section's text; the first k pieces have `tokens_before[k]` tokens.
    """

    section: Section
    heading_tokens: int
    cuts: tuple[int, ...]  # n + 1 offsets, from 0 to the length of the text
    tokens_before: tuple[int, ...]  # n + 1 sums, from 0 to the tokens of the text

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        return len(self.cuts) - 1

    @property
    def tokens(self) -> int:
        """Tokens of the text alone."""
        return self.tokens_before[-1]


def heading_line(level: int, title: str) -> str:
    """A heading as a line of Markdown, as the model sees it."""
    return f"{'#' * max(1, min(level, 6))} {title}"


def measure(section: Section, tokens: Tokens) -> Measured:
    """Cut a section into pieces and count the tokens of each; its text is tokenised once."""
    text = section.text
    cuts = sorted({0, len(text), *_cuts(section.blocks)})
    counts = tokens.count_between(text, cuts)
    heading_tokens = count_within(f"\n\n{heading_line(section.level, section.title)}\n\n", tokens)
    return Measured(section, heading_tokens, tuple(cuts), tuple(accumulate(counts, initial=0)))


def count_within(text: str, tokens: Tokens) -> int:
    """Tokens of a text that stands between others: line ends count otherwise where nothing follows them."""
    return tokens.count_between(f"x{text}x", [0, 1, len(text) + 1, len(text) + 2])[1]


def _cuts(blocks: Sequence[Block]) -> list[int]:
    """Offsets in the section's text at which a piece may begin."""
    cuts: list[int] = []
    start, before = 0, None
    for block in blocks:
        if before is not None:
            start += 1 if before.kind == block.kind == "list_item" else 2  # as Section.text joins blocks
        cuts += [start, *(start + offset for offset in _cuts_in(block))]
        start += len(block.text)
        before = block
    return cuts


def _cuts_in(block: Block) -> list[int]:
    if block.kind == "table":
        rows = [place + 1 for place, character in enumerate(block.text) if character == "\n"]
        return rows[_HEADER_ROWS - 1 :]
    return [match.end() for match in _SENTENCE_END.finditer(block.text)]
