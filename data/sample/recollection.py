"""What later sections of the long report take up again: accounts of earlier ones, in a paragraph or a table's row.

    sections before    account 3 ── account 8 ── ... ── account 91       which of them: Simon's process
    this section       ... The working day of 3 May 2023 in Netherby Mill, with 41 people, had shown the same.

Reports come back to a few events again and again and to most never: with a fixed chance one is taken up that no section
has come back to, else one in proportion to how often that was done (Simon, "On a class of skew distribution functions",
1955).
"""

import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from data.sample.accounts import Account
from data.sample.document import Paragraph, Section, Table
from data.sample.language import bare, capital
from data.sample.project import read_bank
from data.sample.template import Fact, Facts, Phrasing, Stated, alternatives_for

_NEW: Final = 0.15  # how often an account is taken up for the first time
_COMPARED: Final = 6  # and it is the largest of so many: what was great is talked about
_MOST_TIMES: Final = 12  # more than that a report does not come back to one account, but in tables
_FIGURES: Final[Mapping[str, str]] = {"n": "{} people", "cost": "{}", "hours": "{} hours", "metres": "{} metres"}
_LARGE: Final[Mapping[str, int]] = {"n": 64, "cost": 940_000, "hours": 310, "metres": 240}  # none is larger


class Memory:
    """The accounts that were told, and how often the report has come back to each."""

    def __init__(self, phrasing: Phrasing, chance: random.Random) -> None:
        self._phrasing, self._chance = phrasing, chance
        self._bank = read_bank("en_river_recalls")
        self._told: list[Account] = []
        self._unsettled: list[Account] = []
        self._times: Counter[str] = Counter()

    def note(self, account: Account) -> None:
        """Remember an account, once the section that tells it is over."""
        self._unsettled.append(account)

    def settle(self) -> None:
        """A section is over: those that follow may come back to its accounts."""
        self._told += self._unsettled
        self._unsettled.clear()

    def retell(self, section: Section) -> None:
        """Add a paragraph about an account of an earlier section, if there is one that has what it takes."""
        fit = [account for account in self._told if {"date", "town"} <= account.facts.keys() and _figures(account)]
        if not fit:
            return
        account = self._drawn(fit)
        self._times[account.name] += 1
        facts = {f"r.{slot}": fact for slot, fact in account.facts.items()}
        facts["r.noun"] = Fact(self._bank["nouns"][account.kind], counts=False)
        facts["r.topic"] = Fact(account.topic.replace(_place(account), "{r.place}"), counts=False)
        figure = self._chance.choice(_figures(account))
        lines = [self._bank["event"], self._bank["figure"][figure]]
        told = self._phrasing.paragraph([alternatives_for(line, facts) for line in lines], facts)
        section.add(Paragraph(told.text), told.facts)

    def add_table(self, section: Section, name: str, local: Facts) -> None:
        """Add one of the bank's tables with the sentence before it; with fewer than two rows, nothing."""
        spec = self._bank["tables"][name]
        scope = {slot: bare(local[slot].text) for slot in spec.get("scope", [])}
        slots = [slot for _, slot in spec["columns"]]
        fit = [
            account
            for account in self._told
            if account.kind in spec["kinds"]
            and all(slot in account.facts or slot in ("topic", "figure") for slot in slots)
            and ("figure" not in slots or _figures(account))
            and all(slot in account.facts and account.facts[slot].stated.text == text for slot, text in scope.items())
        ]
        rows = sorted(fit, key=lambda account: self._rank(spec["order"], account))[: spec["rows"]]
        if len(rows) < 2:
            return
        rows.sort(key=lambda account: account.day)
        self._times.update(account.name for account in rows)
        intro = self._phrasing.sentence(spec["intro"], local)
        section.add(Paragraph(intro.text), intro.facts)
        cells = [[_cell(account, slot) for slot in slots] for account in rows]
        table = tuple(tuple(capital(text) for text, _ in row) for row in cells)
        section.add(
            Table((tuple(label for label, _ in spec["columns"]), *table)),
            tuple(fact for row in cells for _, facts in row for fact in facts),
        )

    def _drawn(self, fit: Sequence[Account]) -> Account:
        known = [account for account in fit if 0 < self._times[account.name] < _MOST_TIMES]
        fresh = [account for account in fit if not self._times[account.name]]
        if not known or self._chance.random() < _NEW:
            return max(self._chance.sample(fresh, min(len(fresh), _COMPARED)), key=_size)
        return self._chance.choices(known, [self._times[account.name] for account in known])[0]

    def _rank(self, order: str, account: Account) -> tuple[Any, ...]:
        """What stands first in a table: the largest figure of a slot, or what was come back to most often."""
        if order == "retold":
            return -self._times[account.name], account.day
        return -_value(account, order), account.day


def _figures(account: Account) -> list[str]:
    return [slot for slot in _FIGURES if slot in account.facts]


def _size(account: Account) -> float:
    """The largest of an account's figures, each as a share of what it can be at most."""
    return max(_value(account, slot) / _LARGE[slot] for slot in _figures(account))


def _value(account: Account, slot: str) -> int:
    """The figure as a number; of an amount, in cents."""
    return int(re.sub(r"\D", "", account.facts[slot].text))


def _place(account: Account) -> str:
    return account.facts["place"].text if "place" in account.facts else "{no place}"


def _cell(account: Account, slot: str) -> tuple[str, tuple[Stated, ...]]:
    """A cell's text, and the facts that it states."""
    if slot == "topic":
        place = account.facts.get("place")
        return account.topic, (place.stated,) if place and place.text in account.topic else ()
    if slot == "figure":
        figure = _figures(account)[0]
        return _FIGURES[figure].format(account.facts[figure].text), (account.facts[figure].stated,)
    return bare(account.facts[slot].text), (account.facts[slot].stated,)
