"""Which tokens of a byte-level BPE vocabulary to keep, so that text in the kept scripts is encoded as before.

Byte-level BPE encodes a piece of text in steps. It starts from the bytes of the piece, each a token, and
again and again joins the neighbours (a, b) whose merge stands first in the list of merges, until no
neighbours have a merge. Let V and M be the tokens and merges of the base, and let K be the kept characters,
a set that the tokenizer's normaliser does not lead out of.

Rule. Keep a token if its bytes stand somewhere in the UTF-8 of some text over K, and any further tokens
with the parts that they are merged from. Keep a merge (a, b) if a, b and ab are kept. Keep the order of
merges.

Claim. A text over K is encoded into the same tokens, and so is a text whose tokens (by the base) are all
kept.

1.  Every token that ever stands in the encoding of a text over K is made of consecutive bytes of that text:
    it is kept. Every token that ever stands in the encoding of any text is one of the final tokens, or a
    part of one (of a part ...), since joined tokens are never parted again: if those are kept, it is.
2.  Suppose that both encoders stand at the same tokens. The base's next merge (a, b) has a, b and ab in its
    encoding: they are kept, and so is the merge. It still stands before all other merges that apply, for
    those are some of the base's, in the base's order. So both make the same step. Where the base has no
    merge to make, there is none among fewer. By induction both end at the same tokens.
3.  With `ignore_merges`, a piece that is a token as a whole is not merged at all. That token is the whole
    of the piece, and final: kept. And a token that is not kept is not the whole of any such piece.

More tokens than the rule asks for change nothing in this, if their parts are kept too (`fill`). A character
of which the base lacks a byte (SmolLM2 lacks some) is not in K, for what the encoder passes over would join
what stood apart (`spelled`).

Every other text comes back from its encoding just as it does with the base, for all single bytes that the
base has are kept; it only takes more tokens. Whether bytes stand in a text over K is decided exactly, cut
characters included: UTF-8 marks the bytes that begin a character, so the bytes fall apart in one way only,
into the end of a character, whole characters, and the beginning of one (`Alphabet.holds`).
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Literal

import regex

from pipeline.errors import UserError

Merge = tuple[str, str]
Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

_EAST_ASIAN = frozenset({"Han", "Hiragana", "Katakana", "Hangul", "Bopomofo"})
_EAST_ASIAN_FORMS = ("<wide>", "<narrow>", "<vertical>", "<small>")  # other widths of characters, for typesetting


@cache
def byte_of() -> dict[str, int]:
    """The byte that each letter of a byte-level token stands for.

    Printable Latin-1 stands for itself; the other bytes stand, in order, as U+0100, U+0101 and so on.
    """
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    return {chr(byte): byte for byte in plain} | {chr(0x100 + i): byte for i, byte in enumerate(others)}


def token_bytes(token: str) -> bytes | None:
    """The bytes that a token stands for; None: it is no byte-level token (some special ones are not)."""
    letters = byte_of()
    return bytes(letters[c] for c in token) if all(c in letters for c in token) else None


def kept_characters(
    scripts: Sequence[str], extra: str = "", form: Form | None = None, without: Iterable[str] = ()
) -> frozenset[str]:
    """The characters of some scripts, those of all scripts, `extra`, and what normalising makes of them.

    A shared character that Unicode knows in certain scripts only (Script_Extensions: an ideographic full
    stop) counts to those. Full-width and vertical forms count to the scripts of East Asia.

    Args:
        scripts: names or abbreviations of Unicode scripts ("Latin", "Grek").
        form: the normal form that the tokenizer brings text into (NFC, NFD, NFKC, NFKD), if any.
        without: characters that are left out all the same, unless `extra` names them.

    Raises:
        UserError: Unicode has no such script.
    """
    try:
        wanted = regex.compile("[" + "".join(rf"\p{{scx={s}}}" for s in (*scripts, "Common", "Inherited")) + "]")
    except regex.error as error:
        raise UserError(
            f"no such Unicode script among {', '.join(scripts)}",
            where="vocabulary.scripts",
            fix="use names such as Latin, Greek, Cyrillic",
        ) from error
    kept = set(wanted.findall(all_characters()))
    if _EAST_ASIAN.isdisjoint(scripts):
        kept -= {c for c in kept if unicodedata.decomposition(c).startswith(_EAST_ASIAN_FORMS)}
    return normalised((kept - set(without)) | set(extra), form)


def all_characters() -> str:
    """Every code point of Unicode but the surrogates, which are no characters."""
    return "".join(map(chr, (*range(0xD800), *range(0xE000, 0x110000))))


def normalised(characters: Iterable[str], form: Form | None) -> frozenset[str]:
    """The characters, and every one that the normal form of a text over them can hold.

    A normal form is a decomposition, then (NFC, NFKC) a composition, which can yield a character only from
    those that it decomposes into.
    """
    kept = frozenset(characters)
    if form is None:
        return kept
    apart: Form = "NFKD" if "K" in form else "NFD"
    parts = frozenset().union(*(unicodedata.normalize(apart, c) for c in kept))
    if form.endswith("D"):
        return kept | parts
    composed = (c for c in all_characters() if unicodedata.decomposition(c))
    return kept | parts | {c for c in composed if parts.issuperset(unicodedata.normalize("NFD", c))}


def spelled(characters: Iterable[str], vocabulary: Iterable[str]) -> frozenset[str]:
    """The characters whose bytes the vocabulary has, every one, as tokens of their own."""
    letters = byte_of()
    known = {letters[token] for token in vocabulary if token in letters}
    return frozenset(c for c in characters if known.issuperset(c.encode("utf-8")))


class Alphabet:
    """The kept characters as bytes: says of a string of bytes whether it stands in some text over them."""

    def __init__(self, characters: Iterable[str]) -> None:
        self._whole = frozenset(characters)
        encoded = [c.encode("utf-8") for c in self._whole if not c.isascii()]
        self._beginnings = {e[:n] for e in encoded for n in range(1, len(e))}
        self._ends = {e[n:] for e in encoded for n in range(1, len(e))}
        self._middles = {e[m:n] for e in encoded for m in range(1, len(e)) for n in range(m + 1, len(e))}

    def holds(self, piece: bytes) -> bool:
        """Do these bytes stand somewhere in the UTF-8 of a text over the kept characters?"""
        first = next((i for i, byte in enumerate(piece) if byte & 0xC0 != 0x80), len(piece))
        if first == len(piece):  # within one character
            return piece in self._ends or piece in self._middles
        end, rest = piece[:first], piece[first:]
        if end and end not in self._ends:
            return False
        last = max(i for i, byte in enumerate(rest) if byte & 0xC0 != 0x80)
        tail = rest[last:]
        if tail in self._beginnings:
            rest = rest[:last]
        try:
            return self._whole.issuperset(rest.decode("utf-8"))
        except UnicodeDecodeError:
            return False


def by_script(vocabulary: Iterable[str], alphabet: Alphabet) -> set[str]:
    """The tokens that texts over the alphabet can hold, and all single bytes; closed under merges."""
    kept = set()
    for token in vocabulary:
        piece = token_bytes(token)
        if piece is not None and (len(piece) == 1 or alphabet.holds(piece)):
            kept.add(token)
    return kept


def close(tokens: Iterable[str], merges: Sequence[Merge]) -> set[str]:
    """The tokens, the parts that they are merged from, the parts of those, and so on."""
    sources = _sources(merges)
    closed, todo = set(tokens), list(tokens)
    while todo:
        for part in sources.get(todo.pop(), ()):
            if part not in closed:
                closed.add(part)
                todo.append(part)
    return closed


def fill(kept: set[str], vocabulary: Mapping[str, int], merges: Sequence[Merge], number: int) -> set[str]:
    """`kept` and up to `number` of the other tokens, the lowest ids (those merged first) before others.

    Rows that only pad a matrix to a round size may as well hold tokens: none is then empty.
    """
    sources, filled = _sources(merges), set(kept)
    for token in sorted(vocabulary.keys() - kept, key=vocabulary.__getitem__):
        if number <= 0:
            break
        if filled.issuperset(sources.get(token, ())):
            filled.add(token)
            number -= 1
    return filled


def _sources(merges: Sequence[Merge]) -> dict[str, set[str]]:
    """Of each token, the parts in all the merges that make it."""
    sources: dict[str, set[str]] = {}
    for first, second in merges:
        sources.setdefault(first + second, set()).update((first, second))
    return sources
