"""How a tokenizer that was made of another reads the same texts: alike, in how many tokens, and whether they come back.

Measured without the product's own proof, on the encoders alone.
"""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_AT_ONCE = 2000
_SCRIPTS = (
    *("Greek", "Cyrillic", "Han", "Hiragana", "Katakana", "Hangul", "Bopomofo", "Arabic", "Hebrew", "Armenian"),
    *("Georgian", "Ethiopic", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan", "Devanagari", "Bengali", "Gurmukhi"),
    *("Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Latin"),
)


@dataclass(frozen=True)
class Pair:
    """A base's encoder, one that was made of it, and the base's id of each of its ids (None: the base has none)."""

    base: "Tokenizer"
    made: "Tokenizer"
    base_ids: Sequence[int | None]

    @classmethod
    def of(cls, base: "Tokenizer", made: "Tokenizer") -> "Pair":
        """Tokens of the same spelling are the same."""
        ids = base.get_vocab(with_added_tokens=True)
        spelled = made.get_vocab(with_added_tokens=True)
        base_ids: list[int | None] = [None] * (max(spelled.values()) + 1)
        for token, place in spelled.items():
            base_ids[place] = ids.get(token)
        return cls(base, made, base_ids)


@dataclass(frozen=True)
class Reading:
    """Texts read by both.

    Attributes:
        differing: pieces whose tokens are not the base's.
        lost: pieces that do not come back: decoded, they are not the text in NFC (Qwen's normal form), nor what the
            base gives back (its NFC may be of another version of Unicode than Python's).
    """

    pieces: int = 0
    differing: int = 0
    lost: int = 0
    tokens_before: int = 0
    tokens_after: int = 0

    def __add__(self, other: "Reading") -> "Reading":
        return Reading(
            self.pieces + other.pieces,
            self.differing + other.differing,
            self.lost + other.lost,
            self.tokens_before + other.tokens_before,
            self.tokens_after + other.tokens_after,
        )

    @property
    def times(self) -> float:
        """Tokens, as a multiple of the base's."""
        return self.tokens_after / self.tokens_before if self.tokens_before else 1.0


def read(pair: Pair, pieces: Sequence[str]) -> Reading:
    """Encode and decode all pieces."""
    reading = Reading()
    for start in range(0, len(pieces), _AT_ONCE):
        batch = list(pieces[start : start + _AT_ONCE])
        before, after = list(encoded(pair.base, batch)), list(encoded(pair.made, batch))
        back = pair.made.decode_batch(after, skip_special_tokens=False)
        reading += Reading(
            pieces=len(batch),
            differing=sum(a != [pair.base_ids[i] for i in b] for a, b in zip(before, after, strict=True)),
            lost=sum(
                text != unicodedata.normalize("NFC", piece) and text != pair.base.decode(ids, skip_special_tokens=False)
                for text, piece, ids in zip(back, batch, before, strict=True)
            ),
            tokens_before=sum(map(len, before)),
            tokens_after=sum(map(len, after)),
        )
    return reading


def encoded(tokenizer: "Tokenizer", pieces: Sequence[str]) -> Iterator[list[int]]:
    """The ids of each piece."""
    for start in range(0, len(pieces), _AT_ONCE):
        batch = tokenizer.encode_batch(list(pieces[start : start + _AT_ONCE]), add_special_tokens=False)
        yield from (encoding.ids for encoding in batch)


def encoder(folder: Path) -> "Tokenizer":
    """The tokenizer.json of a folder, to encode whole texts with."""
    from tokenizers import Tokenizer

    found = Tokenizer.from_file(str(folder / "tokenizer.json"))
    found.no_truncation()
    found.no_padding()
    return found


def mapped(base_folder: Path, folder: Path) -> Pair:
    """A base and a slice of it, by the map of ids that lies beside the slice."""
    return Pair(encoder(base_folder), encoder(folder), json.loads((folder / "id_map.json").read_text("utf-8")))


def apart(pieces: Iterable[str], kept: frozenset[str]) -> tuple[list[str], list[str]]:
    """The pieces over the kept characters, and those that hold others."""
    within: list[str] = []
    beyond: list[str] = []
    for piece in pieces:
        (within if kept.issuperset(piece) else beyond).append(piece)
    return within, beyond


def characters_beyond(pieces: Iterable[str], kept: frozenset[str]) -> Counter[str]:
    """In how many pieces each character stands that is not kept."""
    return Counter(c for piece in pieces for c in set(piece) - kept)


def by_script(characters: Mapping[str, int]) -> dict[str, Counter[str]]:
    """The same by script, the most frequent script first."""
    found: dict[str, Counter[str]] = {}
    for character, number in characters.items():
        found.setdefault(script(character), Counter())[character] = number
    return dict(sorted(found.items(), key=lambda item: -item[1].total()))


@cache
def script(character: str) -> str:
    """A script that the character belongs to by Unicode; "other" if it is of no script named here."""
    return next((s for s in _SCRIPTS if regex.match(rf"\p{{scx={s}}}", character)), "other")
