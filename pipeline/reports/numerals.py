"""Numbers as lists and headings print them: digits, letters, Roman numerals, words. The formats have Word's names."""

from pipeline.reports.spelled import in_words, ordinal

KIND_OF_SIGN = {
    "1": "decimal",
    "a": "lowerLetter",
    "A": "upperLetter",
    "i": "lowerRoman",
    "I": "upperRoman",
}  # how HTML and LaTeX call a format by its first number
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_ENCLOSED = {"decimalEnclosedCircle": "①", "decimalEnclosedParen": "⑴", "decimalEnclosedFullstop": "⒈"}  # up to 20
_CHICAGO = "*†‡§"


def roman(number: int) -> str:
    """Lower-case Roman numeral of a number from 1 up."""
    pieces = []
    for value, letters in _ROMAN:
        pieces.append(letters * (number // value))
        number %= value
    return "".join(pieces)


def letters(number: int) -> str:
    """Word's letters: a ... z, aa, bb ... zz, aaa."""
    return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)


def formatted(number: int, kind: str, language: str = "en") -> str:
    """A number in one of Word's formats; those that we do not know are printed as digits.

    `language` ("en", "es", "ca") is that of ordinals and of numbers in words.
    """
    if kind == "none":
        return ""
    if kind == "decimalZero":
        return f"{number:02d}"
    if kind == "numberInDash":
        return f"- {number} -"
    if kind.startswith("0"):  # 001 shows how many digits there are
        return str(number).zfill(len(kind))
    return _from_one_up(number, kind, language) if number >= 1 else str(number)


def _from_one_up(number: int, kind: str, language: str) -> str:
    if kind in ("lowerRoman", "upperRoman"):
        return roman(number) if kind == "lowerRoman" else roman(number).upper()
    if kind in ("lowerLetter", "upperLetter"):
        return letters(number) if kind == "lowerLetter" else letters(number).upper()
    if kind == "ordinal":
        return ordinal(number, language)
    if kind in ("cardinalText", "ordinalText"):
        return in_words(number, language, ordinal=kind == "ordinalText")
    if kind == "hex":
        return f"{number:X}"
    if kind == "chicago":
        return _CHICAGO[(number - 1) % 4] * ((number - 1) // 4 + 1)
    if kind in _ENCLOSED and number <= 20:
        return chr(ord(_ENCLOSED[kind]) + number - 1)
    return str(number)
