"""Days, months and years, in digits and in words: 12/03/2024, 2024-03, 12 de març, March 12, 2024, gener-juny de 2024.

A date is read in parts (year, month, day; any may be missing). "Del 3 al 5 de març de 2024" are two days of one month,
"gener-juny de 2024" two months of one year. But a day and its month stand for themselves: 1 July in "between 1 July and
31 August 2024" has no year.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from pipeline.facts.fact import Claims
from pipeline.facts.numbers import SPACES
from pipeline.facts.words import ENGLISH_MONTHS, FULL_MONTHS, MONTH, spelled

_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_YEAR = "(?:19|20)[0-9]{2}"
# What must stand in front is asked after the first digit, so that the search can leap from digit to digit.
_FREE_BEFORE = r"(?<!\w[0-9])(?<![0-9][.,/-][0-9])"
_FREE_AFTER = r"(?![^\WT]|[/-][0-9]|[.,][0-9])"
_IN_DIGITS = re.compile(
    rf"[0-9]{_FREE_BEFORE}(?:"
    rf"(?P<year_first>[0-9]{{3}}(?:[-/][0-9]{{2}}[-/][0-9]{{2}}|[-–/][0-9]{{2}}))"
    rf"|(?P<day_first>[0-9]?(?P<sign>[/.-])[0-9]{{1,2}}(?P=sign)(?:{_YEAR}|(?<=/)[0-9]{{2}}))"
    rf"|(?P<month_first>[0-9]?[/-]{_YEAR})"
    rf"){_FREE_AFTER}"
)
_S = f"[{SPACES}]"
_WITHOUT_YEAR = FULL_MONTHS | ENGLISH_MONTHS  # clear enough beside a day alone
# From a month to the next date, which lends it its year: gener-juny, from March to June
_BETWEEN = re.compile(
    rf"{_S}?[-–/,]{_S}?|,?{_S}(?:i|y|e|o|and|or|a|al|to|fins{_S}(?:a|al)|hasta|until|till)"
    rf"(?:{_S}(?:el{_S}|l['’]|the{_S})?)(?:mes{_S}(?:de{_S}|d['’]))?"
)


class _Part(NamedTuple):
    """A date as far as it was read, and where."""

    start: int
    end: int
    year: int | None
    month: int | None
    day: int | None


def find_dates(text: str, claims: Claims) -> None:
    """Add the dates of `text`, but for years that stand alone: those are numbers until their neighbours are known."""
    following: _Part | None = None
    for part in reversed(_parts(text)):
        lacks_year = part.year is None and part.day is None
        if lacks_year and following and following.month and _BETWEEN.fullmatch(text, part.end, following.start):
            part = part._replace(year=following.year)
        following = part
        if (part.year is not None or part.day is not None) and claims.free(part.start, part.end):
            claims.add("date", _written(part), part.start, part.end)


def _parts(text: str) -> list[_Part]:
    """In order; of two that overlap the first, as "3 de març de 2024" holds "març de 2024"."""
    found = [part for part in (*_in_digits(text), *_day_first(text), *_month_first(text)) if _exists(part)]
    kept: list[_Part] = []
    for part in sorted(found, key=lambda part: (part.start, -part.end)):
        if not kept or part.start >= kept[-1].end:
            kept.append(part)
    return kept


def _exists(part: _Part) -> bool:
    if part.month is not None and not 1 <= part.month <= 12:
        return False
    return part.day is None or (part.month is not None and 1 <= part.day <= _DAYS[part.month - 1])


def _written(part: _Part) -> str:
    """As ISO 8601 does, shortened; --03-12 where there is no year."""
    year = "-" if part.year is None else str(part.year)
    return year + "".join(f"-{number:02d}" for number in (part.month, part.day) if number is not None)


def _in_digits(text: str) -> Iterator[_Part]:
    for match in _IN_DIGITS.finditer(text):
        start, end = match.span()
        numbers = [int(digits) for digits in re.findall("[0-9]+", match[0])]
        if match["day_first"]:
            yield _Part(start, end, numbers[2] + (2000 if numbers[2] < 100 else 0), numbers[1], numbers[0])
        elif match["month_first"]:
            yield _Part(start, end, numbers[1], numbers[0], None)
        elif 1900 <= numbers[0] <= 2099:
            yield from _year_first(match, numbers)


def _year_first(match: re.Match[str], numbers: list[int]) -> Iterator[_Part]:
    """2024-03-12, 2024-03; but 2023-24 and 2023/24 are two years."""
    start, end = match.span()
    year, second = numbers[:2]
    if len(numbers) == 3:
        yield _Part(start, end, year, second, numbers[2])
    elif second == (year + 1) % 100 and (second > 12 or match[0][4] != "-"):
        yield _Part(start, start + 4, year, None, None)
        yield _Part(end - 2, end, year + 1, None, None)
    else:
        yield _Part(start, end, year, second, None)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Dates in words that begin with the day, and with the month."""
    month = rf"(?P<month>{spelled(MONTH)})(?!\w)"
    of = rf"(?:{_S}(?:de{_S}l['’]any|del?{_S}(?:any|año)|del?|of)(?={_S}))?"
    no_number = r"(?!\w|[.,][0-9]|[/-][0-9]{2}(?!\w))"
    year = rf"(?:,?\.?{of},?{_S}{{1,2}}|\.?[-/]|{_S}[-–]{_S})(?P<year>{_YEAR})(?!{_S}?[%€$£]){no_number}"
    ordinal = r"(?:st|nd|rd|th|r|er|\.?[ºª])?"
    day = rf"[0-9]{_FREE_BEFORE}[0-9]?"
    to = rf"(?:{_S}?[-–/]{_S}?|{_S}(?:i|y|e|and|a|al|to|fins{_S}al|hasta{_S}el){_S}(?:el{_S})?)"
    day_first = (
        rf"(?P<day>{day}){ordinal}(?:{to}(?P<last>[0-9]{{1,2}}){ordinal})?"
        rf"(?:{_S}(?:de{_S}|d['’]|of{_S})?|[-/.]){month}(?:{year})?"
    )
    month_first = (
        rf"(?<!\w){month}(?:{_S}(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?:{_S}?[-–]{_S}?(?P<last>[0-9]{{1,2}}))?"
        rf"(?![%€$£\w]|[.:/-][0-9]|,(?!{_YEAR})[0-9]|{_S}[%€$£])(?:(?:,{_S}?|{_S})(?P<its_year>{_YEAR}){no_number})?"
        rf"|{year})?"
    )
    return re.compile(day_first), re.compile(month_first)


