"""Words as the tracer compares them: without case and accents, by their beginnings where sense is compared."""

import re
import unicodedata
from functools import lru_cache

from pipeline.facts.words import listed

WORD = re.compile(r"[^\W_]+(?:[·'’][^\W_]+)*")
_STEM_LETTERS = 5
_EMPTY = listed(
    """
    amb dels durant entre sobre total totals totes tots aquest aquesta aquests aquestes estan sota quan hauran seva
    seves seus nostre nostra altres anys mesos cada també haver estat eren foren sense
    para como desde hasta este esta estos estas fueron sido entre sobre todos todas años meses otros otras
    with from this that these those were been have their they them into over under total which years months other
    each also there than
    """
)


@lru_cache(maxsize=65_536)
def bare(word: str) -> str:
    """A word without case and accents: Núria = nuria, l·l = ll."""
    folded = unicodedata.normalize("NFD", word.casefold().replace("·", "").replace("’", "'"))
    return "".join(character for character in folded if not unicodedata.combining(character))


@lru_cache(maxsize=65_536)
def core(word: str) -> str:
    """A bare word without an article before its apostrophe, or a genitive after it: l'Omar = omar, Vic's = vic."""
    return bare(word).removesuffix("'s").rpartition("'")[2]


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    folded = core(word)
    return "" if len(folded) < 4 or folded.isdigit() or word.casefold() in _EMPTY else folded[:_STEM_LETTERS]


def stems(text: str) -> frozenset[str]:
    """The beginnings of the telling words of a text: what two sentences on the same thing have in common."""
    return frozenset(filter(None, map(_stem, WORD.findall(text))))
