"""The facts of a project under the names that templates use: {amount}, {p1}, {i2.reached}, {w3.d1.code}...

Names, numbers, dates, amounts and codes count as facts; the field's plain words do not.
"""

from collections.abc import Iterable
from datetime import timedelta

from data.sample.language import amount_text, bare, count_text, date_text, join, month_text, share_text
from data.sample.project import Person, Project, WorkPackage, add_months
from data.sample.template import Fact, Facts

_ADVANCE_PERCENT = 60


def project_facts(project: Project, number_words: list[str]) -> dict[str, Fact]:
    """Every slot that a template about ``project`` may use. ``number_words`` spell 0, 1, 2..."""
    language = project.language

    def number(count: int) -> Fact:
        words = number_words[count] if count < len(number_words) else count_text(count, language)
        return Fact(words, counts=False)

    facts = {name: Fact(text, counts=False) for name, text in project.vocabulary.items()}
    for name in ("title", "acronym", "funder", "programme", "grant"):
        facts[name] = Fact(getattr(project, name))
    facts |= _money(project) | _people(project) | _measures(project)
    facts |= {
        "start": Fact(date_text(project.start, language)),
        "end": Fact(date_text(project.end, language)),
        "start_month": Fact(month_text(project.start, language)),
        "end_month": Fact(month_text(project.end, language)),
        "report_date": Fact(date_text(project.end + timedelta(days=57), language)),
        "months": Fact(str(project.months)),
        "team_count": number(len(project.team)),
        "partner_count": number(len(project.partners)),
        "town_count": number(len(project.towns)),
        "package_count": number(len(project.work_packages)),
        "objective_count": number(len(project.objectives)),
        "delay": number(project.delay_months),
        "delay_reason": Fact(project.delay_reason, counts=False),
    }
    for place, package in enumerate(project.work_packages, 1):
        facts |= _named(f"w{place}", package_facts(project, package).items())
    return facts


def package_facts(project: Project, package: WorkPackage) -> dict[str, Fact]:
    """A work package's own slots (code, name, cost, d1.code...), for a section that is about it alone."""
    language = project.language
    number = project.work_packages.index(package)
    facts = {
        "code": Fact(package.code),
        "name": Fact(package.name, counts=False),
        "lead": Fact(package.lead),
        "person": Fact(project.team[(number + 1) % len(project.team)].name),
        "start": Fact(month_text(package.start, language)),
        "end": Fact(month_text(package.end, language)),
        "cost": Fact(amount_text(package.cost_cents, language)),
    }
    for place, deliverable in enumerate(package.deliverables, 1):
        facts[f"d{place}.code"] = Fact(deliverable.code)
        facts[f"d{place}.name"] = Fact(deliverable.name, counts=False)
        facts[f"d{place}.due"] = Fact(date_text(deliverable.due, language))
    return facts


def member_facts(person: Person) -> dict[str, Fact]:
    """The slots of one member of the team: {member}, {member.role}, {member.of}."""
    return {
        "member": Fact(person.name),
        "member.role": Fact(person.role, counts=False),
        "member.of": Fact(person.employer),
        "member.of.bare": Fact(bare(person.employer)),
    }


def with_local(facts: Facts, name: str, local: Facts) -> dict[str, Fact]:
    """``facts`` plus the local ones under ``name.``: what one package or town is about."""
    return {**facts, **_named(name, local.items())}


def _named(name: str, facts: Iterable[tuple[str, Fact]]) -> dict[str, Fact]:
    return {f"{name}.{key}": fact for key, fact in facts}


def _money(project: Project) -> dict[str, Fact]:
    language = project.language
    advance = project.grant_cents * _ADVANCE_PERCENT // 100
    facts = {
        "amount": Fact(amount_text(project.grant_cents, language)),
        "own": Fact(amount_text(project.own_cents, language)),
        "total": Fact(amount_text(project.total_cents, language)),
        "spent": Fact(amount_text(project.spent_cents, language)),
        "left": Fact(amount_text(project.total_cents - project.spent_cents, language)),
        "spent_share": Fact(share_text(project.spent_cents, project.total_cents, language)),
        "advance": Fact(amount_text(advance, language)),
        "advance_day": Fact(date_text(add_months(project.start, 1) + timedelta(days=13), language)),
        "balance": Fact(amount_text(project.grant_cents - advance, language)),
    }
    for place, line in enumerate(project.budget, 1):
        facts[f"b{place}.name"] = Fact(line.name, counts=False)
        facts[f"b{place}.planned"] = Fact(amount_text(line.planned_cents, language))
        facts[f"b{place}.spent"] = Fact(amount_text(line.spent_cents, language))
    return facts


def _people(project: Project) -> dict[str, Fact]:
    language = project.language
    facts = {
        "coordinator": Fact(project.coordinator.name),
        "towns": Fact(join(list(project.towns), language), counts=False),
    }
    for place, partner in enumerate(project.partners, 1):
        facts[f"p{place}"] = Fact(partner.name)
        facts[f"p{place}.role"] = Fact(partner.role, counts=False)
    for place, person in enumerate(project.team, 1):
        facts[f"team{place}"] = Fact(person.name)
        facts[f"team{place}.role"] = Fact(person.role, counts=False)
    return facts | {f"t{place}": Fact(town) for place, town in enumerate(project.towns, 1)}


def _measures(project: Project) -> dict[str, Fact]:
    language = project.language
    facts = {}
    indicators = {f"i{place}": indicator for place, indicator in enumerate(project.indicators, 1)}
    for slot, indicator in (indicators | {"public": project.public_indicator}).items():
        facts[f"{slot}.name"] = Fact(indicator.name, counts=False)
        for key in ("baseline", "target", "reached"):
            facts[f"{slot}.{key}"] = Fact(count_text(getattr(indicator, key), language))
    for place, milestone in enumerate(project.milestones, 1):
        facts[f"m{place}.name"] = Fact(milestone.name, counts=False)
        facts[f"m{place}.planned"] = Fact(date_text(milestone.planned, language))
        facts[f"m{place}.reached"] = Fact(date_text(milestone.reached, language))
    for place, risk in enumerate(project.risks, 1):
        facts[f"r{place}.name"] = Fact(risk.name, counts=False)
        facts[f"r{place}.answer"] = Fact(risk.answer, counts=False)
    for place, event in enumerate(project.events, 1):
        facts[f"e{place}.name"] = Fact(event.name, counts=False)
        facts[f"e{place}.town"] = Fact(event.town)
        facts[f"e{place}.day"] = Fact(date_text(event.day, language))
        facts[f"e{place}.attendance"] = Fact(count_text(event.attendance, language))
    late = (len(project.milestones) + 1) // 2
    return facts | {f"late.{key}": facts[f"m{late}.{key}"] for key in ("name", "planned", "reached")}
