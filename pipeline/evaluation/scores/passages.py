"""Which passages of a written section stand word for word in some texts: by sequences of eight words, hashed.

    written   a b c d e f g h i j . . .        8-grams 1, 2, 3 stand in a text: ten words in a row do
              1───────────────┘
                2───────────────┘
                  3───────────────┘

Neighbouring 8-grams share seven words, so that a run of them is a passage of one text, but for rare chance. 8 bytes are
kept of each word of the texts.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from pipeline.corpus.runs import Runs
from pipeline.evaluation.scores.words import words_of

N = 8


class Passages:
    """The 8-grams of some texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._runs = Runs(N)
        found = [self._runs.of(words_of(text)) for text in texts]
        self._known = np.unique(np.concatenate(found)) if found else np.empty(0, np.uint64)

    def longest(self, words: Sequence[str], but: Iterable[Sequence[str]]) -> int:
        """Words of the longest passage of `words` that stands in the texts; 0 if it is shorter than 8.

        Sequences that stand in one of `but` as well do not count.
        """
        hashes = self._runs.of(words, learn=False)
        own = [self._runs.of(text, learn=False) for text in but]
        copied = np.isin(hashes, self._known) & ~np.isin(hashes, np.concatenate([np.empty(0, np.uint64), *own]))
        longest = run = 0
        for is_copied in copied.tolist():
            run = run + 1 if is_copied else 0
            longest = max(longest, run)
        return longest + N - 1 if longest else 0
