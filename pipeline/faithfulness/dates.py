"""Dates as far as they are known, and which of them tell another."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pipeline.facts import Fact

_ISO = re.compile(r"date:(?P<year>[0-9]{4}|-)(?:-(?P<month>[0-9]{2}))?(?:-(?P<day>[0-9]{2}))?")


class Day(NamedTuple):
    """A year, a month of it, a day of that; or a day of a month without a year."""

    year: int | None
    month: int | None
    day: int | None

    def told(self) -> Iterator["Day"]:
        """The dates that this one tells: itself first, its month, its year, its day of any year."""
        yield self
        if self.year is not None:
            if self.day is not None:
                yield Day(self.year, self.month, None)
                yield Day(None, self.month, self.day)
            if self.month is not None:
                yield Day(self.year, None, None)


def day_of(fact: Fact) -> Day:
    """The date of a fact that is one."""
    match = _ISO.fullmatch(fact.key)
    assert match, fact.key
    return Day(*(int(part) if part and part != "-" else None for part in match.group("year", "month", "day")))
