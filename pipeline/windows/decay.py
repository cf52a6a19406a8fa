"""Policy `decay`: the beginning of every section, less of it with its distance.

    sections    1            2             3
    shares      ■■           ■■■■■■        ■■■■■■■■■■■■         halved with every half-life; see shares.py
    kept        ■■·········· ■■■■■■······· ■■■■■■■■■■■■

What whole pieces leave over of the shares goes to the nearest sections that can use it.
"""

from itertools import takewhile

from pipeline.settings import Windows
from pipeline.windows.keeping import Keeping
from pipeline.windows.plan import Need
from pipeline.windows.shares import decay_weights, distances_in_tokens, water_fill

BEGINNING = "beginning"
_FURTHEST_HALF_LIVES = 20  # a weight of a millionth: no token of any budget that there is


def decay(keeping: Keeping, need: Need, settings: Windows) -> None:
    """Keep the beginning of each section within its share, then more of the nearest."""
    sizes = [measured.whole_tokens for measured in keeping.earlier]
    if settings.distance == "tokens":
        distances, half_life = distances_in_tokens(sizes), settings.half_life_tokens
    else:
        distances, half_life = list(range(len(sizes) - 1, -1, -1)), settings.half_life_sections
    first = _first_that_counts(sizes, distances, half_life * _FURTHEST_HALF_LIVES, keeping.left)
    shares = water_fill(sizes[first:], decay_weights(distances[first:], half_life), keeping.left)
    nearest_first = range(len(sizes) - 1, first - 1, -1)
    for section in nearest_first:
        _keep_beginning(keeping, section, shares[section - first])
    for section in nearest_first:  # else a further section could keep more than a nearer one
        _keep_beginning(keeping, section, keeping.tokens_of(section) + keeping.left)


def _first_that_counts(sizes: list[int], distances: list[float] | list[int], furthest: float, budget: int) -> int:
    """The first section that can get a token: those count that are near, and as many as it takes to use the budget."""
    near = sum(1 for _ in takewhile(lambda distance: distance <= furthest, reversed(distances)))
    total = sum(sizes[len(sizes) - near :])
    while near < len(sizes) and total < budget:
        near += 1
        total += sizes[-near]
    return len(sizes) - near


def _keep_beginning(keeping: Keeping, section: int, share: int) -> None:
    """Keep pieces from the section's beginning while it costs no more than `share` as a whole."""
    reserve = keeping.left - (share - keeping.tokens_of(section))
    if keeping.keep_whole(section, BEGINNING, reserve):
        return
    for piece in range(len(keeping.earlier[section].pieces)):
        if not keeping.keep(section, piece, BEGINNING, reserve):
            return
