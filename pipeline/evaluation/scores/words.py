"""A text's words, for scores that count them: letters and digits of any alphabet, accents kept."""

import re
import unicodedata

NAME = "unicode letters and digits, NFC, case folded"
_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    """The words of a text. An apostrophe, a middle dot or a comma parts them: "l'acció" has two, "1.250" too."""
    return _WORD.findall(unicodedata.normalize("NFC", text).casefold())
