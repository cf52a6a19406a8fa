"""Does a text say the same over and over? Of tokens of any kind: ids of a model's vocabulary, or words.

a b c d  a b c d        distinct 4-grams: 4 of 5
a b  x y x y x y x y    a loop of period 2 at the end, if it is said four times and is long enough
"""

from collections.abc import Hashable, Sequence
from operator import eq

LOOP_TOKENS, LOOP_TIMES = 24, 4


def distinct_share(tokens: Sequence[Hashable], n: int = 4) -> float:
    """Distinct n-grams by all n-grams (Li et al., "A Diversity-Promoting Objective Function", 2016); of none, 1."""
    grams = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return len(set(grams)) / len(grams) if grams else 1.0


def loops(tokens: Sequence[Hashable]) -> bool:
    """Does a text end in one piece said over and over: four times at least, and for 24 tokens?"""
    for period in range(1, len(tokens) // LOOP_TIMES + 1):
        stretch = _least_stretch(period)
        end = list(tokens[-stretch:])
        if len(end) == stretch and end[period:] == end[:-period]:
            return True
    return False


def loop_share(tokens: Sequence[Hashable]) -> float:
    """Share of a text's tokens that stand in a loop, wherever it is; of no tokens, 0.

    A loop is a stretch whose every token but the first `period` equals the one `period` before it, as long as in
    `loops`.
    """
    in_loop = bytearray(len(tokens))
    for period in range(1, len(tokens) // LOOP_TIMES + 1):
        least = _least_stretch(period)
        if sum(map(eq, tokens[period:], tokens)) < least - period:
            continue  # most periods: a loop would have at least so many
        start = 0  # [start, i) repeats itself
        for i in range(period, len(tokens) + 1):
            if i < len(tokens) and tokens[i] == tokens[i - period]:
                continue
            if i - start >= least:
                in_loop[start:i] = b"\1" * (i - start)
            start = i + 1 - period
    return sum(in_loop) / len(tokens) if tokens else 0.0


def _least_stretch(period: int) -> int:
    """Tokens of the shortest loop: whole pieces of `period` tokens."""
    return period * max(LOOP_TIMES, -(-LOOP_TOKENS // period))
