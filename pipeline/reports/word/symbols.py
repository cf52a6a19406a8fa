"""Symbols that Word writes as a character code of a picture font instead of a letter (`w:sym`)."""

import re

# Codes of picture fonts that reports use, as the Unicode characters that they look like. Where Unicode has a
# character of just that shape but few fonts show it (🗹, 🡪), it is the common one (☑, →).
_ARROWS = "←→↑↓↖↗↙↘"
_WINGDINGS = {
    0x21: "✏", 0x22: "✂", 0x28: "☎", 0x29: "✆", 0x2A: "✉", 0x36: "⌛", 0x3F: "✍", 0x43: "👍", 0x44: "👎", 0x45: "☜",
    0x46: "☞", 0x47: "☝", 0x48: "☟", 0x4A: "☺", 0x4B: "😐", 0x4C: "☹", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□",
    0x70: "□", 0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "☒", 0x80: "⓪",
    0x8B: "⓿", 0x9E: "·", 0x9F: "•", 0xA1: "○", 0xA7: "▪", 0xA8: "◻", 0xAB: "★", 0xD8: "➢", 0xE7: "⬅", 0xE8: "➔",
    0xE9: "⬆", 0xEA: "⬇", 0xEF: "⇦", 0xF0: "⇨", 0xF1: "⇧", 0xF2: "⇩", 0xF3: "⬄", 0xF4: "⇳", 0xFB: "✗", 0xFC: "✓",
    0xFD: "☒", 0xFE: "☑", **dict(enumerate("①②③④⑤⑥⑦⑧⑨⑩", 0x81)), **dict(enumerate("❶❷❸❹❺❻❼❽❾❿", 0x8C)),
    **dict(enumerate(_ARROWS, 0xDF)),
}  # fmt: skip
_WINGDINGS_2 = {
    0x42: "☜", 0x43: "☞", 0x4A: "☝", 0x4B: "☟", 0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒",
    0x69: "⓪", 0x74: "⓿", 0x97: "•", 0x98: "●", 0x99: "○", 0xA1: "▪", 0xA2: "■", 0xA3: "□", 0xAE: "⬥", 0xAF: "◇",
    **dict(enumerate("①②③④⑤⑥⑦⑧⑨⑩", 0x6A)), **dict(enumerate("❶❷❸❹❺❻❼❽❾❿", 0x75)),
}  # fmt: skip
_WINGDINGS_3 = {
    0x31: "↔", 0x32: "↕", **dict(enumerate(_ARROWS, 0x21)), **dict(enumerate(_ARROWS + "↔↕", 0x66)),
    **dict(enumerate("▲▼△▽◀▶◁▷◣◢◤◥◂▸▴", 0x70)), 0x80: "▾", **dict(enumerate("▲▼◀▶", 0x81)),
}  # fmt: skip
_WEBDINGS = {
    **dict(enumerate("◀▶▲▼", 0x33)), 0x61: "✓", 0x63: "□", 0x67: "■", 0x69: "ℹ", 0x6E: "●", 0x72: "✗", 0x73: "❓",
}  # fmt: skip
_SYMBOL_LETTERS = dict(
    zip(
        range(0x61, 0x7B),
        "αβχδεφγηιϕκλμνοπθρστυϖωξψζ",
        strict=True,
    )
) | dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True))
_SYMBOL = _SYMBOL_LETTERS | {
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥", 0x7E: "∼", 0xA0: "€",
    0xA2: "′", 0xA3: "≤", 0xA4: "⁄", 0xA5: "∞", 0xA6: "ƒ", 0xAB: "↔", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓",
    0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×", 0xB5: "∝", 0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠",
    0xBA: "≡", 0xBB: "≈", 0xBC: "…", 0xC4: "⊗", 0xC5: "⊕", 0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xC9: "⊃", 0xCA: "⊇",
    0xCB: "⊄", 0xCC: "⊂", 0xCD: "⊆", 0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD1: "∇", 0xD2: "®", 0xD3: "©", 0xD4: "™",
    0xD5: "∏", 0xD6: "√", 0xD7: "⋅", 0xD9: "∧", 0xDA: "∨", 0xDB: "⇔", 0xDC: "⇐", 0xDD: "⇑", 0xDE: "⇒", 0xDF: "⇓",
    0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
_FONTS = {
    "wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2, "wingdings 3": _WINGDINGS_3, "webdings": _WEBDINGS,
    "symbol": _SYMBOL,
}  # fmt: skip
UNKNOWN = "□"  # stands for what nobody can know
_PRIVATE = re.compile("[\uf020-\uf0ff]")


def readable(text: str, font: str) -> str:
    """Text whose picture characters, in a font like Wingdings, are replaced by what they look like, if we know."""
    if not _PRIVATE.search(text):
        return text
    return _PRIVATE.sub(lambda found: _looks_like(font, found[0]), text)


def _looks_like(font: str, character: str) -> str:
    # A picture character in a font of letters, or in none that is named, is most often of one of these two.
    fonts = (font,) if font.strip().casefold() in _FONTS else (font, "Symbol", "Wingdings")
    return next((known for one in fonts if (known := symbol(one, f"{ord(character):x}"))), UNKNOWN)


def symbol(font: str, code: str) -> str | None:
    """The character that a symbol looks like. `code` is hexadecimal; None where nobody can know."""
    try:
        number = int(code, 16)
    except ValueError:
        return None
    # Picture fonts live in the private use area from U+F000, but writers also store the bare byte.
    byte = number - 0xF000 if 0xF000 <= number <= 0xF0FF else number
    table = _FONTS.get(font.strip().casefold())
    if table is not None:
        plain = chr(byte) if table is _SYMBOL and 0x20 <= byte < 0x7F else None  # brackets and digits are as ever
        return table.get(byte, plain)
    private_or_invalid = 0xE000 <= number <= 0xF8FF or number < 0x20 or 0xD800 <= number < 0xE000 or number > 0x10FFFF
    return None if private_or_invalid else chr(number)
