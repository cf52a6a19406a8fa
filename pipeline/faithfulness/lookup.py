"""What in one source supports one claim.

A long source holds most small numbers somewhere. So a number or percentage that is common (12, 64%, 500), and what is
rounded or added up to fewer than three telling digits (1,2 million), is supported by a long source only where the two
sentences, or rows with their headers, have a word in common. Where they are in different languages, they need not.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from pipeline.facts import Fact
from pipeline.faithfulness.codes import address_form, code_form
from pipeline.faithfulness.dates import Day, day_of
from pipeline.faithfulness.figures import Figure, compatible, in_other_units, is_rounding
from pipeline.faithfulness.index import Index, Placed, index_of
from pipeline.faithfulness.names import HEADS, acronyms_of_body, bodies_of, name_words, same_acronyms
from pipeline.faithfulness.records import How, Source, Span, Support

LONG_CHARACTERS = 2_000
TELLING_DIGITS = 3
_MOST_ERROR = Decimal("0.2")  # of what is looked at as a rounding; `is_rounding` decides
_PHONE_DIGITS = 9
_WORDS_OF_A_SHARE = 2


class Asked(NamedTuple):
    """A source as a claim of a text in `language` looks at it."""

    source: Source
    read: Index
    close: bool  # small numbers need a word in common

    @classmethod
    def of(cls, source: Source, language: str | None) -> "Asked":
        """Read a source; its index is kept for the next text."""
        same_language = source.language == language or source.language is None or language is None
        is_long = len(source.text) > LONG_CHARACTERS
        return cls(source, index_of(source.text, source.language), same_language and is_long)

    def support(self, span: Span, how: How) -> Support:
        """A support at a place of this source."""
        return Support(self.source.name, *span, how)


def said(claim: Figure, asked: Asked) -> Support | None:
    """The same figure, however it is written."""
    index = asked.read
    places = [*index.figures.get(claim.value, ()), *index.written.get(claim.written, ())]
    if claim.other is not None:
        places += index.figures.get(claim.other, ())
    weak = claim.kind != "amount" and claim.is_common
    best = _best(claim, (p for p in places if compatible(claim, p.figure)), asked.close and weak)
    if best:
        return asked.support((best.start, best.end), "said")
    if claim.kind != "number":
        return None
    for value, unit in in_other_units(claim):
        for placed in index.figures.get(value, ()):
            if placed.figure.kind == "number" and placed.figure.unit == unit:
                return asked.support((placed.start, placed.end), "said")
    if claim.unit is None and 1900 <= claim.value <= 2099:  # "2.015 visits": without the point, it reads as a year
        for day, span, _ in index.days.get(Day(int(claim.value), None, None), ()) if claim.value % 1 == 0 else ():
            if day.month is None:
                return asked.support(span, "said")
    if claim.value >= 10 ** (_PHONE_DIGITS - 1):
        for value in index.between(index.figure_values, Decimal(10 ** (_PHONE_DIGITS - 1)), Decimal(10**15)):
            if value % 10**_PHONE_DIGITS == claim.value % 10**_PHONE_DIGITS:
                placed = index.figures[value][0]
                return asked.support((placed.start, placed.end), "said")
    return None


def rounded(claim: Figure, asked: Asked) -> Support | None:
    """A figure that was rounded to the claim."""
    return _near_value(claim, asked, asked.read.figure_values, asked.read.figures)


def added_up(claim: Figure, asked: Asked) -> Support | None:
    """Figures that stand beside each other and make the claim: their sum or difference, exact or rounded."""
    index = asked.read
    if claim.kind == "percentage" and (share := _share(claim, asked)):
        return share
    exact = _best(claim, (p for p in index.derived.get(claim.value, ()) if _alike(claim, p)), _is_weak(claim, asked))
    if exact:
        return asked.support((exact.start, exact.end), exact.figure.how)  # type: ignore[union-attr]
    if claim.digits < TELLING_DIGITS:
        return None
    return _near_value(claim, asked, index.derived_values, index.derived)


def _share(claim: Figure, asked: Asked) -> Support | None:
    """What two neighbours in a row make, if the claim's sentence has two words of their row and its header."""
    half = min(claim.step, Decimal(1)) / 2
    near = asked.read.between(asked.read.derived_values, claim.value - half, claim.value + half)
    places = [p for value in near for p in asked.read.derived[value] if getattr(p.figure, "how", "") == "share"]
    best = max(places, key=lambda placed: len(claim.near & placed.figure.near), default=None)
    if best is None or len(claim.near & best.figure.near) < _WORDS_OF_A_SHARE:
        return None
    return asked.support((best.start, best.end), "share")


