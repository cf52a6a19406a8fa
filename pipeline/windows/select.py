"""Policy `select`: the latest text word for word, and of the older text the pieces that will be needed.

    kept        ··■·■······■···■■·····■■■■■■■■■■■■■■■■■
                └── by use per token ─┘└── recent_share ─┘     of small windows, half

What a section repeats of what was said before is mostly facts: amounts, dates, codes, names. So older pieces are taken
greedily, the most use per token first, where

    use(piece)    = sum of weight(fact) over its facts that are not in the window yet  +  RELEVANCE * relevance(piece)
    weight(fact)  = sections that tell it * 0.5 ** (sections since it was told last / half-life)
    relevance     = BM25 of the piece for the coming headings, their guidance and the project's facts; the best has 1

Facts that are told more than once count once, so use falls as the window fills (it is submodular), and a heap whose
entries are looked at again when they come up finds the best one without scoring all others anew (Minoux 1978).
"""

import heapq
from collections import Counter
from collections.abc import Iterator
from math import fsum

from pipeline.facts import facts_of
from pipeline.settings import Windows
from pipeline.windows.keeping import Keeping
from pipeline.windows.plan import Need
from pipeline.windows.relevance import relevance
from pipeline.windows.tail import keep_recent

FACTS, TOPIC = "facts", "topic"
RELEVANCE = 1.0  # use of the most relevant piece, in facts that one section told just now
_FACT_HALF_LIFE_SECTIONS = 200
_COST_BASE = 12  # tokens added to each cost: a sentence alone reads worse than two in a row
_LEAST_RECENT_TOKENS = 600  # less than that, and a small model writes worse, facts included
_TOO_FEW_TOKENS = 16  # hardly a sentence: no search for one that is shorter

_Place = tuple[int, int]


def select(keeping: Keeping, need: Need, settings: Windows) -> None:
    """Keep recent pieces for their share, then the most useful older ones, then more recent ones while any fit."""
    least = min(_LEAST_RECENT_TOKENS, keeping.budget // 2)
    keep_recent(keeping, max(int(keeping.budget * settings.recent_share), least))
    use = _Use(keeping, need)
    heap = [(-use.per_token(place), place) for place in use.places()]
    heapq.heapify(heap)
    while heap and keeping.left >= _TOO_FEW_TOKENS:
        _, place = heapq.heappop(heap)
        now = use.per_token(place)
        if now <= 0:
            continue
        if heap and -now > heap[0][0]:
            heapq.heappush(heap, (-now, place))
        elif keeping.keep(*place, use.reason(place)):
            use.told(place)
    keep_recent(keeping, keeping.left)


class _Use:
    """What each piece would be of use for, given what the window tells by now."""

    def __init__(self, keeping: Keeping, need: Need) -> None:
        self._keeping = keeping
        self._weights = _weights(keeping)
        self._relevance = relevance([measured.index for measured in keeping.earlier], need.wanted)
        self._seen = {fact.key for fact in facts_of(need.told, need.language)}
        for place in keeping.kept():
            self.told(place)

    def places(self) -> Iterator[_Place]:
        """The pieces that may be of use and are not kept."""
        for section in range(self._keeping.open_from, len(self._keeping.earlier)):
            measured = self._keeping.earlier[section]
            for piece, facts in enumerate(measured.facts):
                place = section, piece
                if (place in self._relevance or not facts <= self._seen) and not self._keeping.has(*place):
                    yield place

    def per_token(self, place: _Place) -> float:
        """Use per token of keeping this piece now."""
        use = self._of_facts(place) + RELEVANCE * self._relevance.get(place, 0.0)
        return use / max(self._keeping.cost(*place) + _COST_BASE, 1) if use else 0.0

    def reason(self, place: _Place) -> str:
        """What the piece is of use for, above all."""
        return FACTS if self._of_facts(place) >= RELEVANCE * self._relevance.get(place, 0.0) else TOPIC

    def told(self, place: _Place) -> None:
        """Note that the window tells this piece, and the heading above it."""
        self._seen |= self._facts(place) | self._keeping.earlier[place[0]].heading_facts

    def _of_facts(self, place: _Place) -> float:
        # fsum: the order of a set differs from run to run, and with it the last digit of a plain sum
        return fsum(self._weights[key] for key in self._facts(place) if key not in self._seen)

    def _facts(self, place: _Place) -> frozenset[str]:
        return self._keeping.earlier[place[0]].facts[place[1]]


def _weights(keeping: Keeping) -> dict[str, float]:
    """The weight of each fact that was told: how likely it is to be told again."""
    told: Counter[str] = Counter()
    last: dict[str, int] = {}
    for section, measured in enumerate(keeping.earlier):
        told.update(measured.all_facts)
        last |= dict.fromkeys(measured.all_facts, section)
    now = len(keeping.earlier) - 1
    return {key: count * 0.5 ** ((now - last[key]) / _FACT_HALF_LIFE_SECTIONS) for key, count in told.items()}
