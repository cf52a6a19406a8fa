"""Lines joined to one text: which hyphens at a line's end part a syllable, and which belong to the word.

coop-    the document has "cooperative", or none of its words is "coop"   -> cooperative
long-    the document has "long-term"                                     -> long-term
fer-     "-se" is hung on verbs with a hyphen elsewhere in the document   -> fer-se
pre-     before "and", "i", "y"...                                        -> pre- and
"""

import re
from collections.abc import Iterable, Sequence

from pipeline.reports.blocks import visible
from pipeline.reports.pdf.glyphs import HYPHEN

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HYPHENS = ("-", HYPHEN, "\u2010")
_LONGEST_WORD_CHARACTERS = 200
_BROKEN = re.compile(rf"([^\W_]+)([-{HYPHEN}\u2010])$")
_FIRST = re.compile(r"[^\W_]+")
_ADDRESS = re.compile(r"(?:https?://|www\.|@)\S*$")
_TORN_ADDRESS = re.compile(r"(?:https?://|www\.)\S*[\w/=&?_#%~]$")
# What no word is: a slash or the like, digits after a hyphen, the name of a file.
_REST_OF_ADDRESS = re.compile(r"(?!https?:|www\.)[\w.-]*(?:[/=?&%_]|-\d|\.(?:pdf|html?|php|aspx?|docx?))\S*(?:\s|$)")
_CONJUNCTIONS = frozenset(("and", "or", "to", "i", "o", "y", "e", "u", "ni", "et", "ou", "und", "oder", "as", "but"))
_CLITICS = frozenset(
    ("se", "ho", "hi", "la", "les", "lo", "los", "li", "ne", "me", "te", "nos", "vos", "en", "el", "els")
)
_OWN_WORD_CHARACTERS = 4  # a part of a compound is at least so long


class Words:
    """The words of a document, by which it is decided whether a hyphen stays."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.whole: set[str] = set()
        self.compounds: set[str] = set()
        for text in texts:
            found = _WORD.findall(text.casefold())
            self.whole.update(found[1:-1])  # the first and the last of a line may be halves
            self.compounds.update(word for word in found if "-" in word)
        self._hung = {compound.rpartition("-")[2] for compound in self.compounds} & _CLITICS

    def keeps_hyphen(self, before: str, after: str) -> bool:
        """Whether a hyphen between two parts of a word, at a line's end, belongs to the word."""
        a, b = before.casefold(), after.casefold()
        if not after[:1].islower() or not before[-1:].islower():
            return True
        if f"{a}-{b}" in self.compounds:
            return True
        if a + b in self.whole:
            return False
        if b in self._hung:
            return True
        return all(len(part) >= _OWN_WORD_CHARACTERS and part in self.whole for part in (a, b))

    def is_split(self, before: str, after: str) -> bool:
        """Whether a line of a narrow cell ended in the middle of a word, without a hyphen."""
        a, b = before.casefold(), after.casefold()
        return a + b in self.whole and not (a in self.whole and b in self.whole)


def joined(lines: Sequence[str], words: Words) -> tuple[str, int]:
    """Lines as one text, and how many visible characters of hyphens were dropped."""
    text, dropped = "", 0
    for line in lines:
        broken = _BROKEN.search(text, max(0, len(text) - _LONGEST_WORD_CHARACTERS)) if text[-1:] in _HYPHENS else None
        first = _FIRST.match(line)
        if _TORN_ADDRESS.search(text, max(0, len(text) - _LONGEST_WORD_CHARACTERS)) and _REST_OF_ADDRESS.match(line):
            text += line
        elif broken is None or first is None:
            text += (" " if text and line else "") + line
        elif first[0].casefold() in _CONJUNCTIONS:
            text = f"{text[:-1]}- {line}"
        elif _ADDRESS.search(text, max(0, len(text) - _LONGEST_WORD_CHARACTERS)) or words.keeps_hyphen(
            broken[1], first[0]
        ):
            text = f"{text[:-1]}-{line}"
        else:
            dropped += visible(broken[2])
            text = text[:-1] + line
    return text.replace(HYPHEN, "-"), dropped
