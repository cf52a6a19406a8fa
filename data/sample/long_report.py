"""The report that is as long as real ones: shared section kinds first, then accounts of what happened.

    plan (en_river_plan) -> section -> subsections -> accounts (en_river_episodes), dated and in order
                                                      each with its town, people, places and matters (``valley``)

An account is told by template lines like any other text. Every section of the plan grows until it holds
``_SECTION_CHARACTERS`` characters with its subsections, which makes the whole about 140,000 tokens of Qwen3.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from data.sample.composition import Bank, as_document, fill, number_headings
from data.sample.document import Document, Paragraph, Section
from data.sample.facts import package_facts, project_facts, with_local
from data.sample.language import amount_text, bare, count_text, date_text, month_text
from data.sample.project import Partner, Project, WorkPackage, add_months, read_bank
from data.sample.template import Fact, Facts, Phrasing, punctuated, unrepeated
from data.sample.valley import KINDS, Resident, Valley

LONG_OUTLINE: Final = "long"
_SECTION_CHARACTERS: Final = 13_200
_SUBSECTION_CHARACTERS: Final = 5_000
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WOMEN_OF_THE_TEAM: Final = frozenset({"Rosalind", "Sunita", "Clara", "Bridget"})


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
    """One account: its day, the matter it is about ("the old weir at Hob Ford") and its blocks and facts."""

    day: date
    topic: str
    told: Section


@dataclass
class Teller:
    """What the accounts of one report share."""

    project: Project
    bank: Bank
    facts: Facts
    phrasing: Phrasing
    valley: Valley
    chance: random.Random
    plan: dict[str, Any] = field(default_factory=lambda: read_bank("en_river_plan"))
    episodes: dict[str, Any] = field(default_factory=lambda: read_bank("en_river_episodes"))


def compose_long(project: Project, bank: Bank, phrasing: Phrasing) -> Document:
    """The long report of ``project``, 40 sections after en_river_plan.toml and their subsections."""
    phrasing.reseed(project.slug)
    chance = random.Random(f"{project.slug} accounts")
    facts = project_facts(project, bank["number_words"])
    teller = Teller(project, bank, facts, phrasing, Valley(project.towns, chance), chance)
    sections = [
        section
        for plan in teller.plan["section"]
        for subject in _subjects(project, plan)
        for section in _sections(teller, plan, subject)
    ]
    number_headings(sections, project.design.numbering)
    return as_document(project, bank, sections)


def _subjects(project: Project, plan: dict[str, Any]) -> list[Subject]:
    subjects = {
        "town": [Subject(town=town) for town in project.towns],
        "package": [Subject(package=package) for package in project.work_packages],
        "partner": [Subject(partner=partner) for partner in project.partners],
    }.get(plan.get("each", ""), [Subject()])
    return [subjects[place] for place in plan.get("only", range(len(subjects)))]


def _sections(teller: Teller, plan: dict[str, Any], subject: Subject) -> list[Section]:
    """The plan's section with what comes before its accounts, then the subsections that hold these."""
    local = _subject_facts(teller, subject)
    section = Section(plan["level"], teller.phrasing.sentence(plan["heading"], local).text)
    kinds = ["package"] if subject.package else plan.get("kinds", [])
    for kind in kinds:
        own = subject.package.text if subject.package else teller.project.paragraphs.get(kind, ())
        text = teller.bank["kinds"][kind]["text"]
        fill(section, text, teller.project, teller.bank, local, teller.phrasing, own)
    first, last = _months(teller, plan, subject)
    story = Story(subject, plan.get("matters", KINDS["any"]))
    if "opening" in plan:
        _tell(teller, section, plan["opening"], story, _day(teller, first, first + 1))
    accounts: list[Account] = []
    characters = _characters(section)
    while characters < _SECTION_CHARACTERS:
        kind = plan["episodes"][len(accounts) % len(plan["episodes"])]
        day = _day(teller, first, last)
        told = Section(0, "")
        accounts.append(Account(day, _tell(teller, told, kind, story, day), told))
        characters += _characters(told)
    accounts.sort(key=lambda account: account.day)
    return [section, *_subsections(teller, accounts, plan["level"] + 1, plan.get("by", "matter"))]


def _subsections(teller: Teller, accounts: list[Account], level: int, by: str) -> list[Section]:
    """The accounts in two or more subsections of about equal length, in the given order."""
    lengths = [_characters(account.told) for account in accounts]
    count = max(2, round(sum(lengths) / _SUBSECTION_CHARACTERS))
    groups: list[list[Account]] = [[] for _ in range(count)]
    for number, account in enumerate(accounts):
        middle = sum(lengths[:number]) + lengths[number] / 2
        groups[int(count * middle / sum(lengths))].append(account)
    made = []
    for group, place in zip(groups, ["first", *["middle"] * (count - 2), "last"], strict=True):
        made.append(Section(level, _subheading(teller, group[0], group[-1], by, place)))
        for account in group:
            for block in account.told.blocks:
                made[-1].add(block, tuple(account.told.facts))
    return made


def _subheading(teller: Teller, first: Account, last: Account, by: str, place: str) -> str:
    """The months, or else the matters, of a subsection's first and last account."""
    since, until = month_text(first.day, "en"), month_text(last.day, "en")
    begin = since.split()[0] if first.day.year == last.day.year else since
    words = {"since": since, "begin": begin, "until": until, "topic": first.topic, "topic2": last.topic}
    if since == until or first is last:
        place = "alone"
    line = teller.plan["subheadings"][by][place]
    return teller.phrasing.sentence(line, {name: Fact(text) for name, text in words.items()}).text


