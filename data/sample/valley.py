"""The valley of the long report: who lives in each parish, what its places are called, what there is to tell.

A parish keeps its people and places through the whole report, so that a later section meets them again.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, TypeVar

from data.sample.project import read_bank
from data.sample.template import Fact

_PEOPLE_PER_TOWN: Final = 12
_PLACES_PER_TOWN: Final = 9
_CONCENTRATION: Final = 1.25  # of the accounts on few people and places
_SEASONS: Final = ("winter", "spring", "summer", "autumn")
# Which kinds of matter an episode may tell of.
KINDS: Final[Mapping[str, Sequence[str]]] = {
    "field": ("field",),
    "land": ("field", "care"),
    "data": ("data",),
    "school": ("school",),
    "any": ("field", "care", "data", "people"),
}

_T = TypeVar("_T")


@dataclass(frozen=True)
class Resident:
    """Somebody who lives along the river, or works for the project."""

    name: str
    trade: str
    woman: bool

    @property
    def short(self) -> str:
        """How the person is called from the second mention on."""
        return f"{'Ms' if self.woman else 'Mr'} {self.name.split(' ', 1)[1]}"

    def facts(self, slot: str) -> dict[str, Fact]:
        """The person under ``slot``: {a}, {a.trade}, {a.first}, {a.he}, {a.him}, {a.his}."""
        he, him, his = ("she", "her", "her") if self.woman else ("he", "him", "his")
        plain = {"trade": self.trade, "he": he, "him": him, "his": his, "first": self.name.split()[0]}
        return {slot: Fact(self.name)} | {f"{slot}.{key}": Fact(word, counts=False) for key, word in plain.items()}


class Valley:
    """Draws people, places and matters; what has been told least often comes first."""

    def __init__(self, towns: tuple[str, ...], chance: random.Random) -> None:
        people = read_bank("en_river_people")
        self._chance = chance
        self._weather: Mapping[str, list[str]] = people["weather"]
        self._matters: list[dict[str, Any]] = read_bank("en_river_matters")["matter"]
        self._staff: Mapping[str, list[int]] = people["staff"]
        self._partners: Mapping[str, list[int]] = people["partners"]
        self._told: Counter[str] = Counter()
        firsts = {surname: [*people["women"], *people["men"]] for surname in people["surnames"]}
        for pool in firsts.values():
            chance.shuffle(pool)
        places = [f"{owner} {spot}" for owner in people["owners"] for spot in people["spots"]]
        chance.shuffle(places)
        self.residents: dict[str, list[Resident]] = {}
        self.places: dict[str, list[str]] = {}
        for town in towns:
            trades = chance.sample(people["trades"], _PEOPLE_PER_TOWN)
            # No two in a parish share a surname, so that "Mr Jessop" is always one person there.
            surnames = chance.sample(people["surnames"], _PEOPLE_PER_TOWN)
            self.residents[town] = [
                Resident(f"{first} {surname}", trade, first in people["women"])
                for trade, surname in zip(trades, surnames, strict=True)
                for first in [firsts[surname].pop()]
            ]
            self.places[town] = _take(places, _PLACES_PER_TOWN)

    def matters(self, kinds: Sequence[str], day: date, without: set[str], count: int) -> list[dict[str, Any]]:
        """``count`` different matters of these kinds that fit the month, the least told first.

        Topics in ``without`` come up again only where nothing else is left.
        """
        fitting = [m for m in self._matters if m["kind"] in kinds and day.month in m.get("months", [day.month])]
        fresh = [m for m in fitting if m["topic"] not in without]
        ordered = sorted(
            fresh if len(fresh) >= count else fitting,
            key=lambda matter: (self._told[matter["topic"]], self._chance.random()),
        )
        self._told.update(matter["topic"] for matter in ordered[:count])
        return ordered[:count]

    def residents_of(self, town: str, count: int) -> list[Resident]:
        """Different people of a parish: some have to do with the project all the time, others once."""
        return self._drawn(self.residents[town], count)

    def places_of(self, town: str, count: int) -> list[str]:
        """Different places of a parish, some much more often than others."""
        return self._drawn(self.places[town], count)

    def _drawn(self, pool: Sequence[_T], count: int) -> list[_T]:
        """Without replacement, the one at place k in proportion to 1 / k ** _CONCENTRATION (Zipf)."""
        left, drawn = list(enumerate(pool, 1)), []
        for _ in range(count):
            one = self._chance.choices(left, [place**-_CONCENTRATION for place, _ in left])[0]
            left.remove(one)
            drawn.append(one[1])
        return drawn

    def staff(self, kind: str) -> int:
        """The place in the team of somebody who deals with this kind of matter."""
        return self._chance.choice(self._staff[kind])

    def partner(self, kind: str) -> int:
        """The place among the partners of one that deals with this kind of matter."""
        return self._chance.choice(self._partners[kind])

    def weather(self, day: date) -> str:
        """A clause about the weather that fits the season."""
        return self._chance.choice(self._weather[_SEASONS[day.month % 12 // 3]])


def _take(pool: list[Any], count: int) -> list[Any]:
    taken = pool[:count]
    del pool[:count]
    return taken
