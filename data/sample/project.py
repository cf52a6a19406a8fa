"""The invented projects: frozen records, read from the banks in text/projects_*.toml."""

import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

_TEXT_FOLDER: Final = Path(__file__).parent / "text"
LANGUAGES: Final = ("ca", "es", "en")


@dataclass(frozen=True)
class Partner:
    """An organisation of the consortium; ``name`` carries its article."""

    name: str
    role: str


@dataclass(frozen=True)
class Person:
    """A member of the team; ``employer`` carries its article."""

    name: str
    role: str
    employer: str


@dataclass(frozen=True)
class Indicator:
    """A countable thing (plural noun phrase): where it stood, where it should go, where it got."""

    name: str
    baseline: int
    target: int
    reached: int


@dataclass(frozen=True)
class Deliverable:
    """A product of a work package, with its code (D2.1, L2.1, E2.1) and its due date."""

    code: str
    name: str
    due: date


@dataclass(frozen=True)
class WorkPackage:
    """A work package; ``text`` holds template paragraphs about its own matter."""

    code: str
    name: str
    lead: str
    start: date
    end: date
    cost_cents: int
    deliverables: tuple[Deliverable, ...]
    text: tuple[str, ...]


@dataclass(frozen=True)
class BudgetLine:
    """A line of the budget: what was planned and what was spent, in cents."""

    name: str
    planned_cents: int
    spent_cents: int


@dataclass(frozen=True)
class Milestone:
    """A dated achievement; ``name`` is a noun phrase with its article."""

    name: str
    planned: date
    reached: date


@dataclass(frozen=True)
class Risk:
    """What might go wrong (noun phrase) and what was done about it (clause)."""

    name: str
    answer: str


@dataclass(frozen=True)
class Event:
    """A public event; ``name`` carries its article."""

    name: str
    town: str
    day: date
    attendance: int


@dataclass(frozen=True)
class Design:
    """How the Word file is made. See word_styles for what the values do."""

    headings: str
    numbering: str
    contents: bool
    outline: str
    font: str


@dataclass(frozen=True)
class Project:
    """One invented project and everything that its report may state.

    ``vocabulary`` holds the field's own words (noun phrases in the plural); ``paragraphs`` its own template
    paragraphs by topic; ``public_indicator`` is the one that counts people.
    """

    slug: str
    language: str
    title: str
    acronym: str
    funder: str
    programme: str
    grant: str
    grant_cents: int
    own_cents: int
    start: date
    end: date
    months: int
    coordinator: Partner
    partners: tuple[Partner, ...]
    team: tuple[Person, ...]
    towns: tuple[str, ...]
    indicators: tuple[Indicator, ...]
    public_indicator: Indicator
    work_packages: tuple[WorkPackage, ...]
    budget: tuple[BudgetLine, ...]
    milestones: tuple[Milestone, ...]
    risks: tuple[Risk, ...]
    events: tuple[Event, ...]
    delay_months: int
    delay_reason: str
    objectives: tuple[str, ...]
    vocabulary: Mapping[str, str]
    paragraphs: Mapping[str, tuple[str, ...]]
    design: Design

    @property
    def total_cents(self) -> int:
        """What the project was planned to cost: the grant and the partners' own share."""
        return self.grant_cents + self.own_cents

    @property
    def spent_cents(self) -> int:
        """What was spent over all budget lines."""
        return sum(line.spent_cents for line in self.budget)


def load_projects() -> list[Project]:
    """Every project of every language, in the order of the banks."""
    return [
        _project(record, language, bank["labels"], bank["budget_lines"])
        for language in LANGUAGES
        for bank in [read_bank(language)]
        for record in read_bank(f"projects_{language}")["project"]
    ]


