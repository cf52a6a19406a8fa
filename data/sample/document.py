"""A report before it is a Word file: sections of paragraphs, lists and tables, and the facts they state."""

from dataclasses import dataclass, field

from data.sample.project import Design
from data.sample.template import Stated


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
    stated: list[Stated] = field(default_factory=list)

    def add(self, block: Block, stated: tuple[Stated, ...] = ()) -> None:
        """Append a block and the facts that it states, each fact once."""
        self.blocks.append(block)
        self.stated.extend(fact for fact in stated if fact not in self.stated)

    @property
    def facts(self) -> list[str]:
        """The words of the facts, each once."""
        return list(dict.fromkeys(fact.text for fact in self.stated))


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
