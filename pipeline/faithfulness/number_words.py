"""Small numbers in words, in a source: a text may write 3 for "tres". In a text that is traced they are no claims."""

import re
from decimal import Decimal
from functools import lru_cache

from pipeline.facts import Fact
from pipeline.facts.words import spelled

_WORDS: dict[str, str] = {  # from two on; the one before a noun is mostly an article
    "ca": """dos,dues tres quatre cinc sis set vuit nou deu onze dotze tretze catorze quinze setze disset divuit
        dinou vint trenta,30 quaranta,40 cinquanta,50 seixanta,60 setanta,70 vuitanta,80 noranta,90 cent,100""",
    "es": """dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete
        dieciocho diecinueve veinte treinta,30 cuarenta,40 cincuenta,50 sesenta,60 setenta,70 ochenta,80 noventa,90
        cien,100""",
    "en": """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
        eighteen nineteen twenty thirty,30 forty,40 fifty,50 sixty,60 seventy,70 eighty,80 ninety,90 hundred,100""",
}


def _values(listed: str) -> dict[str, int]:
    values: dict[str, int] = {}
    for value, forms in enumerate(listed.split(), start=2):
        words = forms.split(",")
        number = int(words.pop()) if words[-1].isdigit() else value
        values.update(dict.fromkeys(words, number))
    return values


_VALUES = {language: _values(listed) for language, listed in _WORDS.items()}


@lru_cache(maxsize=8)
def _pattern(language: str) -> re.Pattern[str]:
    # A word joined to others is part of a longer number: vint-i-tres, twenty-one.
    return re.compile(rf"(?<![\w-])(?:{spelled(_VALUES[language])})(?![\w-])")


def numbers_in_words(text: str, language: str | None, taken: list[Fact]) -> list[Fact]:
    """The numbers from two to a hundred that stand in words, outside the facts already found."""
    if language not in _VALUES:
        return []
    inside = {place for fact in taken for place in range(fact.start, fact.end)}
    return [
        Fact("number", f"number:{Decimal(_VALUES[language][match[0].lower()])}", *match.span())
        for match in _pattern(language).finditer(text)
        if match.start() not in inside
    ]
