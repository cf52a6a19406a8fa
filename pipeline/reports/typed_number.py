"""Numbers that somebody typed before a heading, told apart from dates, times, amounts and counts.

"2.1 Staff"   "1.- Aims"   "1º Aims"   "IV. Aims"   "(a) Aims"   "Annex I. Budget"      and not
"1.500 people"   "12.05.2024 Visit"   "9.30 Welcome"   "3.5 million"   "27 Member States"
"""

import re
from collections.abc import Set
from typing import Literal, NamedTuple

Kind = Literal["arabic", "roman", "letter", "minor", "word"]
Standing = Literal["sure", "bare", "doubtful"]
Place = tuple[str, tuple[str, ...], int]

_ROMAN = r"(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})"
_DASH = "[-–—]"
_STOP = rf"(?:\.\s+(?:{_DASH}\s+)?|\s+{_DASH}\s+|\.{_DASH}\s*)"
_CAPITAL = r"[^\W\d_a-zß-ÿ]"
_REST = r"(?P<rest>[^\W_].*|[¿¡\"'«“‘(].*)"
_WORDS = (
    r"annexe?|annexos?|anexos?|anejo|appendix|ap[eé]ndi[cx]e?|apèndix|chapter|cap[ií]tulo|capítol|section|secció|sección"
    r"|article|art[ií]culo|art\.|part|parte|work package|paquet de treball|paquete de trabajo|wp|pt"
)
_WORD = rf"(?i:{_WORDS})(?: ?\d{{1,3}}(?:\.?[ºª°]|[rntè](?!\w))?| {_ROMAN}| [A-Z])(?!\w)"
_TYPES: tuple[tuple[Kind, Standing, str, str], ...] = (
    ("arabic", "sure", r"(?:\d{1,2}|[A-Z])(?:\.\d{1,2})+", rf"{_STOP}|[.)]?\s+|\.?(?={_CAPITAL})"),
    ("arabic", "bare", r"\d{1,2}\.?[ºª°]", rf"{_STOP}|[.:)]?\s+"),
    ("arabic", "sure", r"\d{1,2}", _STOP),
    ("roman", "sure", _ROMAN, _STOP),
    ("letter", "sure", "[A-Z]", _STOP),
    ("arabic", "sure", r"\d{1,2}\)", rf"{_DASH}?\s+"),
    ("roman", "sure", rf"{_ROMAN}\)", rf"{_DASH}?\s+"),
    ("letter", "sure", r"[A-Z]\)", rf"{_DASH}?\s+"),
    ("minor", "sure", r"\((?:\d{1,2}|[A-Za-z]|[ivxIVX]{1,4})\)|(?:[a-z]|[ivx]{1,4})\)", r"\s+"),
    ("arabic", "bare", r"\d{1,2}", rf"\s+(?=[¿¡«“]?{_CAPITAL})"),
    ("roman", "bare", rf"(?=[IVX]{{2}}){_ROMAN}", rf"\s+(?={_CAPITAL})"),
    ("word", "sure", _WORD, rf"{_STOP}|:\s+|\s*[\t\n]\s*"),
    ("word", "sure", _WORD, rf"(?<![ ][A-Z])\s+(?={_CAPITAL})"),
)
_FORMS = tuple(
    (kind, standing, re.compile(rf"(?P<number>{number})(?:{mark}){_REST}", re.DOTALL))
    for kind, standing, number, mark in _TYPES
)
_PARTS_OF_WORD = re.compile(r" ?(\d+|\b[IVX]+\b|\b[A-Z]\b)")
_LABEL = re.compile(rf"{_WORD}\s*[.:]?")
_MONTH = re.compile(
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|gener|febrer|març|abril|maig|juny|juliol|agost|setembre|octubre|novembre|desembre"
    "|enero|febrero|marzo|mayo|junio|julio|septiembre|noviembre|diciembre"
)
_AMOUNT = re.compile(
    "millions?|billion|thousand|mili[óo]|milions|millón|millones|mil|euros?|eur|usd|dollars|fte|[ap]\\.?m"
)
_UNIT = re.compile(
    "hundred|milers?|mn|[mkthl]|per|percent|cent|por|d[òó]lar[ei]?s|km2?|m2|[ckm]m|ha|kg|kwh|mw|min|minut[eo]?s|hours|hor[ea]s"
    "|days|d[ií][ae]s|years|a[nñ][yo]?s|times|vegades|veces"
)
_HALVES = (15, 30, 45)


class Typed(NamedTuple):
    """A number before a heading. A "bare" one may be a count, a "doubtful" one a time or a decimal: see `in_series`."""

    number: str
    heading: str
    kind: Kind
    standing: Standing

    @property
    def depth(self) -> int:
        """How deep the number is: 2 for "3.1", 1 for "3.0"."""
        own = self.number.rstrip("ºª°.").removesuffix(".0")
        return own.count(".") + 1 if self.kind in ("arabic", "letter") else 1


