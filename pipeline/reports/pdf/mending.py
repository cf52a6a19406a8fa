"""Characters that a font drew in pieces, or in codes of its own, as the letters that a reader sees.

An accent that stands by itself goes back on its letter. Where the page draws it, its box lies over the letter's
box, which proves it; where it has a place of its own, only what no sane text can mean otherwise is mended.
"""

import re
import unicodedata

from pipeline.reports.pdf.glyphs import Box, Glyphs
from pipeline.reports.word.symbols import symbol

COMBINING = {
    "´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327", "˚": "\u030a",
    "ˇ": "\u030c", "˘": "\u0306", "˙": "\u0307", "˝": "\u030b", "˛": "\u0328", "¯": "\u0304",
}  # fmt: skip
_ACCENTS = "".join(COMBINING)
_ODD = re.compile(rf"[{_ACCENTS}\u0300-\u036f\ufb00-\ufb06\ue000-\uf8ff\x00\x01\x03-\x08\x0b\x0c\x0e-\x1f]|\r(?!\n)")
_LIGATURE = re.compile("[\ufb00-\ufb06]")
# Places of TeX's ligatures in its old (OT1) and its newer (T1) fonts, and in the private area of older ones.
_LIGATURE_CODES = {
    "\x0b": "ff", "\x0c": "fi", "\x0d": "fl", "\x0e": "ffi", "\x0f": "ffl",
    "\x1b": "ff", "\x1c": "fi", "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl",
    "\uf001": "fi", "\uf002": "fl", "\ufb00": "ff", "\uf6be": "j",
}  # fmt: skip
_NEIGHBOURS = 4  # characters on each side among which an accent's letter is sought
_LONGEST_LINE_CHARACTERS = 300
_HEIGHT_SHARE = 0.9  # how far above its letter an accent may stand, in the letter's size
_WORD_GAP = 0.15  # of the size; letters nearer than that belong to one word

_VOWELS = "aeiouyAEIOUY"
_BEARERS = {
    "´": _VOWELS, "`": "aeiouAEIOU", "¨": "aeiouyAEIOUY", "ˆ": "aeiouAEIOU", "˜": "nNaoAO", "¸": "cC", "˚": "aA",
}  # fmt: skip
_AFTER = re.compile(r"(?P<letter>[A-Za-z])(?P<accent>[¨ˆ˜¸˚´`])")
_BEFORE = re.compile(r"(?P<accent>[¨ˆ˜¸˚´`])(?P<gap> ?)(?P<letter>[A-Za-zı])")
_BEHIND = re.compile(r"(?<![^\W\d_])(?P<word>[^\W\d_]{2,}) ´(?=[\s.,;:!?)]|$)")
_ENDING = re.compile(r"(?<=[cs]i)´ (?=o(?:n|ns|nes)?\b)")  # -ción, -ció: the commonest of all
_ELISION = re.compile(r"(?<![^\W\d_])[ldmnstLDMNST]$")
_CLOSING_QUOTE = re.compile(r"[\w.,][`'’](?!\w)")
_VOWEL = re.compile("[aeiouAEIOU]")


def edits(glyphs: Glyphs) -> dict[int, str]:
    """Index of a character -> what stands there for a reader, where that is not the character itself."""
    found: dict[int, str] = {}
    for match in _ODD.finditer(glyphs.text):
        index, character = match.start(), match[0]
        if character in COMBINING or unicodedata.combining(character):
            _attach(glyphs, index, found)
        elif _LIGATURE.match(character):
            found[index] = unicodedata.normalize("NFKC", character)
        elif character in _LIGATURE_CODES and _is_in_word(glyphs.text, index):
            found[index] = _LIGATURE_CODES[character]
        elif "\uf020" <= character <= "\uf0ff" and (drawn := _pictured(glyphs.font(index), character)):
            found[index] = drawn
        elif character < " ":
            found[index] = "\ufffd"  # a sign that only its font knows
    return found


def mended(text: str) -> str:
    """A line's text with ligatures as letters, and accents that have a place of their own back on their letters."""
    if text.isascii() and "`" not in text:
        return text
    text = _LIGATURE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    if any(accent in text for accent in _BEARERS):
        text = _ENDING.sub("´", _BEHIND.sub(_on_the_word, text))
        text = _BEFORE.sub(_on_the_next, _AFTER.sub(_on_the_last, text))
    return unicodedata.normalize("NFC", text)


