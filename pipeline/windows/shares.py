"""Sharing a budget among texts by exponential decay. Pure arithmetic on token counts; knows no text.

weight of a text at distance d:    w = 0.5 ** (d / half_life)        d in texts, or in tokens
share of the budget:               proportional to w, but never more than the text has
what a short text does not need:   flows to the others, again by weight (water-filling)
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate


def decay_weights(distances: Iterable[float], half_life: float) -> list[float]:
    """Weights of texts at these distances (>= 0) from what comes next; one at distance 0 has weight 1.

    No weight is below 1e-200, so that a budget that is left over reaches any distance and quotients stay finite.
    """
    return [max(0.5 ** (distance / half_life), 1e-200) for distance in distances]


def distances_in_tokens(sizes: Sequence[int]) -> list[int]:
    """How many tokens stand between the end of each text and the end of the last one, in document order."""
    return list(accumulate(reversed(sizes), initial=0))[-2::-1]


def water_fill(sizes: Sequence[int], weights: Sequence[float], budget: int) -> list[int]:
    """Share `budget` in proportion to `weights`, none above its size, nothing left over while a size is not met.

    Args:
        sizes: what each could use, in tokens, >= 0.
        weights: >= 1e-200, as many as sizes.
        budget: tokens to share, >= 0.

    Returns:
        Whole shares with 0 <= share <= size and sum == min(budget, sum(sizes)).
    """
    shares = [0] * len(sizes)
    order = sorted(range(len(sizes)), key=lambda i: sizes[i] / weights[i])  # who is full first as the water rises
    weights_left = list(accumulate(weights[i] for i in reversed(order)))[::-1]
    left = budget
    for place, i in enumerate(order):
        if sizes[i] * weights_left[place] > left * weights[i]:  # from here on nobody gets all they could use
            return _divide(shares, order[place:], sizes, weights, left)
        shares[i] = sizes[i]
        left -= sizes[i]
    return shares


def _divide(
    shares: list[int], among: list[int], sizes: Sequence[int], weights: Sequence[float], budget: int
) -> list[int]:
    """Give `budget` to those in `among` by weight, in whole tokens; the remainders go to the heaviest first."""
    total = sum(weights[i] for i in among)
    for i in among:
        shares[i] = min(int(budget * weights[i] / total), sizes[i])
    rest = budget - sum(shares[i] for i in among)
    # By rounding, one that is all but full may be among them: it takes no remainder.
    hungry = [i for i in sorted(among, key=lambda i: -weights[i]) if shares[i] < sizes[i]]
    for i in hungry[:rest]:
        shares[i] += 1
    return shares
