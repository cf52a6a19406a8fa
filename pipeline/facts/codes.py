"""Identifiers that mix letters and digits, or digits and signs: D3.2, WP2, 2024/PROJ/0012, EXP-2023/114, CO2."""

import re

from pipeline.facts.fact import Claims
from pipeline.facts.words import MONTH, UNITS

_YEAR = "(?:19|20)[0-9]{2}"
_TAIL = r"[A-Za-z0-9]*(?:[-_./](?=[A-Z0-9])[A-Za-z0-9]+)*"
# What must stand in front is asked after the first character, so that the search can leap from capital to capital.
_CAPITAL_FIRST = re.compile(
    r"[A-Z](?<!\w[A-Z])(?<![0-9][-_./][A-Z])"
    rf"(?:(?:[A-Z]{{0,5}}[a-z]?|[A-Z]{{0,11}}(?=[-_./])(?:[-_./][A-Z]{{1,12}}){{0,4}}[-_./]?)[0-9]{_TAIL}"
    r"|(?<=[DTMERO])[ \u00a0][0-9]{1,2}(?:\.[0-9]{1,2}){0,3}(?![\w,%€]|[.,]?[0-9])"
    r"|(?:(?<=W)P|(?<=P)T)[ \u00a0][0-9]{1,2}(?:\.[0-9]{1,2}){0,3}(?![\w%€]|[.,]?[0-9]))"
)
_DIGIT_FIRST = re.compile(
    r"[0-9](?<!\w[0-9])(?<![0-9][.,][0-9])[0-9]{0,11}"
    rf"(?:[-_/]?[A-Z]{_TAIL}|(?<!{_YEAR})/{_YEAR}(?![\w/]|[.,][0-9])|(?<=[0-9]{{4}})/(?!{_YEAR}(?!\w))[0-9]{{3,}}(?![\w/]|[.,][0-9]))"
)
_PANDEMIC = re.compile(r"[Cc][Oo][Vv][Ii][Dd](?<!\w.....)[-‑ ]?19(?![\w])")
_ONE_LETTER_WORD = frozenset("OE")  # "O 3 o 4", "E 2" may begin a sentence


def find_codes(text: str, claims: Claims) -> None:
    """Add the codes of `text` that begin with a capital."""
    for match in _PANDEMIC.finditer(text):  # an acronym by usage, though it has the form of a code
        if claims.free(*match.span()):
            claims.add("acronym", "COVID-19", *match.span())
    for match in _CAPITAL_FIRST.finditer(text):
        start, end = match.span()
        if claims.free(start, end) and _is_code(text, start, end):
            _add(text, start, end, claims)


def find_codes_of_digits(text: str, claims: Claims) -> None:
    """Add the codes of `text` that begin with a digit; dates must have been found before."""
    for match in _DIGIT_FIRST.finditer(text):
        start, end = match.span()
        unit = match[0].lstrip("0123456789").casefold()
        if unit not in UNITS and claims.free(start, end) and _is_code(text, start, end):
            _add(text, start, end, claims)


def _is_code(text: str, start: int, end: int) -> bool:
    """It ends where a word ends, is no word with a digit in it, and no month with a year."""
    code = text[start:end]
    if end < len(text) and (text[end].isalpha() or text[end] == "€"):
        return False
    if " " in code and code[0] in _ONE_LETTER_WORD and (start < 2 or text[start - 2] in ".!?\n|"):
        return False
    if re.search("[a-z]{2}", code) and not re.fullmatch(r"[^a-z]*v[0-9].*", code):
        return False
    return re.split("[^A-Z]", code, maxsplit=1)[0].casefold() not in MONTH or not re.search("(?:19|20)[0-9]{2}$", code)


def _add(text: str, start: int, end: int, claims: Claims) -> None:
    """One code, or several written as one: WP1-WP3, D1.1/D1.2."""
    parts = list(re.finditer(r"[^-/]+", text[start:end]))
    several = len(parts) > 1 and all(re.fullmatch("[A-Z]{1,4}[0-9][0-9.]*[a-z]?", part[0]) for part in parts)
    for first, last in [part.span() for part in parts] if several else [(0, end - start)]:
        code = text[start + first : start + last]
        claims.add("code", re.sub(r"\s", "", code).upper(), start + first, start + last)