def split_number(text: str, automatic: str | None = None) -> tuple[str | None, str]:
    """A heading's printed number, automatic or typed, without its final stop, and the heading without it.

    A bare number before a capital counts ("4 Budget"): whoever knows the other headings asks `in_series` first.
    """
    if automatic:
        return automatic.rstrip("."), text
    typed = typed_number(text)
    return (typed.number, typed.heading) if typed and typed.standing != "doubtful" else (None, text)


def typed_number(text: str) -> Typed | None:
    """The number that a text begins with, if it may be a heading's."""
    for kind, standing, form in _FORMS:
        match = form.fullmatch(text)
        if match is None:
            continue
        number, rest = match["number"], match["rest"]
        if kind == "word":
            return Typed(number, rest, kind, standing) if text[0].isupper() else None
        if _is_quantity(number, rest, standing):
            return None
        if number[0].isalpha() and kind == "arabic":
            kind = "letter"
        return Typed(number, rest, kind, "doubtful" if _is_doubtful(number) else standing)
    return None


def is_label(text: str) -> bool:
    """Is a text nothing but a word and its number, as "ANNEX I" above the annex's own heading?"""
    return text[:1].isupper() and _LABEL.fullmatch(text) is not None


def in_series(typed: Typed, places: Set[Place]) -> bool:
    """Does a number count on among those at `places`: 1 and 2, any three in a row, or has it parts, as 4 has 4.1?"""
    here = place(typed)
    if here is None:
        return False
    form, above, count = here
    if form == "arabic" and ("arabic", (*above, str(count)), 1) in places:
        return True
    beside = {other for other in range(count - 2, count + 3) if (form, above, other) in places and other != count}
    if count <= 2 and {1, 2} - {count} <= beside:
        return True
    return any({count + a, count + b} <= beside for a, b in ((-2, -1), (-1, 1), (1, 2)))


def place(typed: Typed, form: str = "arabic") -> Place | None:
    """Where a number stands in its series: what is counted, under which number, and the count, from 1.

    "2.3" is the third under 2; None if a number, as a program may have made it, has no series. `form` names what
    digits count.
    """
    number = typed.number.rstrip(")")
    if typed.kind == "minor":
        return None
    if typed.kind == "roman":
        return "roman", (), _value_of_roman(number)
    if typed.kind == "word":
        word, label = _PARTS_OF_WORD.split(number)[:2]
        return word.casefold(), (), int(label) if label.isdigit() else _value_of_roman(label) or ord(label) - 64
    if ordinal := re.fullmatch(r"(\d+)\.?[ºª°]", number):
        return "ordinal", (), int(ordinal[1])
    *above, last = number.split(".")
    if last.isdecimal() and above and int(last) == 0:
        return place(typed._replace(number=".".join(above), kind="arabic"), "zero")
    if last.isdecimal():
        return form, tuple(above), int(last)
    return ("letter", tuple(above), ord(last) - 64) if len(last) == 1 and last.isalpha() else None


def _is_quantity(number: str, rest: str, standing: Standing) -> bool:
    """Is a number a date or an amount, by itself or by the word after it?"""
    parts = number.split(".")
    if any(len(part) > 1 and part[0] == "0" for part in parts[1:]) or (len(parts) > 1 and parts[0][0] == "0"):
        return True
    if len(parts) == 3 and all(map(str.isdigit, parts)):
        day, month, year = map(int, parts)
        if 1 <= day <= 31 and 1 <= month <= 12 and year >= 15:
            return True
    word = rest.split(maxsplit=1)[0].casefold().strip(".,;:)€$£")
    if standing == "bare":
        return bool(_AMOUNT.fullmatch(word) or _MONTH.fullmatch(word))
    return len(parts) > 1 and bool(_AMOUNT.fullmatch(word) or (rest[0].islower() and _UNIT.fullmatch(word)))


def _is_doubtful(number: str) -> bool:
    """May a number of two parts be a time of day or a decimal: 9.30, 10.20, 2.0?"""
    parts = number.rstrip(")").split(".")
    if len(parts) != 2 or not all(map(str.isdigit, parts)):
        return False
    hour, minute = map(int, parts)
    is_time = hour < 24 and minute < 60 and (minute in _HALVES or (hour > 6 and minute >= 10 and minute % 5 == 0))
    return is_time or minute == 0


def _value_of_roman(numeral: str) -> int:
    """The value of a numeral of X, V and I; 0 if it holds anything else."""
    values = {"I": 1, "V": 5, "X": 10}
    if not set(numeral) <= set(values):
        return 0
    counts = [values[letter] for letter in numeral]
    return sum(-one if one < after else one for one, after in zip(counts, [*counts[1:], 0], strict=True))
