"""Symbols that Word writes as a character code of a picture font instead of a letter (`w:sym`)."""

import re

# Codes of Wingdings and Symbol that reports use, as the Unicode characters that they look like.
_WINGDINGS = {
    0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x73: "⬧", 0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "☒",
    0x9F: "•", 0xA7: "▪", 0xA8: "☐", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔",
    0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑", 0x28: "☎", 0x2A: "✉", 0x3F: "✍", 0x4A: "☺",
    0x21: "✏",
}  # fmt: skip
_SYMBOL_LETTERS = dict(
    zip(
        range(0x61, 0x7B),
        "αβχδεφγηιϕκλμνοπθρστυϖωξψζ",
        strict=True,
    )
) | dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True))
_SYMBOL = _SYMBOL_LETTERS | {
    0xA3: "≤", 0xA5: "∞", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±",
    0xB3: "≥", 0xB4: "×", 0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xC5: "⊕",
    0xC7: "∩", 0xC8: "∪", 0xCE: "∈", 0xD1: "∇", 0xD2: "®", 0xD3: "©", 0xD4: "™", 0xD6: "√", 0xE5: "∑",
    0xF2: "∫",
}  # fmt: skip


_PRIVATE = re.compile("[\uf020-\uf0ff]")


def readable(text: str, font: str) -> str:
    """Text whose picture characters, in a font like Wingdings, are replaced by what they look like, if we know."""
    if not _PRIVATE.search(text):
        return text
    return _PRIVATE.sub(lambda found: _looks_like(font, found[0]), text)


def _looks_like(font: str, character: str) -> str:
    fonts = (font, "Symbol", "Wingdings")  # a font that is named nowhere is most often one of these
    return next((known for one in fonts if (known := symbol(one, f"{ord(character):x}"))), "□")


def symbol(font: str, code: str) -> str | None:
    """The character that a symbol looks like. `code` is hexadecimal; None where nobody can know."""
    try:
        number = int(code, 16)
    except ValueError:
        return None
    # Picture fonts live in the private use area from U+F000, but writers also store the bare byte.
    byte = number - 0xF000 if 0xF000 <= number <= 0xF0FF else number
    if font.casefold() == "wingdings":
        return _WINGDINGS.get(byte)
    if font.casefold() == "symbol":
        return _SYMBOL.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F else None)
    private_or_invalid = 0xE000 <= number <= 0xF8FF or number < 0x20 or 0xD800 <= number < 0xE000 or number > 0x10FFFF
    return None if private_or_invalid else chr(number)
