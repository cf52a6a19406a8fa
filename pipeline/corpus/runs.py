"""Runs of words as hashes, to find in one text what stands word for word in another.

    words    a b c d e f          runs of 4:  hash(a b c d), hash(b c d e), hash(c d e f)

Each word has a number, given as it comes; a run's hash is a polynomial of its words' numbers modulo 2^64 (Karp and
Rabin, "Efficient Randomized Pattern-Matching Algorithms", 1987).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, without a pattern


class Runs:
    """Hashes runs of `length` words; those of one object can be compared, and of no other."""

    def __init__(self, length: int) -> None:
        self.length = length
        self._numbers: dict[str, int] = {}

    def of(self, words: Sequence[str], *, learn: bool = True) -> Hashes:
        """The hash of each run, in order: [words - length + 1]; none of a text that is shorter than a run.

        Args:
            learn: give new words numbers; else they are all alike, which matches nothing that was learnt.
        """
        if len(words) < self.length:
            return np.empty(0, np.uint64)
        numbers = self._numbers
        if learn:
            numbered = [numbers.setdefault(word, len(numbers) + 1) for word in words]
        else:
            numbered = [numbers.get(word, 0) for word in words]
        values = np.array(numbered, np.uint64)
        total = np.zeros(len(words) - self.length + 1, np.uint64)
        for place in range(self.length):
            total = total * _BASE + values[place : place + len(total)]
        return total
