"""The documents that windows are measured on: sample reports, and real ones that are long."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

from data.sample import write_samples
from pipeline.bases.tokens import Tokens
from pipeline.records import Report, Section, Window
from pipeline.reports import read_report
from pipeline.settings import Windows
from pipeline.windows import Plan, build_windows, plan_of
from pipeline.windows.pieces import Measured, measure

LONG = "en-river-restoration-2024.docx"
SHORT = ("ca-salut-rural-2024.docx", "es-comunidades-energeticas-2024.docx")
LEAST_TOKENS = 10_000  # of a real document
MOST_SECTION_TOKENS = 40_000  # a section above that is an appendix, or a file without headings
REPEATED_CHARACTERS = 200  # a section of that many or more that stood before, word for word, is a copy

Facts = tuple[frozenset[str], ...]


@dataclass(frozen=True)
class Document:
    """One document, measured.

    Attributes:
        measured: its sections without those that are left out, in order.
        repeated: sections left out as copies of an earlier one.
        too_long: sections left out for their length.
        true_facts: what each section states and of what ("account 12: 3 May 2023"), where that is known.
    """

    name: str
    plan: Plan
    measured: tuple[Measured, ...]
    repeated: int = 0
    too_long: int = 0
    true_facts: Facts | None = None

    @property
    def tokens(self) -> int:
        """Tokens of all sections with their headings."""
        return sum(one.whole_tokens for one in self.measured)

    def windows(self, tokens: Tokens, settings: Windows) -> list[Window]:
        """The windows of all sections; nothing is tokenised again but the outline."""
        known = {one.section.id: one for one in self.measured}
        with patch("pipeline.windows.build.measure", lambda section, _: known[section.id]):
            return list(build_windows([one.section for one in self.measured], self.plan, tokens, settings))

    def times(self, count: int) -> "Document":
        """The document `count` times in a row: the same texts in sections of their own, whose facts are not read yet.

        Only the text is repeated: true facts are not.
        """
        measured = tuple(
            replace(one, section=one.section.model_copy(update={"position": place}))
            for place, one in enumerate(self.measured * count)
        )
        plan = plan_of([one.section for one in measured], self.plan.title, self.plan.language)
        return Document(f"{self.name} × {count}", plan, measured)


def documents(folder: Path, reports: Path, tokens: Tokens) -> Iterator[Document]:
    """The long sample report, two short ones (written to `folder`), and those in `reports` that are long enough."""
    samples = {path.name: path for path in write_samples(folder)}
    for name in (LONG, *SHORT):
        yield document_of(read_report(samples[name]), tokens, samples[name].with_suffix(".facts.json"))
    if not reports.is_dir():
        print(f"left out: there is no {reports}", file=sys.stderr)
        return
    for path in sorted(path for path in reports.iterdir() if path.suffix in (".docx", ".pdf")):
        document = document_of(read_report(path), tokens)
        if document.tokens > LEAST_TOKENS:
            yield document


def document_of(report: Report, tokens: Tokens, facts: Path | None = None) -> Document:
    """A report without copies and without sections too long, with the facts of its .facts.json."""
    once = without_copies(report.sections)
    measured = [measure(section, tokens) for section in once]
    short = tuple(one for one in measured if one.whole_tokens <= MOST_SECTION_TOKENS)
    sections = [one.section for one in short]
    return Document(
        name=report.file,
        plan=plan_of(sections, report.title, report.language),
        measured=short,
        repeated=len(report.sections) - len(once),
        too_long=len(once) - len(short),
        true_facts=true_facts(sections, facts) if facts else None,
    )


def without_copies(sections: Iterable[Section]) -> list[Section]:
    """The sections but those whose text, of REPEATED_CHARACTERS or more, already stood in an earlier one."""
    texts: set[str] = set()
    kept = []
    for section in sections:
        if len(section.text) >= REPEATED_CHARACTERS and section.text in texts:
            continue
        texts.add(section.text)
        kept.append(section)
    return kept


def true_facts(sections: Sequence[Section], path: Path) -> Facts:
    """What each section states by a .facts.json, and of what; without numbers of one digit, as in `Measured.facts`.

    Two that are equal are the same fact, told again: 14 pupils and 14 metres are not.
    """
    told = {one["heading"]: one["of"] for one in json.loads(path.read_text("utf-8"))["sections"]}
    unknown = told.keys() - {section.heading for section in sections}
    if unknown:
        raise ValueError(f"{path.name}: {len(unknown)} headings are not in the report")
    return tuple(
        frozenset(
            f"{thing}: {fact}"
            for thing, facts in told.get(section.heading, {}).items()
            for fact in facts
            if not (len(fact) == 1 and fact.isdigit())
        )
        for section in sections
    )