def _subject_facts(teller: Teller, subject: Subject) -> dict[str, Fact]:
    local = dict(teller.facts)
    if subject.town:
        local["town"] = Fact(subject.town)
    if subject.package:
        local = with_local(local, "w", package_facts(teller.project, subject.package))
    if subject.partner:
        local["partner.bare"] = Fact(bare(subject.partner.name))
    return local


def _characters(section: Section) -> int:
    return sum(len(block.text) for block in section.blocks if isinstance(block, Paragraph))


def _day(teller: Teller, first_month: int, last_month: int) -> date:
    month = teller.chance.randint(first_month, last_month)
    return add_months(teller.project.start, month) + timedelta(days=teller.chance.randint(0, 27))


def _months(teller: Teller, plan: dict[str, Any], subject: Subject) -> tuple[int, int]:
    """The months, counted from the project's start, between which a section's accounts lie."""
    first, last = plan.get("months", [1, teller.project.months - 3])
    if subject.package:
        start, end = (
            (day.year - teller.project.start.year) * 12 + day.month - teller.project.start.month
            for day in (subject.package.start, subject.package.end)
        )
        first, last = max(first, start), min(last, end)
    return first, last


def _tell(teller: Teller, section: Section, kind: str, story: Story, day: date) -> str:
    """Add one account of the given kind to ``section``; return what it is about."""
    episode = teller.episodes[kind]
    kinds = story.any_matter if episode["matter"] == "any" else KINDS[episode["matter"]]
    count = 2 if "{k." in episode["text"] else 1
    matters = teller.valley.matters(kinds, day, story.told, count)
    story.told.update(matter["topic"] for matter in matters)
    facts, people = _account_facts(teller, story.subject, day, matters)
    texts, stated = [], []
    for part in episode["text"].strip().split("\n\n"):
        sentence = teller.phrasing.paragraph(part.split("\n"), facts)
        texts.append(unrepeated(punctuated(sentence.text), facts["place"].text, facts["place2"].text))
        stated.append(sentence.facts)
    for text, names in zip(_shortened(texts, people), stated, strict=True):
        section.add(Paragraph(text), names)
    return matters[0]["topic"].replace("{place}", facts["place"].text)


def _account_facts(
    teller: Teller, subject: Subject, day: date, matters: list[dict[str, Any]]
) -> tuple[dict[str, Fact], list[Resident]]:
    chance, project = teller.chance, teller.project
    town, town2 = chance.sample(project.towns, 2)
    town = subject.town or town
    place, place2 = chance.sample(teller.valley.places[town], 2)
    residents = chance.sample(teller.valley.residents[town], 3)
    kind = matters[0]["kind"]
    member = project.team[teller.valley.staff(kind)]
    staff = Resident(member.name, member.role, member.name.split()[0] in _WOMEN_OF_THE_TEAM)
    partner = subject.partner or project.partners[teller.valley.partner(kind)]
    facts = dict(teller.facts) | _numbers(teller, day)
    for name, text in (("town", town), ("town2", town2 if town2 != town else project.towns[0])):
        facts[name] = Fact(text)
    facts |= {"place": Fact(place), "place2": Fact(place2), "partner": Fact(partner.name)}
    facts["partner.role"] = Fact(partner.role, counts=False)
    facts["weather"] = Fact(teller.valley.weather(day), counts=False)
    for slot, resident in zip("abc", residents, strict=True):
        facts |= resident.facts(slot)
    facts |= staff.facts("staff")
    facts["staff.role"] = Fact(f"the {member.role}", counts=False)
    for slot, place_slot, matter in zip("mk", ("{place}", "{place2}"), matters, strict=False):
        facts |= _matter_facts(matter, slot, place_slot)
    package = subject.package or _package(project, kind, day, chance)
    deliverable = chance.choice(package.deliverables)
    facts |= {"code": Fact(package.code), "d.code": Fact(deliverable.code)}
    return facts, [*residents, staff]


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


def _numbers(teller: Teller, day: date) -> dict[str, Fact]:
    chance, words = teller.chance, teller.bank["number_words"]
    few, many = chance.randint(3, 7), chance.randint(17, 64)
    later = min(
        day + timedelta(days=chance.randint(30, 130)),
        teller.project.end - timedelta(days=chance.randint(1, 40)),
    )
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
    facts = {name: Fact(count_text(count, "en")) for name, count in counts.items()}
    for name, cents in (
        ("cost", chance.randint(380, 9400) * 100),
        ("local_cost", chance.randint(31000, 168000) * 100),
    ):
        facts[name] = Fact(amount_text(cents, "en"))
    for name, count in (
        ("few", few),
        ("few2", few + 2),
        ("present", chance.randint(4, 7)),
        ("age", chance.randint(7, 11)),
    ):
        facts[name] = Fact(words[count], counts=False)
    return facts | {
        "date": Fact(date_text(day, "en")),
        "later": Fact(date_text(later, "en")),
        "month": Fact(month_text(day - timedelta(days=chance.randint(30, 70)), "en")),
        "weekday": Fact(_WEEKDAYS[day.weekday()], counts=False),
    }


def _shortened(texts: list[str], people: list[Resident]) -> list[str]:
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
