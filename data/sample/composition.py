"""From a project to a document: an outline of section kinds, each told by its bank of templates.

A kind's text is made of lines (see ``template``); a blank line ends a paragraph, and a line may also be

    @table NAME      one of ``tables.TABLES``          @text TOPIC   the project's own paragraphs on the topic
    @items NAME      a bulleted list                   ^ TEMPLATE    a footnote to the paragraph before it
    @steps NAME      the same list, numbered
"""

from collections.abc import Mapping
from typing import Any, Final

from data.sample.document import Document, Items, Paragraph, Section
from data.sample.facts import member_facts, package_facts, project_facts, with_local
from data.sample.language import capital
from data.sample.project import Project
from data.sample.tables import TABLES
from data.sample.template import Fact, Facts, Phrasing, Sentence, Stated

_TOWNS_TOLD: Final = 3

Bank = Mapping[str, Any]


def compose(project: Project, bank: Bank, outline: list[str], phrasing: Phrasing) -> Document:
    """The report of ``project``: the outline's lines are "LEVEL KIND", in order."""
    phrasing.reseed(project.slug)
    facts = project_facts(project, bank["number_words"])
    sections: list[Section] = []
    for line in outline:
        level, kind = line.split()
        sections += _sections_of_kind(int(level), kind, project, bank, facts, phrasing)
    number_headings(sections, project.design.numbering)
    return as_document(project, bank, sections)


def as_document(project: Project, bank: Bank, sections: list[Section]) -> Document:
    """The sections with what the Word file needs besides them."""
    return Document(
        file=f"{project.slug}.docx",
        language=project.language,
        title=project.title,
        author=project.team[0].name,
        acronym=project.acronym,
        year=project.end.year,
        labels=dict(bank["labels"]),
        design=project.design,
        sections=tuple(sections),
    )


def number_headings(sections: list[Section], numbering: str) -> None:
    """Give each section its number ("2.1") unless the report's headings are unnumbered ("none")."""
    if numbering == "none":
        return
    counts = [0, 0, 0]
    for section in sections:
        counts[section.level - 1] += 1
        counts[section.level :] = [0] * (3 - section.level)
        section.number = ".".join(str(count) for count in counts[: section.level])


def _sections_of_kind(
    level: int, kind: str, project: Project, bank: Bank, facts: Facts, phrasing: Phrasing
) -> list[Section]:
    """One section, or one per work package or town for the kinds that are told of each."""
    if kind == "package":
        made = []
        for package in project.work_packages:
            local = with_local(facts, "w", package_facts(project, package))
            section = Section(level, package.name)
            fill(section, bank["kinds"][kind]["text"], project, bank, local, phrasing, package.text)
            made.append(section)
        return made
    if kind == "town":
        made = []
        for town, text in zip(project.towns[:_TOWNS_TOLD], project.paragraphs["towns"], strict=False):
            local = {**facts, "town": Fact(town)}
            section = Section(level, phrasing.sentence(bank["kinds"][kind]["headings"], local).text)
            fill(section, bank["kinds"][kind]["text"], project, bank, local, phrasing, (text,))
            made.append(section)
        return made
    section = Section(level, phrasing.sentence(bank["kinds"][kind]["headings"], facts).text)
    fill(section, bank["kinds"][kind]["text"], project, bank, facts, phrasing, project.paragraphs.get(kind, ()))
    return [section]


def fill(
    section: Section,
    text: str,
    project: Project,
    bank: Bank,
    facts: Facts,
    phrasing: Phrasing,
    own_paragraphs: tuple[str, ...],
) -> None:
    """Add to ``section`` what a kind's ``text`` asks for. Raises KeyError for an unknown name."""
    for part in text.strip().split("\n\n"):
        lines = part.strip().split("\n")
        if lines[0].startswith("@"):
            _add_directed(section, lines[0], project, bank, facts, phrasing, own_paragraphs)
        else:
            add_paragraph(section, lines, facts, phrasing)


def add_paragraph(section: Section, lines: list[str], facts: Facts, phrasing: Phrasing) -> None:
    """Add one paragraph from its template lines; a last line "^ ..." is its footnote."""
    footnote = phrasing.sentence(lines[-1][1:], facts) if lines[-1].startswith("^") else None
    sentence = phrasing.paragraph(lines[:-1] if footnote else lines, facts)
    if sentence.text:
        stated = sentence.facts + (footnote.facts if footnote else ())
        section.add(Paragraph(sentence.text, footnote.text if footnote else None), stated)


def _add_directed(
    section: Section,
    directive: str,
    project: Project,
    bank: Bank,
    facts: Facts,
    phrasing: Phrasing,
    own_paragraphs: tuple[str, ...],
) -> None:
    kind, _, name = directive[1:].partition(" ")
    if kind == "table":
        table, facts_told = TABLES[name](project, bank["labels"])
        section.add(table, tuple(map(Stated, facts_told)))
    elif kind == "text":
        for paragraph in own_paragraphs:
            add_paragraph(section, paragraph.split("\n"), facts, phrasing)
    elif kind in ("items", "steps"):
        sentences = _list_sentences(name, project, bank, facts, phrasing)
        stated = tuple(fact for sentence in sentences for fact in sentence.facts)
        section.add(Items(tuple(capital(s.text) for s in sentences), numbered=kind == "steps"), stated)
    else:
        raise KeyError(directive)


def _list_sentences(name: str, project: Project, bank: Bank, facts: Facts, phrasing: Phrasing) -> list[Sentence]:
    if name == "objectives":
        return [phrasing.sentence(line, facts) for line in project.objectives]
    lines = bank["lists"][name].strip().split("\n")
    if name == "team":
        return [phrasing.sentence(lines[0], {**facts, **member_facts(person)}) for person in project.team]
    return [phrasing.sentence(line, facts) for line in lines]