def _attach(glyphs: Glyphs, index: int, found: dict[int, str]) -> None:
    """Put an accent on the letter that it is drawn over, and close the gap that it made in the word."""
    mark = COMBINING.get(glyphs.text[index], glyphs.text[index])
    accent, size = glyphs.box(index), glyphs.size(index)
    middle = (accent.left + accent.right) / 2
    for near in _places_near(glyphs, index, accent, size):
        letter = glyphs.text[near]
        if not letter.isalpha() or near in found:
            continue
        whole = unicodedata.normalize("NFC", {"ı": "i", "ȷ": "j"}.get(letter, letter) + mark)
        box = glyphs.box(near)
        over = box.left <= middle <= box.right and abs(accent.bottom - box.bottom) < _HEIGHT_SHARE * size
        if len(whole) == 1 and over:
            found[near], found[index] = whole, ""
            _close_gap(glyphs, index, size, found)
            return


def _places_near(glyphs: Glyphs, index: int, accent: Box, size: float) -> list[int]:
    """Where an accent's letter may stand, the nearest first: anywhere in the line, if the file went back for it."""
    text = glyphs.text
    first, last = max(0, index - _NEIGHBOURS), min(len(text), index + _NEIGHBOURS + 1)
    before = text[:index].rstrip(" ")
    if before and glyphs.box(len(before) - 1).left > accent.right + size / 2:
        first = min(first, max(text.rfind("\n", 0, index) + 1, index - _LONGEST_LINE_CHARACTERS))
    return sorted((place for place in range(first, last) if place != index), key=lambda place: abs(place - index - 0.1))


def _close_gap(glyphs: Glyphs, index: int, size: float, found: dict[int, str]) -> None:
    """Drop white space beside an accent, if the letters on both sides are those of one word."""
    text = glyphs.text
    first, last = index, index
    while first > 0 and text[first - 1].isspace():
        first -= 1
    while last < len(text) - 1 and text[last + 1].isspace():
        last += 1
    if first == last or first == 0 or last == len(text) - 1:
        return
    a, b = glyphs.box(first - 1), glyphs.box(last + 1)
    if _is_one_word(a, b, size):
        found.update(dict.fromkeys((place for place in range(first, last + 1) if place != index), ""))


def _is_one_word(a: Box, b: Box, size: float) -> bool:
    return -size < b.left - a.right < _WORD_GAP * size and abs(a.bottom - b.bottom) < size / 2


def _is_in_word(text: str, index: int) -> bool:
    """A private code may be a ligature only beside a letter."""
    return text[index - 1 : index].isalpha() or text[index + 1 : index + 2].isalpha()


def _pictured(font: str, character: str) -> str | None:
    for name in ("wingdings", "symbol"):
        if name in font and (drawn := symbol(name, f"{ord(character):x}")):
            return drawn
    return None


def _on_the_last(match: re.Match[str]) -> str:
    """The letter before an accent bears it, unless the next one rather does, as TeX writes it."""
    letter, accent = match["letter"], match["accent"]
    before, after = match.string[: match.start()], match.string[match.end() :]
    following = after[:1]
    if letter not in _BEARERS[accent] or (accent in "´`" and following.isalpha()):
        return match[0]
    if accent == "`" and ("`" in before or after[:1] == "`"):
        return match[0]  # the end of `code`
    n_with_tilde = accent == "˜" and letter in "nN" and following not in ("n", "N")
    u_with_dots = accent == "¨" and letter in "uU" and before[-1:] in ("g", "q", "G", "Q")
    if following and following in _BEARERS[accent] and not n_with_tilde and not u_with_dots:
        return match[0]
    return _with(letter, accent)


def _on_the_next(match: re.Match[str]) -> str:
    """The letter after an accent bears it, unless the accent is an apostrophe or opens a quotation."""
    letter, accent = match["letter"].replace("ı", "i"), match["accent"]
    before, after = match.string[: match.start()], match.string[match.end() :]
    in_word = before[-1:].isalpha()
    if letter not in _BEARERS[accent] or (in_word and match["gap"]):
        return match[0]
    if accent == "´" and _ELISION.search(before) and not match["gap"]:
        return match[0]  # l´escola
    if accent == "`" and not in_word and (before[-1:] == "`" or _CLOSING_QUOTE.search(letter + after)):
        return match[0]
    return _with(letter, accent)


def _on_the_word(match: re.Match[str]) -> str:
    """An acute left behind by its word: on the last syllable before n, s or a vowel, else on the one before.

    That is where Catalan and Spanish write it, but for words stressed before the last two syllables.
    """
    word = match["word"]
    vowels = [vowel.start() for vowel in _VOWEL.finditer(word)]
    if not vowels:
        return match[0]
    at = vowels[-1] if word[-1] in "nsNS" + _VOWELS or len(vowels) == 1 else vowels[-2]
    return word[:at] + _with(word[at], "´") + word[at + 1 :]


def _with(letter: str, accent: str) -> str:
    return unicodedata.normalize("NFC", letter + COMBINING[accent])
