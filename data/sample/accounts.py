"""Accounts of what happened in the valley of the long report: each with its day, town, people, places and matters.

    kind (en_river_episodes) + subject + day -> Account: paragraphs, the facts that they state, what it was about

Names are facts of the project; an account's day, amounts and counts are facts of that account alone.
"""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from data.sample.composition import Bank
from data.sample.document import Paragraph, Section
from data.sample.language import amount_text, count_text, date_text, month_text
from data.sample.project import Partner, Project, WorkPackage, read_bank
from data.sample.template import Fact, Facts, Phrasing, punctuated, unrepeated
from data.sample.valley import KINDS, Resident, Valley

_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WOMEN_OF_THE_TEAM: Final = frozenset({"Rosalind", "Sunita", "Clara", "Bridget"})
_PARTS_OF_A_MONTH: Final = ("early {}", "late {}", "the first week of {}", "the middle of {}", "the last days of {}")


@dataclass(frozen=True)
class Subject:
    """What a section is about besides the project: one town, package or partner, or none."""

    town: str | None = None
    package: WorkPackage | None = None
    partner: Partner | None = None


@dataclass
class Story:
    """What the accounts of one section share: the subject, the matters to tell of, those already told."""

    subject: Subject
    any_matter: Sequence[str]
    told: set[str] = field(default_factory=set)


class Account(NamedTuple):
    """One account: its kind and day, the matter ("the old weir at Hob Ford"), its blocks, and the facts in them.

    ``facts`` has those slots alone whose words stand in the blocks, so that what a later section takes up was told.
    """

    name: str
    kind: str
    day: date
    topic: str
    told: Section
    facts: Mapping[str, Fact]


