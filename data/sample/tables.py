"""The tables of a report and the facts in their cells."""

from collections.abc import Callable, Mapping
from typing import Final

from data.sample.document import Table
from data.sample.language import amount_text, bare, capital, count_text, date_text
from data.sample.project import Project

Labels = Mapping[str, str]
Rows = list[tuple[str, ...]]
TableWithFacts = tuple[Table, tuple[str, ...]]


def budget(project: Project, labels: Labels) -> TableWithFacts:
    """Planned and spent per budget line, with a total whose amounts are the sums of the column above."""
    lines = [(line.name, line.planned_cents, line.spent_cents) for line in project.budget]
    planned = sum(line[1] for line in lines)
    spent = sum(line[2] for line in lines)
    money = [[amount_text(cents, project.language) for cents in pair] for _, *pair in lines]
    total = [amount_text(cents, project.language) for cents in (planned, spent)]
    rows: Rows = [(labels["number"], labels["budget_line"], labels["planned"], labels["spent"])]
    rows += [(str(n), capital(line[0]), *pair) for n, (line, pair) in enumerate(zip(lines, money, strict=True), 1)]
    rows.append((labels["total"], labels["total"], *total))
    last = len(rows) - 1
    facts = tuple(cell for pair in (*money, total) for cell in pair)
    return Table(tuple(rows), merges=(((last, 0), (last, 1)),)), facts


def indicators(project: Project, labels: Labels) -> TableWithFacts:
    """Baseline, target and value reached, under a header of two rows with merged cells."""
    value = labels["values"]
    rows: Rows = [
        (labels["indicator"], value, value, value),
        (labels["indicator"], labels["baseline"], labels["target"], labels["reached"]),
    ]
    facts = []
    for indicator in project.indicators:
        counts = [
            count_text(count, project.language) for count in (indicator.baseline, indicator.target, indicator.reached)
        ]
        rows.append((capital(indicator.name), *counts))
        facts += counts[1:]
    return Table(tuple(rows), header_rows=2, merges=(((0, 0), (1, 0)), ((0, 1), (0, 3)))), tuple(facts)


def milestones(project: Project, labels: Labels) -> TableWithFacts:
    """Planned and actual date of each milestone."""
    rows: Rows = [(labels["code"], labels["milestone"], labels["planned"], labels["reached"])]
    facts = []
    for number, milestone in enumerate(project.milestones, 1):
        days = [date_text(day, project.language) for day in (milestone.planned, milestone.reached)]
        rows.append((f"{labels['milestone_code']}{number}", capital(bare(milestone.name)), *days))
        facts += days
    return Table(tuple(rows)), tuple(facts)


def deliverables(project: Project, labels: Labels) -> TableWithFacts:
    """Code, title and due date of each deliverable; a work package's code spans its rows."""
    rows = [(labels["package"], labels["code"], labels["deliverable"], labels["due"])]
    merges, facts = [], []
    for package in project.work_packages:
        first = len(rows)
        for deliverable in package.deliverables:
            due = date_text(deliverable.due, project.language)
            rows.append((package.code, deliverable.code, capital(bare(deliverable.name)), due))
            facts += [deliverable.code, due]
        if len(rows) - first > 1:
            merges.append(((first, 0), (len(rows) - 1, 0)))
        facts.append(package.code)
    return Table(tuple(rows), merges=tuple(merges)), tuple(facts)


def risks(project: Project, labels: Labels) -> TableWithFacts:
    """Each risk and what was done about it."""
    rows = [(labels["risk"], labels["answer"])]
    rows += [(capital(bare(risk.name)), capital(risk.answer)) for risk in project.risks]
    return Table(tuple(rows)), ()


def partners(project: Project, labels: Labels) -> TableWithFacts:
    """Each organisation and its part in the project, the coordinator first."""
    everyone = (project.coordinator, *project.partners)
    rows = [(labels["organisation"], labels["role"])]
    rows += [(capital(bare(partner.name)), capital(partner.role)) for partner in everyone]
    return Table(tuple(rows)), tuple(bare(partner.name) for partner in everyone)


TABLES: Final[dict[str, Callable[[Project, Labels], TableWithFacts]]] = {
    "budget": budget,
    "indicators": indicators,
    "milestones": milestones,
    "deliverables": deliverables,
    "risks": risks,
    "partners": partners,
}
