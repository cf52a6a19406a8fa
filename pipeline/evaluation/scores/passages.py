"""Which passages of a written section stand word for word in some texts: by sequences of eight words, hashed.

    written   a b c d e f g h i j . . .        8-grams 1, 2, 3 stand in a text: ten words in a row do
              1───────────────┘
                2───────────────┘
                  3───────────────┘

Neighbouring 8-grams share seven words, so that a run of them is a passage of one text, but for rare chance. Hashes are
polynomials modulo 2^64 (Karp and Rabin, "Efficient Randomized Pattern-Matching Algorithms", 1987); 8 bytes are kept of
each word of the texts.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.evaluation.scores.words import words_of

N = 8
_BASE = 0x9E3779B97F4A7C15  # odd, without a pattern

Hashes = NDArray[np.uint64]


class Passages:
    """The 8-grams of some texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._numbers: dict[str, int] = {}
        found = [self._hashes(words_of(text), learn=True) for text in texts]
        self._known = np.unique(np.concatenate(found)) if found else np.empty(0, np.uint64)

    def longest(self, words: Sequence[str], but: Iterable[Sequence[str]]) -> int:
        """Words of the longest passage of `words` that stands in the texts; 0 if it is shorter than 8.

        Sequences that stand in one of `but` as well do not count.
        """
        hashes = self._hashes(words)
        own = [self._hashes(text) for text in but]
        copied = np.isin(hashes, self._known) & ~np.isin(hashes, np.concatenate([np.empty(0, np.uint64), *own]))
        longest = run = 0
        for is_copied in copied.tolist():
            run = run + 1 if is_copied else 0
            longest = max(longest, run)
        return longest + N - 1 if longest else 0

    def _hashes(self, words: Sequence[str], learn: bool = False) -> Hashes:
        """The hash of each 8-gram: [words - 7]. Words that stand in no text are all alike, and match nothing."""
        if len(words) < N:
            return np.empty(0, np.uint64)
        numbers = self._numbers
        if learn:
            numbered = [numbers.setdefault(word, len(numbers) + 1) for word in words]
        else:
            numbered = [numbers.get(word, 0) for word in words]
        values = np.array(numbered, np.uint64)
        total = np.zeros(len(words) - N + 1, np.uint64)
        for place in range(N):
            total = total * np.uint64(_BASE) + values[place : place + len(total)]
        return total
