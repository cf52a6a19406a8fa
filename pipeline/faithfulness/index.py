"""A source, read once: its figures, dates, codes, names and what its figures add up to, each with its place.

A source is read block by block (what an empty line parts), and a block that was read for one source is not read again
for another: the windows of a report's sections are mostly made of the same blocks.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import NamedTuple

from pipeline.facts import Fact, facts_of
from pipeline.faithfulness.codes import address_forms, code_forms
from pipeline.faithfulness.dates import Day, day_of
from pipeline.faithfulness.derived import Derived, Series, derived_of, series_of
from pipeline.faithfulness.figures import Figure, figures_of
from pipeline.faithfulness.layout import Layout
from pipeline.faithfulness.names import NameText, initials, name_words
from pipeline.faithfulness.number_words import numbers_in_words
from pipeline.faithfulness.records import Span

_BLOCK = re.compile(r"(?:(?!\n[ \t]*\n)[\s\S])+")
_CAPITALS = re.compile(r"(?<![^\W_])((?:[^\W\d_a-zà-öø-ÿ]|[0-9]|[-&+](?=[^\W_]))+)s?(?![^\W_])")
_BLOCKS_KEPT = 20_000


@dataclass(frozen=True)
class Block:
    """What one block says; all places are within it."""

    text: str
    facts: tuple[Fact, ...]
    figures: tuple[Figure, ...]
    series: tuple[Series, ...]
    derived: tuple[Derived, ...]
    days: tuple[tuple[Day, Fact], ...]
    names: NameText


@lru_cache(maxsize=_BLOCKS_KEPT)
def read_block(text: str, language: str | None) -> Block:
    """Read a block; cached, as it recurs from window to window."""
    layout = Layout(text)
    facts = facts_of(text, language)
    figures = figures_of(text, [*facts, *numbers_in_words(text, language, facts)], layout)
    figures.sort(key=lambda figure: figure.start)
    series = series_of(text, figures, layout)
    return Block(
        text=text,
        facts=tuple(facts),
        figures=tuple(figures),
        series=tuple(series),
        derived=tuple(derived_of(series)),
        days=tuple((day_of(fact), fact) for fact in facts if fact.kind == "date"),
        names=NameText(text),
    )


class Placed(NamedTuple):
    """A figure of a source, its place in the source, and its block."""

    figure: Figure | Derived
    start: int
    end: int
    block: int


@dataclass
class Index:
    """All blocks of a source as one."""

    blocks: list[tuple[int, Block]]
    figures: dict[Decimal, list[Placed]] = field(default_factory=lambda: defaultdict(list))
    written: dict[str, list[Placed]] = field(default_factory=lambda: defaultdict(list))
    derived: dict[Decimal, list[Placed]] = field(default_factory=lambda: defaultdict(list))
    days: dict[Day, list[tuple[Day, Span, int]]] = field(default_factory=lambda: defaultdict(list))
    codes: dict[str, Span] = field(default_factory=dict)
    addresses: dict[str, Span] = field(default_factory=dict)
    acronyms: dict[str, Span] = field(default_factory=dict)
    named: dict[str, list[tuple[frozenset[str], Span]]] = field(default_factory=lambda: defaultdict(list))
    names: set[frozenset[str]] = field(default_factory=set)
    looked_for: dict[tuple[str, ...], Span | None] = field(default_factory=dict)  # names, and what was found

    @cached_property
    def figure_values(self) -> list[Decimal]:
        """All figures, ascending."""
        return sorted(self.figures)

    @cached_property
    def derived_values(self) -> list[Decimal]:
        """All sums and differences, ascending."""
        return sorted(self.derived)

    @cached_property
    def years(self) -> dict[int, set[int]]:
        """The years that each block tells."""
        found: dict[int, set[int]] = defaultdict(set)
        for said in self.days.values():
            for day, _, block in said:
                if day.year is not None:
                    found[block].add(day.year)
        return found

    @cached_property
    def initials(self) -> dict[str, Span]:
        """What names of the source may be shortened to."""
        found: dict[str, Span] = {}
        for offset, block in self.blocks:
            for letters, (start, end) in initials(block.names).items():
                found.setdefault(letters, (offset + start, offset + end))
        return found

    @cached_property
    def _joined(self) -> tuple[str, list[int]]:
        starts, length = [], 0
        for _, block in self.blocks:
            starts.append(length)
            length += len(block.names.joined) + 1
        return "\n".join(block.names.joined for _, block in self.blocks), starts

    def phrases(self, words: tuple[str, ...]) -> Iterator[tuple[Span, bool]]:
        """Where words stand side by side, and whether the first has a capital."""
        joined, starts = self._joined
        phrase = f" {' '.join(words)} "
        at = joined.find(phrase)
        while at >= 0:
            block = bisect_right(starts, at) - 1
            offset, read = self.blocks[block]
            for first, last in read.names.find(words):
                start, end = read.names.span(first, last)
                yield (offset + start, offset + end), read.names.capital[first]
            at = joined.find(phrase, starts[block] + len(read.names.joined))

    def between(self, values: list[Decimal], low: Decimal, high: Decimal) -> list[Decimal]:
        """The values from `low` to `high`."""
        return values[bisect_left(values, low) : bisect_right(values, high)]


@lru_cache(maxsize=64)
def index_of(text: str, language: str | None) -> Index:
    """The index of a source's text; cached, as several texts may be held against one."""
    index = Index([(match.start(), read_block(match[0], language)) for match in _BLOCK.finditer(text)])
    for number, (offset, block) in enumerate(index.blocks):
        _add_values(index, number, offset, block)
        _add_words(index, number, offset, block)
    return index


def _add_values(index: Index, number: int, offset: int, block: Block) -> None:
    told_before: set[object] = set()  # the same in the same words: its first place is enough
    for figure in block.figures:
        if not _first(told_before, figure.written, figure.value, figure.kind, figure.unit, figure.alone, figure.near):
            continue
        placed = Placed(figure, offset + figure.start, offset + figure.end, number)
        index.figures[figure.value].append(placed)
        index.written[figure.written].append(placed)
    for derived in block.derived:
        if _first(told_before, derived.how, derived.value, derived.kind, derived.unit, derived.near):
            index.derived[derived.value].append(Placed(derived, offset + derived.start, offset + derived.end, number))
    for day, fact in block.days:
        for told in day.told() if _first(told_before, day) else ():
            index.days[told].append((day, (offset + fact.start, offset + fact.end), number))


def _first(before: set[object], *what: object) -> bool:
    """Whether this was not there before; it is from now on."""
    if what in before:
        return False
    before.add(what)
    return True


def _add_words(index: Index, number: int, offset: int, block: Block) -> None:
    for form, start, end in code_forms(block.text, block.facts):
        index.codes.setdefault(form, (offset + start, offset + end))
    for form, start, end in address_forms(block.facts):
        index.addresses.setdefault(form, (offset + start, offset + end))
    for match in _CAPITALS.finditer(block.text):
        index.acronyms.setdefault(match[1], (offset + match.start(), offset + match.end()))
    for fact in block.facts:
        span = (offset + fact.start, offset + fact.end)
        if fact.kind == "acronym":
            index.acronyms.setdefault(fact.key.partition(":")[2], span)
        elif fact.kind == "name":
            words = frozenset(name_words(block.text[fact.start : fact.end]))
            for word in words if words not in index.names else ():
                index.named[word].append((words, span))
            index.names.add(words)
