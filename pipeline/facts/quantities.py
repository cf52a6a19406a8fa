"""Numbers in digits with what stands around them: money, percentages, years, plain numbers."""

import re
from decimal import Decimal
from functools import cache

from pipeline.facts.fact import Claims
from pipeline.facts.numbers import REST_OF_NUMBER, SPACES, plain, read_number, scaled
from pipeline.facts.words import CURRENCY, ORDINAL, UNITS, ZEROS, spelled

_S = f"[{SPACES}]"
_MARKS = "[*_]{0,3}"  # bold and italic
_PHONE = (
    r"(?:(?<=\+[0-9])[0-9]{0,2}(?:[ .-]?\(?[0-9]{2,4}\)?){2,5}(?![\w,])"
    r"|(?<=0)[0-9]{2,4}(?:[ -][0-9]{3,4}){1,2}(?!\w)"
    r"|(?<=[6-9])[0-9]{2}(?:[ -][0-9]{3}){2}(?!\w)|(?<=[6-9])[0-9]{2}(?:[ -][0-9]{2}){3}(?!\w)"
    r"|(?<=[6-9])[0-9][ -][0-9]{3}(?:[ -][0-9]{2}){2}(?!\w))"
)
_CURRENCY_BEFORE = re.compile(rf"(?:US\$|[€$£¥]|(?<!\w)(?:EUR|USD|GBP|CHF|JPY)){_S}?{_MARKS}\Z")
_NEXT_WORD = re.compile(rf"{_S}([^\W\d_]+)(?!['’])")  # an article is no litre: "el 2021 l'Institut"
_SIGNS, _NO_SIGN_AFTER = "-−–+", frozenset("0123456789)]%€$£")


@cache
def _pattern() -> re.Pattern[str]:
    scale = rf"(?:{spelled(ZEROS)})"
    currency = rf"(?:[€$£¥]|US\$|(?:{spelled(word for word in CURRENCY if word.isalpha())})(?!\w))"
    return re.compile(
        # What must stand in front is asked after the first digit, so that the search can leap from digit to digit.
        rf"[0-9](?<!\w[0-9])(?<![0-9][.,'’][0-9])(?:(?P<phone>{_PHONE})|{REST_OF_NUMBER})(?P<tail>"
        rf"(?P<percent>{_MARKS}{_S}?{_MARKS}%|{_S}(?:per{_S}cent|por{_S}cien(?:to)?|percent|per{_S}100|por{_S}100)(?!\w))"
        rf"|{_MARKS}{_S}{{0,2}}{_MARKS}(?:(?P<scale>{scale}){_S}?(?:d['’]|de{_S}|of{_S})?)?(?P<currency>{currency})"
        rf"|(?P<scale_alone>{_S}?{scale})(?!\w)"
        rf"|(?P<ordinal>{ORDINAL})"
        rf"|(?P<attached>[^\W_]+)"
        rf")?"
    )


def find_quantities(text: str, language: str | None, claims: Claims) -> None:
    """Add what numbers of `text` say, each read as its language writes it."""
    for match in _pattern().finditer(text):
        start, end = match.span()
        if not claims.free(start, match.start("tail") if match["tail"] else end):
            continue
        if match["phone"]:
            end = match.end("phone")
            first = start - 1 if text[start - 1 : start] == "+" and claims.free(start - 1, start) else start
            claims.add("number", re.sub("[^0-9]", "", text[start:end]), first, end)
        else:
            _add(text, match, language, claims)


def _add(text: str, match: re.Match[str], language: str | None, claims: Claims) -> None:
    """The one fact of a number that is no phone's, or none: an ordinal, a number of a version."""
    first = start = match.start()
    number_end = match.start("tail") if match["tail"] else match.end()
    end, scale, currency = match.end(), "", ""
    before = _CURRENCY_BEFORE.search(text, max(0, start - 7), start)
    if before and claims.free(*before.span()):
        first, currency, scale = before.start(), before[0].strip(f"{SPACES}*_"), match["scale_alone"] or ""
        end = match.end("scale_alone") if scale else number_end
    elif match["currency"] and claims.free(number_end, end):
        currency, scale = match["currency"], match["scale"] or ""
    elif not match["percent"]:
        _add_plain(text, match, number_end, language, claims)
        return
    value = read_number(text[start:number_end], language, money=bool(currency) and not scale)
    if value is None:
        return
    first, value = _signed(text, first, value, claims)
    if currency:
        value = scaled(value, ZEROS[" ".join(scale.lower().split())] if scale else 0)
        claims.add("amount", f"{plain(value)} {CURRENCY[currency.lower()]}", first, end)
    else:
        claims.add("percentage", plain(value), first, end)


def _add_plain(text: str, match: re.Match[str], end: int, language: str | None, claims: Claims) -> None:
    attached = (match["attached"] or "").casefold()
    if match["ordinal"] or (attached and attached.rstrip("0123456789") not in UNITS and attached not in UNITS):
        return
    start = match.start()
    digits = text[start:end]
    value = read_number(digits, language)
    if value is None:
        return
    first, value = _signed(text, start, value, claims)
    if first == start and not attached and not match["scale_alone"] and _is_year(text, digits, end):
        claims.add("date", digits, start, end)
    else:
        claims.add("number", plain(value), first, end)


def _signed(text: str, start: int, value: Decimal, claims: Claims) -> tuple[int, Decimal]:
    """A sign right before the number belongs to it, unless it joins the number to what stands before, as in 12-15."""
    if start == 0 or text[start - 1] not in _SIGNS or not claims.free(start - 1, start):
        return start, value
    before = text[max(0, start - 3) : start - 1].rstrip(SPACES)[-1:]
    if start > 1 and (text[start - 2].isalnum() or before in _NO_SIGN_AFTER):
        return start, value
    return start - 1, value if text[start - 1] == "+" else value.copy_negate()


def _is_year(text: str, digits: str, end: int) -> bool:
    """1900 to 2099 in four digits, and no count of what follows."""
    if len(digits) != 4 or not digits.isdigit() or not 1900 <= int(digits) <= 2099:
        return False
    following = _NEXT_WORD.match(text, end)
    if following is None:
        return True
    word = following[1]
    round_count = digits.endswith("00") and word.islower() and len(word) > 4 and word.endswith("s")
    return word not in UNITS and not round_count
