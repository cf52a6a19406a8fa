"""A report before it is a Word file: sections of paragraphs, lists and tables, and the facts they state."""

from dataclasses import dataclass, field

from data.sample.project import Design


@dataclass(frozen=True)
class Paragraph:
    """Running text, with a footnote at its end or none."""

    text: str
    footnote: str | None = None


@dataclass(frozen=True)
class Items:
    """A bulleted or numbered list."""

    items: tuple[str, ...]
    numbered: bool


@dataclass(frozen=True)
class Table:
    """Rows of cells; the first ``header_rows`` repeat on every page.

    ``merges`` are ((row, column), (row, column)) corners; a merged area shows its first cell's text.
    """

    rows: tuple[tuple[str, ...], ...]
    header_rows: int = 1
    merges: tuple[tuple[tuple[int, int], tuple[int, int]], ...] = ()


Block = Paragraph | Items | Table


@dataclass
class Section:
    """A heading with what stands under it. ``number`` is "2.1", or "" in an unnumbered report."""

    level: int
    heading: str
    number: str = ""
    blocks: list[Block] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)

    def add(self, block: Block, facts: tuple[str, ...] = ()) -> None:
        """Append a block and the facts that it states, each fact once."""
        self.blocks.append(block)
        self.facts.extend(fact for fact in facts if fact not in self.facts)


@dataclass(frozen=True)
class Document:
    """A whole report, ready to be written."""

    file: str
    language: str
    title: str
    author: str
    acronym: str
    year: int
    labels: dict[str, str]
    design: Design
    sections: tuple[Section, ...]
