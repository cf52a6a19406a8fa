"""How Catalan, Spanish and English write dates, amounts, lists and contractions.

Knows nothing about projects. Templates are written with plain words ("de el", "a els"); ``contract`` joins
them as the language demands once the slots are filled.
"""

import re
from collections.abc import Callable
from datetime import date
from typing import Final

_MONTHS: Final = {
    "ca": "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "en": "January February March April May June July August September October November December",
}
_AND: Final = {"ca": "i", "es": "y", "en": "and"}
_ARTICLES: Final = re.compile(r"^(?:el |la |els |les |los |las |the |l['’])")

# Catalan elides before a vowel or h, but not before a consonantal i ("de iogurt"); no bank uses such words.
_VOWEL: Final = "[aeiouàèéíòóúïühAEIOUÀÈÉÍÒÓÚH]"
_Rule = tuple[str, str | Callable[[re.Match[str]], str]]
_CATALAN: Final[list[_Rule]] = [
    (r"\b([dD])el (?=1 d|11 d)", r"\1e l'"),
    (r"\bal (?=1 d|11 d)", "a l'"),
    (r"\b([eE])l (?=1 d|11 d)", lambda m: "L'" if m[1] == "E" else "l'"),
    (rf"\b([eE])l (?={_VOWEL})", lambda m: "L'" if m[1] == "E" else "l'"),
    (r"\b([dD])e el(s?)\b(?!')", r"\1el\2"),
    (r"\b([aA]) el(s?)\b(?!')", r"\1l\2"),
    (r"\b([pP])er el(s?)\b(?!')", r"\1el\2"),
    (rf"\b([dD])e (?={_VOWEL})", r"\1'"),
]
_SPANISH: Final[list[_Rule]] = [
    (r"\b([dD])e el\b", r"\1el"),
    (r"\b([aA]) el\b", r"\1l"),
    (r"\by (?=(?:[iIíÍ]|[hH][iIíÍ])(?![aeou]))", "e "),
    (r"\bo (?=[oOóÓ]|[hH][oOóÓ])", "u "),
]
_RULES: Final = {"ca": _CATALAN, "es": _SPANISH, "en": []}


def date_text(day: date, language: str) -> str:
    """The day in full: "12 de març de 2024", "12 de marzo de 2024", "12 March 2024"."""
    month = _MONTHS[language].split()[day.month - 1]
    if language == "en":
        return f"{day.day} {month} {day.year}"
    of_month = f"d'{month}" if language == "ca" and month[0] in "ao" else f"de {month}"
    return f"{day.day} {of_month} de {day.year}"


def month_text(day: date, language: str) -> str:
    """Month and year: "març de 2024", "marzo de 2024", "March 2024"."""
    month = _MONTHS[language].split()[day.month - 1]
    return f"{month} {day.year}" if language == "en" else f"{month} de {day.year}"


def count_text(count: int, language: str) -> str:
    """A whole number with the language's thousands mark: 1.284 or 1,284."""
    english = f"{count:,}"
    return english if language == "en" else english.replace(",", ".")


def amount_text(cents: int, language: str) -> str:
    """Euros and cents: "1.234,56 €" or "€1,234.56"."""
    euros, rest = divmod(cents, 100)
    if language == "en":
        return f"€{count_text(euros, language)}.{rest:02d}"
    return f"{count_text(euros, language)},{rest:02d} €"


def share_text(part: int, whole: int, language: str) -> str:
    """``part`` of ``whole`` as a percentage with one decimal: "94,3 %" or "94.3%"."""
    value = f"{100 * part / whole:.1f}"
    return f"{value}%" if language == "en" else f"{value.replace('.', ',')} %"


def join(items: list[str], language: str) -> str:
    """The items as a list in running text: "a, b and c" (no serial comma)."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {_AND[language]} {items[-1]}"


def bare(name: str) -> str:
    """The name without its leading article, as it stands in the text even after a contraction."""
    return _ARTICLES.sub("", name)


def capital(text: str) -> str:
    """The text with its first letter in upper case, behind an opening quotation mark if there is one."""
    first = next((place for place, letter in enumerate(text) if letter.isalnum()), 0)
    return text[:first] + text[first : first + 1].upper() + text[first + 1 :]


def contract(text: str, language: str) -> str:
    """Join prepositions and articles as the language writes them ("de el" -> "del")."""
    for pattern, replacement in _RULES[language]:
        text = re.sub(pattern, replacement, text)
    return text