def _near_value(
    claim: Figure, asked: Asked, values: list[Decimal], places: dict[Decimal, list[Placed]]
) -> Support | None:
    slack = claim.value * _MOST_ERROR
    near = asked.read.between(values, claim.value - slack, claim.value + slack)
    found = (
        placed
        for value in near
        for placed in places[value]
        if _alike(claim, placed) and is_rounding(claim, value, placed.figure.step)
    )
    best = _best(claim, found, _is_weak(claim, asked))
    if best is None:
        return None
    how: How = "rounded" if isinstance(best.figure, Figure) else best.figure.how
    return asked.support((best.start, best.end), how)


def _is_weak(claim: Figure, asked: Asked) -> bool:
    return asked.close and claim.digits < TELLING_DIGITS


def _alike(claim: Figure, placed: Placed) -> bool:
    other = placed.figure
    if isinstance(other, Figure):
        return compatible(claim, other)
    if other.how == "share":
        return False
    anything = (None, "?")
    return claim.kind == other.kind and (claim.unit == other.unit or claim.unit in anything or other.unit in anything)


def _best(claim: Figure, places: Iterable[Placed], needs_word: bool) -> Placed | None:
    """The place that shares most words with the claim; of equals the first."""
    ranked = [(len(claim.near & placed.figure.near), placed) for placed in places]
    if not ranked:
        return None
    common, best = max(ranked, key=lambda pair: pair[0])
    return best if common or not needs_word or not claim.near else None


def date_support(fact: Fact, asked: Asked) -> Support | None:
    """The same date, or one that tells it."""
    day, index = day_of(fact), asked.read
    places = index.days.get(day, ())
    for known, span, _ in places:
        if known == day:
            return asked.support(span, "said")
    for _, span, _ in places:
        return asked.support(span, "within")
    if day.day is not None and day.year is not None:  # its year stands elsewhere in the paragraph
        for known, span, block in index.days.get(Day(None, day.month, day.day), ()):
            if known.year is None and day.year in index.years.get(block, ()):
                return asked.support(span, "said")
    if day.month is None and day.year is not None:
        for placed in index.figures.get(Decimal(day.year), ()):
            if placed.figure.kind == "number" and placed.figure.unit is None:
                return asked.support((placed.start, placed.end), "said")
    return None


def name_support(text: str, fact: Fact, asked: Asked) -> Support | None:
    """The same name, or a longer one of which it is a part; in another order or language too."""
    words = name_words(text[fact.start : fact.end])
    if not words:
        return None
    if span := find_name(words, asked.read):
        return asked.support(span, "said")
    for acronym in acronyms_of_body(words):
        if span := asked.read.acronyms.get(acronym):
            return asked.support(span, "spelt out")
    return None


def find_name(words: tuple[str, ...], index: Index) -> Span | None:
    """Where a name stands in a source; its words side by side, or among those of a longer name."""
    if words not in index.looked_for:
        index.looked_for[words] = _find_name(words, index)
    return index.looked_for[words]


def _find_name(words: tuple[str, ...], index: Index) -> Span | None:
    for turn in range(len(words)):
        for span, has_capital in index.phrases(words[turn:] + words[:turn]):
            if has_capital or len(words) > 1:
                return span
    initials = [word for word in words if len(word) == 1]
    wanted = frozenset(word for word in words if len(word) > 1)
    if not wanted - HEADS:
        return None
    rarest = min(wanted, key=lambda word: len(index.named.get(word, ())))
    for name, span in index.named.get(rarest, ()):
        if wanted <= name and all(any(w.startswith(letter) for w in name - wanted) for letter in initials):
            return span
    return None


def acronym_support(fact: Fact, asked: Asked) -> Support | None:
    """The acronym, the one of another language, or the name that it stands for."""
    acronym, index = fact.key.partition(":")[2], asked.read
    for form in same_acronyms(acronym):
        if span := index.acronyms.get(form):
            return asked.support(span, "said")
    if len(acronym) > 3 and (span := find_name((acronym.casefold(),), index)):
        return asked.support(span, "said")
    if span := index.initials.get(acronym):
        return asked.support(span, "spelt out")
    for words in bodies_of(acronym):
        if span := find_name(words, index):
            return asked.support(span, "spelt out")
    return None


def other_support(text: str, fact: Fact, asked: Asked) -> Support | None:
    """Support of what is no figure."""
    return _other_support(text, fact, asked) or _word_for_word(text[fact.start : fact.end], asked)


def _word_for_word(words: str, asked: Asked) -> Support | None:
    found = (
        re.search(rf"(?<![^\W_]){re.escape(words)}(?![^\W_])", asked.source.text)
        if words in asked.source.text
        else None
    )
    return asked.support(found.span(), "said") if found else None


def _other_support(text: str, fact: Fact, asked: Asked) -> Support | None:
    if fact.kind == "date":
        return date_support(fact, asked)
    if fact.kind == "name":
        return name_support(text, fact, asked)
    if fact.kind == "acronym":
        return acronym_support(fact, asked)
    said_as = fact.key.partition(":")[2]
    span = (
        asked.read.codes.get(code_form(said_as))
        if fact.kind == "code"
        else asked.read.addresses.get(address_form(said_as))
    )
    return asked.support(span, "said") if span else None
