"""What a section says that its sources do not, by the tracer that evaluation uses, too.

    the person's facts, guidance ─┐
    headings of the report ───────┼── trace ──> Check(missing, unused, traced)
    text of its other sections ───┘

A person's text is checked like the model's. Nothing is sent anywhere, nothing is changed, nothing is blocked.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from copilot.drafting import standing
from copilot.library import Project
from pipeline.facts import Kind
from pipeline.faithfulness import OWN_TEXT, Claim, How, Owed, Source, Support, sources_of_brief, trace
from pipeline.records import Section
from pipeline.windows import Plan, brief_of
from pipeline.windows.pieces import heading_line

REPORT = "report"
MOST_CHARACTERS = 200_000  # of a section: about 70 pages; a page that waits for more would seem to hang
_AROUND = 48  # characters shown on either side


@dataclass(frozen=True)
class Missing:
    """Words of the text that no source says, and the words around them."""

    kind: Kind
    words: str
    before: str
    after: str


@dataclass(frozen=True)
class Traced:
    """Words of the text, how they are supported, where (a source's name; a section's title for the report) and by
    which words."""

    words: str
    how: How
    source: str
    section: str
    passage: str


@dataclass(frozen=True)
class Unused:
    """A line of facts or guidance, and where in it stands what the text should say and does not."""

    line: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Check:
    """A checked text: how much there was to check, and what came of it."""

    claims: int
    missing: tuple[Missing, ...]
    unused: tuple[Unused, ...]
    traced: tuple[Traced, ...]


def check_section(project: Project, key: str, text: str, instruction: str = "") -> Check | None:
    """Hold a text of the section `key` against the project's facts, guidance, headings and other sections.

    Args:
        instruction: what was asked for when the text was written, besides the section's guidance.

    Returns:
        None for a text of more than MOST_CHARACTERS.
    """
    if len(text) > MOST_CHARACTERS:
        return None
    sections, plan, place = standing(project, key)
    brief = brief_of(plan, place, instruction)
    report = _Report([section for i, section in enumerate(sections) if i != place])
    sources = {s.name: s for s in sources_of_brief(brief, _headings(plan), report.text, REPORT)}
    traced = trace(text, brief.language, list(sources.values()))
    sources[OWN_TEXT] = Source(OWN_TEXT, text, brief.language)
    return Check(
        claims=len(traced.claims),
        missing=_once([_missing(text, claim) for claim in traced.unsupported]),
        unused=_unused(traced.unused, sources),
        traced=tuple(_traced(text, claim, claim.support, sources, report) for claim in traced.claims if claim.support),
    )


class _Report:
    """The other sections as one text, and which of them each place is in."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._titles: list[str] = []
        self._starts: list[int] = []
        pieces: list[str] = []
        length = 0
        for section in sections:
            if section.text.strip():
                piece = f"{heading_line(section.level, section.title)}\n\n{section.text}\n\n"
                self._titles.append(section.title)
                self._starts.append(length)
                pieces.append(piece)
                length += len(piece)
        self.text = "".join(pieces)

    def title_at(self, place: int) -> str:
        """The title of the section that a place is in."""
        return self._titles[bisect_right(self._starts, place) - 1]


def _headings(plan: Plan) -> str:
    return "\n".join(f"- {heading.title}" for heading in plan.headings)


def _missing(text: str, claim: Claim) -> Missing:
    first, last = _around(text, claim.start, claim.end)
    return Missing(
        kind=claim.kind,
        words=text[claim.start : claim.end],
        before=f"{_dots(text, first, first - 1)}{text[first : claim.start]}",
        after=f"{text[claim.end : last]}{_dots(text, last, last)}",
    )


def _around(text: str, start: int, end: int) -> tuple[int, int]:
    """Whole words on either side of [start, end), within its line."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = line_end if line_end >= 0 else len(text)
    first, last = start - _AROUND, end + _AROUND
    first = text.find(" ", first, start) + 1 or start if first > line_start else line_start
    last = max(text.rfind(" ", end, last), end) if last < line_end else line_end
    return first, last


def _dots(text: str, cut: int, neighbour: int) -> str:
    """An ellipsis where a line goes on beyond a cut."""
    return "…" if 0 < cut < len(text) and text[neighbour] != "\n" else ""


def _once(missing: Sequence[Missing]) -> tuple[Missing, ...]:
    """Each of the same words once."""
    first: dict[str, Missing] = {}
    for one in missing:
        first.setdefault(one.words.casefold(), one)
    return tuple(first.values())


def _unused(owed: Sequence[Owed], sources: dict[str, Source]) -> tuple[Unused, ...]:
    """The lines that something owed stands in, in order."""
    spans: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for one in owed:
        line_start = sources[one.source].text.rfind("\n", 0, one.start) + 1
        spans.setdefault((one.source, line_start), []).append((one.start - line_start, one.end - line_start))
    unused = []
    for (name, start), its in spans.items():
        line = sources[name].text[start:].partition("\n")[0]
        bullet = len(line) - len(line.removeprefix("- "))
        unused.append(Unused(line[bullet:], tuple((first - bullet, last - bullet) for first, last in its)))
    return tuple(unused)


def _traced(text: str, claim: Claim, support: Support, sources: dict[str, Source], report: _Report) -> Traced:
    source = sources[support.source]
    return Traced(
        words=text[claim.start : claim.end],
        how=support.how,
        source=support.source,
        section=report.title_at(support.start) if support.source == REPORT else "",
        passage=_passage(source.text, support.start, support.end),
    )


def _passage(text: str, start: int, end: int) -> str:
    """The words of a source that support a claim, with a few around them."""
    first, last = _around(text, start, end)
    words = " ".join(text[first:last].replace("|", " ").split()).removeprefix("- ")
    return f"{_dots(text, first, first - 1)}{words}{_dots(text, last, last)}"