def _day_first(text: str) -> Iterator[_Part]:
    for match in _patterns()[0].finditer(text):
        word = match["month"]
        month, year = MONTH[word.lower()], int(match["year"]) if match["year"] else None
        if year is None and word.lower() not in _WITHOUT_YEAR:
            continue
        if year is None and word.islower() and word in ENGLISH_MONTHS:
            continue  # "12 may be enough"
        end = match.end() if year else match.end("month")
        first, last = int(match["day"]), match["last"]
        if last:
            yield _Part(*match.span("day"), year, month, first)
            yield _Part(match.start("last"), end, year, month, int(last))
        else:
            yield _Part(match.start(), end, year, month, first)


def _month_first(text: str) -> Iterator[_Part]:
    for match in _patterns()[1].finditer(text):
        word = match["month"]
        month = MONTH[word.lower()]
        if match["day"] and word.lower() in ENGLISH_MONTHS and not word.islower():
            year = int(match["its_year"]) if match["its_year"] else None
            last = match["last"]
            yield _Part(match.start(), match.end("day") if last else match.end(), year, month, int(match["day"]))
            if last:
                yield _Part(match.start("last"), match.end(), year, month, int(last))
        elif match["year"]:
            yield _Part(*match.span(), int(match["year"]), month, None)
        elif word.lower() in FULL_MONTHS:
            yield _Part(*match.span("month"), None, month, None)