def read_bank(name: str) -> dict[str, Any]:
    """The bank text/NAME.toml."""
    return tomllib.loads((_TEXT_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def add_months(day: date, months: int) -> date:
    """The first day of the month that lies ``months`` after ``day``'s month."""
    month = day.year * 12 + day.month - 1 + months
    return date(month // 12, month % 12 + 1, 1)


def split(total: int, weights: list[int]) -> list[int]:
    """``total`` shared out by the weights; the parts add up exactly (the last takes what rounding leaves)."""
    parts = [total * weight // sum(weights) for weight in weights[:-1]]
    return [*parts, total - sum(parts)]


def _project(record: dict[str, Any], language: str, labels: dict[str, str], budget_lines: list[str]) -> Project:
    chance = random.Random(record["slug"])
    start, months = date.fromisoformat(record["start"]), record["months"]
    grant, own = record["grant_cents"], record["own_cents"]
    indicators = tuple(Indicator(*values) for values in record["indicators"])
    organisations = [record["coordinator"], *(name for name, _ in record["partners"])]
    return Project(
        slug=record["slug"],
        language=language,
        title=record["title"],
        acronym=record["acronym"],
        funder=record["funder"],
        programme=record["programme"],
        grant=record["grant"],
        grant_cents=grant,
        own_cents=own,
        start=start,
        end=add_months(start, months) - timedelta(days=1),
        months=months,
        coordinator=Partner(record["coordinator"], labels["coordinator"]),
        partners=tuple(Partner(*pair) for pair in record["partners"]),
        team=tuple(Person(name, role, organisations[place]) for name, role, place in record["team"]),
        towns=tuple(record["towns"]),
        indicators=indicators,
        public_indicator=indicators[record["public_indicator"] - 1],
        work_packages=_work_packages(record, labels, organisations, grant + own),
        budget=_budget(record, budget_lines, grant + own, chance),
        milestones=_milestones(record, start, months, chance),
        risks=tuple(Risk(*pair) for pair in record["risks"]),
        events=_events(record, start, months, chance),
        delay_months=record["delay"][0],
        delay_reason=record["delay"][1],
        objectives=tuple(record["objectives"]),
        vocabulary=record["vocabulary"],
        paragraphs={topic: tuple(_paragraphs(text)) for topic, text in record["paragraphs"].items()},
        design=Design(**record["design"]),
    )


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in text.strip().split("\n\n")]


def _work_packages(
    record: dict[str, Any], labels: dict[str, str], organisations: list[str], total_cents: int
) -> tuple[WorkPackage, ...]:
    packages, start, months = record["work_packages"], date.fromisoformat(record["start"]), record["months"]
    costs = split(total_cents, [package["weight"] for package in packages])
    made = []
    for number, (package, cost) in enumerate(zip(packages, costs, strict=True), 1):
        usual = months * (number - 1) // (len(packages) + 1)
        first, last = package.get("months", [usual, min(months, usual + months // 2 + number)])
        names = package["deliverables"]
        dues = [add_months(start, first + (last - first) * (i + 1) // len(names)) for i in range(len(names))]
        deliverables = tuple(
            Deliverable(f"{labels['deliverable_code']}{number}.{i}", name, due - timedelta(days=1))
            for i, (name, due) in enumerate(zip(names, dues, strict=True), 1)
        )
        made.append(
            WorkPackage(
                code=f"{labels['package_code']}{number}",
                name=package["name"],
                lead=organisations[package["lead"]],
                start=add_months(start, first),
                end=add_months(start, last) - timedelta(days=1),
                cost_cents=cost,
                deliverables=deliverables,
                text=tuple(_paragraphs(package["text"])),
            )
        )
    return tuple(made)


def _budget(
    record: dict[str, Any], names: list[str], total_cents: int, chance: random.Random
) -> tuple[BudgetLine, ...]:
    planned = split(total_cents, record["budget_weights"])
    # Nobody spends exactly as planned: between 91% and 99.9% of each line, to the cent.
    return tuple(
        BudgetLine(name, cents, cents * chance.randint(9100, 9990) // 10000)
        for name, cents in zip(names, planned, strict=True)
    )


def _milestones(record: dict[str, Any], start: date, months: int, chance: random.Random) -> tuple[Milestone, ...]:
    names = record["milestones"]
    made = []
    for number, name in enumerate(names, 1):
        planned = add_months(start, months * number // (len(names) + 1)) + timedelta(days=chance.randint(4, 25))
        # The delay strikes the middle milestone, so that one section can tell of it and another recall it.
        late = record["delay"][0] * 30 if number == (len(names) + 1) // 2 else chance.randint(0, 9)
        made.append(Milestone(name, planned, planned + timedelta(days=late)))
    return tuple(made)


def _events(record: dict[str, Any], start: date, months: int, chance: random.Random) -> tuple[Event, ...]:
    events = record["events"]
    days = [
        add_months(start, months * (number + 1) // (len(events) + 1)) + timedelta(days=chance.randint(2, 26))
        for number in range(len(events))
    ]
    return tuple(Event(name, town, day, attendance) for (name, town, attendance), day in zip(events, days, strict=True))
