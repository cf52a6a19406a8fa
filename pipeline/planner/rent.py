"""What a rented card costs a project of several runs, by the hour or by the month, and which card is the cheapest.

    by the hour     runs x hours a run x price an hour
    by the month    months, begun ones whole, x price a month
    break-even      price a month / price an hour: hours in a month from which the month is cheaper

Prices are the user's, in cards.toml; a card without one takes part in what fits, not in what is cheapest.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pipeline.planner.cards import ListedCard

HOURS_A_MONTH = 730
FILL_IN = "fill in price_per_hour or price_per_month in cards.toml"


@dataclass(frozen=True)
class Rent:
    """A project on one card.

    Attributes:
        runs: how often the card is needed (trainings, or 1 for a server).
        hours_a_run: how long each time.
        months: the time that the project takes, over which the runs are spread.
    """

    card: ListedCard
    runs: int
    hours_a_run: float
    months: float = 1

    @property
    def hours(self) -> float:
        """Hours that the card works."""
        return self.runs * self.hours_a_run

    @property
    def paid_months(self) -> int:
        """Whole months that a rent by the month is paid for: as many as the work needs, if it needs more."""
        return max(1, math.ceil(max(self.months, self.hours / HOURS_A_MONTH)))

    @property
    def by_the_hour(self) -> float | None:
        """Cost; None: no price an hour."""
        return None if self.card.price_per_hour is None else self.hours * self.card.price_per_hour

    @property
    def by_the_month(self) -> float | None:
        """Cost; None: no price a month."""
        return None if self.card.price_per_month is None else self.paid_months * self.card.price_per_month

    @property
    def cost(self) -> float | None:
        """The lower of both; None: no price at all."""
        return min((cost for cost in (self.by_the_hour, self.by_the_month) if cost is not None), default=None)

    @property
    def break_even_hours(self) -> float | None:
        """Hours in a month from which a month's rent is cheaper; None: a price is missing, or no month has so many."""
        if self.card.price_per_hour is None or self.card.price_per_month is None:
            return None
        hours = self.card.price_per_month / self.card.price_per_hour
        return hours if hours <= HOURS_A_MONTH else None

    @property
    def break_even_runs(self) -> int | None:
        """The same in runs of this length in a month."""
        if self.break_even_hours is None or not self.hours_a_run:
            return None
        runs = math.ceil(self.break_even_hours / self.hours_a_run)
        return runs if runs * self.hours_a_run <= HOURS_A_MONTH else None

    @property
    def sentence(self) -> str:
        """What it costs, and where the other way would be cheaper."""
        work = f"{self.card.name}: {self.runs} x {self.hours_a_run:,.1f} h"
        if self.cost is None:
            return f"{work}; {FILL_IN}."
        ways = [(self.by_the_hour, "by the hour"), (self.by_the_month, f"by the month ({self.paid_months})")]
        told = " and ".join(f"{cost:,.2f} {way}" for cost, way in ways if cost is not None)
        return f"{work} cost {told}{self._break_even()}."

    def _break_even(self) -> str:
        if self.card.price_per_hour is None or self.card.price_per_month is None:
            return ""
        if self.break_even_hours is None:
            return "; no month has so many hours that its rent is cheaper"
        runs = f", or {self.break_even_runs:,} runs," if self.break_even_runs else ""
        return f"; the month is cheaper from {self.break_even_hours:,.0f} h{runs} in it"


@dataclass(frozen=True)
class Choice:
    """Cards that do, the cheapest first, then those without a price, the smallest first."""

    rents: tuple[Rent, ...]

    @property
    def cheapest(self) -> Rent | None:
        """None: no card does, or none that does has a price."""
        return self.rents[0] if self.rents and self.rents[0].cost is not None else None

    @property
    def smallest(self) -> Rent | None:
        """The card that does with the least memory, whatever it costs; None: no card does."""
        return min(self.rents, key=lambda rent: rent.card.memory_mib, default=None)

    @property
    def sentence(self) -> str:
        """The cheapest, or what is missing to tell it."""
        if self.smallest is None:
            return "No card in cards.toml does."
        if self.cheapest is None:
            return f"The smallest card that does is {self.smallest.card.name}; to know the cheapest, {FILL_IN}."
        unpriced = [rent.card.name for rent in self.rents if rent.cost is None]
        more = f" Without a price: {', '.join(unpriced)}." if unpriced else ""
        return f"The cheapest that does is {self.cheapest.sentence}{more}"


def choose(
    cards: Iterable[ListedCard],
    fits: Callable[[ListedCard], bool],
    hours: Callable[[ListedCard], float | None],
    *,
    runs: int = 1,
    months: float = 1,
) -> Choice:
    """The cards on which something fits, with what it costs there.

    Args:
        fits: is the card large enough, and does it compute as is needed?
        hours: how long one run takes on it (a server: as long as it stands); None: it cannot.
        runs: how many runs the project has.
        months: over how many months.
    """
    timed = [(card, hours(card)) for card in cards if fits(card)]
    rents = [Rent(card, runs, time, months) for card, time in timed if time is not None]
    return Choice(tuple(sorted(rents, key=_order)))


def _order(rent: Rent) -> tuple[bool, float, float]:
    return rent.cost is None, rent.cost or 0, rent.card.memory_mib
