"""Does the written section sound like the office's reports? Burrows's Delta, over the words that they all use.

    z_w   = (share of w in the section - mean share of w) / standard deviation    of the office's texts, 200 words each
    Delta = mean of |z_w| over the 50 most frequent words that stand in half of its reports at least

Burrows, "Delta: a Measure of Stylistic Difference and a Guide to Likely Authorship" (2002); the office's mean is at 0.
Such words ("de", "s'ha", "which") tell how somebody writes, not of what. The office's texts are the targets to train on
in the section's language. A short section is far from any mean by chance: compare contenders on the same sections.
"""

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

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
        f"{PIECE_WORDS} words, sections of {_SHORTEST_SECTION_WORDS} at least|mean of sections",
        of=of,
    )


class Style:
    """How often some texts of about equal length use the most frequent words: mean and deviation of each."""

    def __init__(self, words: Iterable[str], pieces: Sequence[Counter[str]]) -> None:
        self.measures: dict[str, tuple[float, float]] = {}
        for word in words:
            shares = [piece[word] / piece.total() for piece in pieces]
            deviation = statistics.pstdev(shares)
            if deviation > 0:
                self.measures[word] = statistics.fmean(shares), deviation

    def delta(self, words: Sequence[str]) -> float:
        """Burrows's Delta of a text from the mean of the texts."""
        counts = Counter(words)
        total = max(len(words), 1)
        distances = (abs(counts[word] / total - mean) / deviation for word, (mean, deviation) in self.measures.items())
        return math.fsum(distances) / len(self.measures)


class _Office:
    """The office's styles by language; those of which it has too few texts are left out."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self._examples = examples

    @cached_property
    def styles(self) -> dict[Language | None, Style]:
        texts: dict[Language, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for example in self._examples:
            if example.language:
                texts[example.language][example.report] += words_of(example.target)
        found: dict[Language | None, Style] = {}
        for language, reports in texts.items():
            pieces = [Counter(piece) for words in reports.values() for piece in _pieces(words)]
            style = Style(_shared_words(reports.values()), pieces)
            if len(pieces) >= _FEWEST_PIECES and style.measures:
                found[language] = style
        return found


def _pieces(words: Sequence[str]) -> list[Sequence[str]]:
    """Pieces of 200 words each; what is left over is left out."""
    return [words[i : i + PIECE_WORDS] for i in range(0, len(words) - PIECE_WORDS + 1, PIECE_WORDS)]


def _shared_words(reports: Iterable[Sequence[str]]) -> list[str]:
    """The 50 most frequent words of those that half of the reports have; of equal ones the first by the alphabet."""
    counts = [Counter(words) for words in reports]
    standing = Counter(word for report in counts for word in report)
    total: Counter[str] = sum(counts, Counter())
    shared = [word for word in total if 2 * standing[word] >= len(counts)]
    return sorted(shared, key=lambda word: (-total[word], word))[:WORDS]