class Accounts:
    """Tells one account after the other. ``facts`` and ``phrasing`` are those of the whole report."""

    def __init__(self, project: Project, bank: Bank, facts: Facts, phrasing: Phrasing, chance: random.Random) -> None:
        self._project, self._facts, self._phrasing, self._chance = project, facts, phrasing, chance
        self._words: list[str] = bank["number_words"]
        self._valley = Valley(project.towns, chance)
        self._episodes: Mapping[str, Any] = read_bank("en_river_episodes")
        self._count = 0

    def tell(self, kind: str, story: Story, day: date) -> Account:
        """One more account of this kind, about a matter that the story has not told if there is one."""
        episode = self._episodes[kind]
        kinds = story.any_matter if episode["matter"] == "any" else KINDS[episode["matter"]]
        matters = self._valley.matters(kinds, day, story.told, 2 if "{k." in episode["text"] else 1)
        story.told.update(matter["topic"] for matter in matters)
        self._count += 1
        facts, people = self._facts_of(story.subject, day, matters)
        texts, stated = [], []
        for part in episode["text"].strip().split("\n\n"):
            sentence = self._phrasing.paragraph(part.split("\n"), facts)
            texts.append(unrepeated(punctuated(sentence.text), facts["place"].text, facts["place2"].text))
            stated.append(sentence.facts)
        told = Section(0, "")
        for text, names in zip(shortened(texts, people), stated, strict=True):
            told.add(Paragraph(text), names)
        kept = {slot: fact for slot, fact in facts.items() if fact.counts and fact.stated in told.stated}
        return Account(self._name, kind, day, matters[0]["topic"].replace("{place}", facts["place"].text), told, kept)

    def _facts_of(
        self, subject: Subject, day: date, matters: list[dict[str, Any]]
    ) -> tuple[dict[str, Fact], list[Resident]]:
        chance, project, valley = self._chance, self._project, self._valley
        town, town2 = chance.sample(project.towns, 2)
        town = subject.town or town
        place, place2 = valley.places_of(town, 2)
        residents = valley.residents_of(town, 3)
        kind = matters[0]["kind"]
        member = project.team[valley.staff(kind)]
        staff = Resident(member.name, member.role, member.name.split()[0] in _WOMEN_OF_THE_TEAM)
        partner = subject.partner or project.partners[valley.partner(kind)]
        facts = dict(self._facts) | self._numbers(day)
        for name, text in (("town", town), ("town2", town2 if town2 != town else project.towns[0])):
            facts[name] = Fact(text)
        facts |= {"place": Fact(place), "place2": Fact(place2), "partner": Fact(partner.name)}
        facts["partner.role"] = Fact(partner.role, counts=False)
        facts["weather"] = Fact(valley.weather(day), counts=False)
        for slot, resident in zip("abc", residents, strict=True):
            facts |= resident.facts(slot)
        facts |= staff.facts("staff")
        facts["staff.role"] = Fact(f"the {member.role}", counts=False)
        for slot, place_slot, matter in zip("mk", ("{place}", "{place2}"), matters, strict=False):
            facts |= _matter_facts(matter, slot, place_slot)
        package = subject.package or _package(project, kind, day, chance)
        facts |= {"code": Fact(package.code), "d.code": Fact(chance.choice(package.deliverables).code)}
        return facts, [*residents, staff]

    @property
    def _name(self) -> str:
        return f"account {self._count}"

    def _numbers(self, day: date) -> dict[str, Fact]:
        chance, own = self._chance, self._name
        few, many = chance.randint(3, 7), chance.randint(17, 64)
        last = self._project.end - timedelta(days=chance.randint(1, 40))
        later = min(day + timedelta(days=chance.randint(30, 130)), last)
        counts = {
            "n": many,
            "n2": many - chance.randint(2, 9),
            "metres": chance.randint(24, 240),
            "hours": chance.randint(26, 310),
            "local_hours": chance.randint(640, 2900),
            "inhabitants": chance.randint(310, 6900),
            "kilometres": chance.randint(3, 9),
            "barriers": chance.randint(3, 8),
        }
        facts = {name: Fact(count_text(count, "en"), of=own) for name, count in counts.items()}
        for name, cents in (
            ("cost", chance.randint(380, 9400) * 100),
            ("local_cost", chance.randint(31000, 168000) * 100),
        ):
            facts[name] = Fact(amount_text(cents, "en"), of=own)
        for name, count in (
            ("few", few),
            ("few2", few + 2),
            ("present", chance.randint(4, 7)),
            ("age", chance.randint(7, 11)),
        ):
            facts[name] = Fact(self._words[count], counts=False)
        before = day - timedelta(days=chance.randint(30, 70))
        return facts | {
            "date": Fact(date_text(day, "en"), of=own),
            "later": Fact(chance.choice(_PARTS_OF_A_MONTH).format(month_text(later, "en").split()[0]), counts=False),
            "month": Fact(month_text(before, "en"), of=own),
            "weekday": Fact(_WEEKDAYS[day.weekday()], counts=False),
        }


def shortened(texts: list[str], people: list[Resident]) -> list[str]:
    """Call each person by title and surname from the second mention on, and tell the trade once."""
    for person in people:
        seen = trade_told = False
        pattern = re.compile(rf"{re.escape(person.name)}(, (?:the )?{re.escape(person.trade)}(,?))?")

        def mention(match: re.Match[str], person: Resident = person) -> str:
            nonlocal seen, trade_told
            told, trade_told = trade_told, trade_told or bool(match[1])
            name, seen = (person.short if seen else person.name), True
            return name + ("" if told else match[1] or "")

        texts = [pattern.sub(mention, text) for text in texts]
    return texts


def _matter_facts(matter: dict[str, Any], slot: str, place: str) -> dict[str, Fact]:
    return {
        f"{slot}.{key}": Fact(clause.replace("{place}", place), counts=False)
        for key, clause in matter.items()
        if isinstance(clause, str)
    }


def _package(project: Project, kind: str, day: date, chance: random.Random) -> WorkPackage:
    """The work package under which a matter of this kind is booked: measuring is WP5, people WP6."""
    if kind in ("field", "care"):
        return chance.choice([package for package in project.work_packages[:4] if package.start <= day <= package.end])
    return project.work_packages[4 if kind == "data" else 5]
