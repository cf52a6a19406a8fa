"""Which pieces of text are about what is to be written: BM25 over their words.

    BM25(piece) = sum over the wanted words in it of idf * tf / (tf + K1 * (1 - B + B * length / mean length))
    idf         = ln(1 + (pieces - df + 0.5) / (df + 0.5))

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the idf of Lucene. Each
section is indexed once, so that asking costs no more than the pieces that hold a wanted word; libraries index all
pieces anew for each choice. The tests hold it against one.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import regex

K1, B = 1.5, 0.75
_WORD = regex.compile(r"\w{2,}")


@dataclass(frozen=True)
class Index:
    """The words of a section's pieces: their `lengths` in words, and for each word how often which piece has it."""

    lengths: tuple[int, ...]
    postings: dict[str, list[tuple[int, int]]]


def words_of(text: str) -> list[str]:
    """Words of two letters or more, case folded."""
    return _WORD.findall(text.casefold())


def index(pieces: Iterable[str]) -> Index:
    """Index the pieces of one section."""
    lengths: list[int] = []
    postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place, piece in enumerate(pieces):
        words = words_of(piece)
        lengths.append(len(words))
        for word, count in Counter(words).items():
            postings[word].append((place, count))
    return Index(tuple(lengths), dict(postings))


def relevance(sections: Sequence[Index], wanted: str) -> dict[tuple[int, int], float]:
    """BM25 of the pieces, by section and piece, for the words of `wanted`, each counted once.

    Returns:
        Values in (0, 1] in proportion to BM25, the best piece having 1; pieces without a wanted word are left out.
    """
    pieces = sum(len(section.lengths) for section in sections)
    mean_length = sum(sum(section.lengths) for section in sections) / max(pieces, 1)
    scores: dict[tuple[int, int], float] = defaultdict(float)
    for word in sorted(set(words_of(wanted))):
        found = [(place, section.postings[word]) for place, section in enumerate(sections) if word in section.postings]
        df = sum(len(posting) for _, posting in found)
        idf = math.log(1 + (pieces - df + 0.5) / (df + 0.5))
        for place, posting in found:
            for piece, tf in posting:
                length = sections[place].lengths[piece] / mean_length
                scores[place, piece] += idf * tf / (tf + K1 * (1 - B + B * length))
    best = max(scores.values(), default=1.0)
    return {place: score / best for place, score in scores.items()}
