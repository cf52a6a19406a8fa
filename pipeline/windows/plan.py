"""What is known of a report before a section of it is written: all that a window or a prompt may look at but the text.

A window is chosen by a `Plan` and the text of the sections before its own. No other text can come in: a plan has none.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pipeline.records import Language, Record, Section


class Planned(Record):
    """One heading of a plan. `section` names the section that is to stand under it."""

    section: str
    level: int
    title: str
    language: Language | None = None
    guidance: str = ""


class Plan(Record):
    """A report's title and headings, with what its people want to be said. `document` names it as `Section` does."""

    document: str
    title: str
    language: Language | None
    headings: tuple[Planned, ...]
    facts: tuple[str, ...] = ()


class Need(NamedTuple):
    """What a choice is made for: `wanted` is what the coming sections are about, `told` what every prompt tells."""

    wanted: str
    told: str
    language: Language | None = None


class Brief(Record):
    """What the model is told of one section besides the window."""

    report_title: str
    section_title: str
    language: Language | None
    guidance: str = ""
    facts: tuple[str, ...] = ()


def plan_of(
    sections: Sequence[Section],
    title: str,
    language: Language | None,
    *,
    guidance: Mapping[int, str] | None = None,
    facts: Sequence[str] = (),
) -> Plan:
    """The plan of a report that is written, or in the making; of its sections, the headings and names alone.

    Args:
        sections: at least one.
        guidance: what a section should say, by its place among the sections.
    """
    said = guidance or {}
    headings = tuple(
        Planned(section=s.id, level=s.level, title=s.title, language=s.language, guidance=said.get(place, ""))
        for place, s in enumerate(sections)
    )
    return Plan(document=sections[0].document, title=title, language=language, headings=headings, facts=tuple(facts))


def need_of(plan: Plan, place: int, headings: int, outline: str = "") -> Need:
    """What is needed for this many `headings`, from the one at `place` on, where the prompt has this outline."""
    coming = (f"{heading.title}\n{heading.guidance}" for heading in plan.headings[place : place + headings])
    facts = "\n".join(plan.facts)
    return Need("\n".join((*coming, facts)), f"{facts}\n{outline}", plan.language)


def brief_of(plan: Plan, place: int, instruction: str = "") -> Brief:
    """What the model is told of the section at `place`; an `instruction` is for this time only."""
    heading = plan.headings[place]
    return Brief(
        report_title=plan.title,
        section_title=heading.title,
        language=heading.language or plan.language,
        guidance="\n".join(filter(None, (heading.guidance.strip(), instruction.strip()))),
        facts=plan.facts,
    )
