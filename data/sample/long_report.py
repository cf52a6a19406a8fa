"""The report that is as long as real ones: shared section kinds first, then accounts of what happened.

    plan (en_river_plan) -> section -> subsections -> accounts (en_river_episodes), dated and in order
                                                      each with its town, people, places and matters (``valley``)

An account is told by template lines like any other text. Every section of the plan grows until it holds
``_SECTION_CHARACTERS`` characters with its subsections, which makes the whole about 140,000 tokens of Qwen3.
"""

import random
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final

from data.sample.accounts import Account, Accounts, Story, Subject
from data.sample.composition import Bank, as_document, fill, number_headings
from data.sample.document import Document, Paragraph, Section, Table
from data.sample.facts import package_facts, project_facts, with_local
from data.sample.language import bare, month_text
from data.sample.project import Project, add_months, read_bank
from data.sample.recollection import Memory
from data.sample.template import Fact, Facts, Phrasing
from data.sample.valley import KINDS

LONG_OUTLINE: Final = "long"
_SECTION_CHARACTERS: Final = 13_200
_SUBSECTION_CHARACTERS: Final = 5_000
_RETOLD: Final = 0.7  # how often an account is followed by a look back at one of an earlier section


@dataclass
class Teller:
    """What the sections of one report share."""

    project: Project
    bank: Bank
    facts: Facts
    phrasing: Phrasing
    chance: random.Random
    accounts: Accounts
    memory: Memory
    plan: dict[str, Any] = field(default_factory=lambda: read_bank("en_river_plan"))
    days: set[date] = field(default_factory=set)


def compose_long(project: Project, bank: Bank, phrasing: Phrasing) -> Document:
    """The long report of ``project``, 40 sections after en_river_plan.toml and their subsections."""
    phrasing.reseed(project.slug)
    chance = random.Random(f"{project.slug} accounts")
    facts = project_facts(project, bank["number_words"])
    accounts, memory = Accounts(project, bank, facts, phrasing, chance), Memory(phrasing, chance)
    teller = Teller(project, bank, facts, phrasing, chance, accounts, memory)
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
        account = teller.accounts.tell(plan["opening"], story, _day(teller, first, first + 1))
        teller.memory.note(account)
        _move(account.told, section)
    for name in plan.get("tables", []):
        teller.memory.add_table(section, name, local)
    accounts: list[Account] = []
    characters = _characters(section)
    while characters < _SECTION_CHARACTERS:
        kind = plan["episodes"][len(accounts) % len(plan["episodes"])]
        account = teller.accounts.tell(kind, story, _day(teller, first, last))
        teller.memory.note(account)
        if teller.chance.random() < _RETOLD:
            teller.memory.retell(account.told)
        accounts.append(account)
        characters += _characters(account.told)
    teller.memory.settle()
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
            _move(account.told, made[-1])
    return made


def _move(told: Section, section: Section) -> None:
    for block in told.blocks:
        section.add(block, tuple(told.stated))


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
        local["partner"] = Fact(subject.partner.name)
        local["partner.bare"] = Fact(bare(subject.partner.name))
    return local


def _characters(section: Section) -> int:
    paragraphs = sum(len(block.text) for block in section.blocks if isinstance(block, Paragraph))
    cells = (cell for block in section.blocks if isinstance(block, Table) for row in block.rows for cell in row)
    return paragraphs + sum(map(len, cells))


def _day(teller: Teller, first_month: int, last_month: int) -> date:
    """A day of these months on which nothing else happened: the team is small, and the valley is long."""
    begin = add_months(teller.project.start, first_month)
    days = (add_months(teller.project.start, last_month) - begin).days + 28
    free = [day for day in (begin + timedelta(days=count) for count in range(days)) if day not in teller.days]
    day = teller.chance.choice(free)
    teller.days.add(day)
    return day


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
