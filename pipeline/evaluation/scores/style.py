"""Does the written section sound like the office's reports? Burrows's Delta, over the words that they all use.

    z_w   = (share of w in the section - mean share of w) / standard deviation    of the office's texts, 200 words each
    Delta = mean of |z_w| over the 50 most frequent words that stand in half of its reports at least

Burrows, "Delta: a Measure of Stylistic Difference and a Guide to Likely Authorship" (2002); the office's mean is at 0.
Such words ("de", "s'ha", "which") tell how somebody writes, not of what. The office's texts are the targets to train on
in the section's language. A short section is far from any mean by chance: compare contenders on the same sections.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pipeline.evaluation.scores.score import Context, Judged, Part, Score
from pipeline.evaluation.scores.words import NAME as TOKENIZER
from pipeline.evaluation.scores.words import words_of
from pipeline.records import Example, Language

VERSION = 1
WORDS, PIECE_WORDS = 50, 200
_FEWEST_PIECES = 10  # of which a deviation can be told
_SHORTEST_SECTION_WORDS = 50


def style_delta(context: Context) -> Score:
    """The mean over sections of 50 words at least, in languages of which the office has texts enough."""
    office = _Office(context.taught)

    def of(judged: Judged) -> Part | None:
        style = office.styles.get(judged.example.language)
        if style is None or len(judged.true_words) < _SHORTEST_SECTION_WORDS:
            return None
        return style.delta(judged.words), 1.0

    return Score(
        name="style_delta",
        title="distance from how the office writes (Burrows's Delta)",
        better="lower",
        signature=f"style_delta|version:{VERSION}|tokenizer:{TOKENIZER}|{WORDS} words in half of the reports, texts of "
        f"{PIECE_WORDS} words, sections of {_SHORTEST_SECTION_WORDS} at least|{context.taught_by}|mean of sections",
        of=of,
    )


class Style:
    """How often some texts of about equal length use some words: the mean and the deviation of each word's share.

    A word whose share is the same in all of them tells nothing, and is left out.
    """

    def __init__(self, words: Sequence[str], pieces: Sequence[Sequence[str]]) -> None:
        shares = np.array([_shares(words, piece) for piece in pieces])
        varies = np.ptp(shares, axis=0) > 0
        self.words = [word for word, does in zip(words, varies, strict=True) if does]
        self._means, self._deviations = shares[:, varies].mean(axis=0), shares[:, varies].std(axis=0)

    def delta(self, words: Sequence[str]) -> float:
        """Burrows's Delta of a text from the mean of the texts."""
        return float((np.abs(_shares(self.words, words) - self._means) / self._deviations).mean())


def _shares(words: Sequence[str], text: Sequence[str]) -> NDArray[np.float64]:
    counts = Counter(text)
    return np.array([counts[word] for word in words]) / max(len(text), 1)


class _Office:
    """The office's styles by language; those of which it has too few texts are left out."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self._examples = examples

    @cached_property
    def styles(self) -> dict[Language | None, Style]:
        texts: dict[Language, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for example in self._examples:
            if example.language:
                texts[example.language][example.report].append(example.target)
        found = {language: _style_of(reports.values()) for language, reports in texts.items()}
        return {language: style for language, style in found.items() if style is not None}


def _style_of(reports: Iterable[Sequence[str]]) -> Style | None:
    """The style of some reports, each given by its texts; None if there are too few to tell a deviation."""
    read = [[word for text in texts for word in words_of(text)] for texts in reports]
    pieces = [piece for words in read for piece in _pieces(words)]
    if len(pieces) < _FEWEST_PIECES:
        return None
    style = Style(_shared_words(read), pieces)
    return style if style.words else None


def _pieces(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """Pieces of 200 words each; what is left over is left out."""
    return (words[i : i + PIECE_WORDS] for i in range(0, len(words) - PIECE_WORDS + 1, PIECE_WORDS))


def _shared_words(reports: Sequence[Sequence[str]]) -> list[str]:
    """The 50 most frequent words of those that half of the reports have; of equal ones the first by the alphabet."""
    total = Counter(word for words in reports for word in words)
    standing = Counter(word for words in reports for word in set(words))
    shared = [word for word in total if 2 * standing[word] >= len(reports)]
    return sorted(shared, key=lambda word: (-total[word], word))[:WORDS]
