"""Words that numbers stand with: months, currencies, scales, units. Catalan, Spanish and English together."""

import re
from collections.abc import Iterable


def listed(words: str) -> frozenset[str]:
    """The words of a list written as a text."""
    return frozenset(words.split())


_MONTHS = (  # of three letters or four, some are short forms: a month only beside a day or a year
    "gener enero january jan ene gen",
    "febrer febrero february feb febr",
    "març marzo march mar",
    "abril april abr apr",
    "maig mayo may",
    "juny junio june jun",
    "juliol julio july jul",
    "agost agosto august ago aug",
    "setembre septiembre setiembre september set sep sept",
    "octubre october oct",
    "novembre noviembre november nov",
    "desembre diciembre december dic dec",
)
MONTH: dict[str, int] = {word: month for month, words in enumerate(_MONTHS, 1) for word in words.split()}
ENGLISH_MONTHS = listed(
    """
    january february march april may june july august september october november december jan feb mar apr jun jul
    aug sep sept oct nov dec
    """
)
FULL_MONTHS = frozenset(MONTH) - listed("jan ene gen feb febr mar abr apr jun jul ago aug set sep sept oct nov dic dec")

CURRENCY: dict[str, str] = {
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR",
    "$": "USD", "us$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD", "dòlar": "USD", "dòlars": "USD",
    "dólar": "USD", "dólares": "USD",
    "£": "GBP", "gbp": "GBP", "pound": "GBP", "pounds": "GBP", "libras": "GBP", "lliures esterlines": "GBP",
    "chf": "CHF", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "pln": "PLN", "czk": "CZK", "jpy": "JPY", "¥": "JPY",
    "cad": "CAD", "aud": "AUD", "mxn": "MXN", "brl": "BRL",
}  # fmt: skip

ZEROS: dict[str, int] = {
    "k": 3, "mil": 3, "milers": 3, "thousand": 3,
    "m": 6, "milió": 6, "milions": 6, "millón": 6, "millones": 6, "million": 6, "millions": 6, "mn": 6,
    "bn": 9, "billion": 9, "mil milions": 9, "mil millones": 9,
}  # fmt: skip

# Written right behind the digits ("25kg", "9h"), or after a number that could be a year ("2000 hores").
UNITS = listed(
    """
    h min s m km cm mm kg g t l ml ha kw mw gw kwh mwh gwh wp kwp kb mb gb tb hz khz mhz ghz km2 m2 m3 x v w k dpi
    ppm px pp hores hora horas hours persones personas people metres metros litres litros liters quilòmetres
    kilómetros quilos kilos tones tonnes toneladas habitants habitantes inhabitants participants participantes
    alumnes alumnos pupils students exemplars ejemplares copies arbres árboles trees plantes plants hectàrees
    hectáreas hectares famílies familias families usuaris usuarios users visites visitas visits llibres libros books
    unitats unidades units dies días days minuts minutos minutes vegades veces times socis socios members entitats
    entidades dones homes mujeres hombres women men joves jóvenes paraules palabras words punts puntos points
    """
)
ORDINAL = r"(?:\.?[ºª]|(?:\.?(?:er|era)|r|rs|n|ns|t|ts|a|è|é|e|ro|do|to|na|ra|st|nd|rd|th)(?!\w))"


def spelled(words: Iterable[str]) -> str:
    """A pattern for any of the words, in lower case, in capitals or with a first capital.

    They are grouped by their first letter: tried one by one, a hundred words cost too much at every letter of a text.
    """
    rests: dict[str, set[str]] = {}
    for word in words:
        rests.setdefault(word[0], set()).update((word[1:], word[1:].upper()))
    return "|".join(
        f"[{re.escape(first)}{re.escape(first.upper())}]"
        f"(?:{'|'.join(re.escape(rest) for rest in sorted(group, key=lambda rest: (-len(rest), rest)))})"
        for first, group in sorted(rests.items())
    )
