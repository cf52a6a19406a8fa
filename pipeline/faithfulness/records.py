"""What is traced, and what was found: plain values."""

from typing import Literal, NamedTuple

from pipeline.facts import Kind
from pipeline.records import Language

How = Literal["said", "within", "rounded", "sum", "difference", "share", "spelt out"]


Span = tuple[int, int]  # characters [start, end)


class Source(NamedTuple):
    """A text that a writer was given, Markdown. What it states within the `owed` spans must be said."""

    name: str
    text: str
    language: Language | None
    owed: tuple[Span, ...] = ()


class Support(NamedTuple):
    """Where a claim comes from: characters [start, end) of a source's text, and how they support it.

    "said": the same value or name, however written; "within": a day for its month, a month for its year;
    "rounded": to the digits written; "sum", "difference", "share": of figures that stand beside each other there;
    "spelt out": a name for its acronym. The source is `OWN_TEXT` where the text adds up its own supported figures.
    """

    source: str
    start: int
    end: int
    how: How


OWN_TEXT = "text"


class Claim(NamedTuple):
    """A fact that a text states at [start, end), and what supports it (None: nothing)."""

    kind: Kind
    start: int
    end: int
    support: Support | None


class Owed(NamedTuple):
    """A fact at [start, end) of a source, within what is owed."""

    source: str
    kind: Kind
    start: int
    end: int


class Traced(NamedTuple):
    """A text's claims in order, and the owed facts that it does not state."""

    claims: tuple[Claim, ...]
    unused: tuple[Owed, ...]

    @property
    def supported(self) -> tuple[Claim, ...]:
        """Claims that have a source."""
        return tuple(claim for claim in self.claims if claim.support is not None)

    @property
    def unsupported(self) -> tuple[Claim, ...]:
        """Claims that have none."""
        return tuple(claim for claim in self.claims if claim.support is None)

    @property
    def share_supported(self) -> float | None:
        """Supported claims among all; None where a text claims nothing."""
        return len(self.supported) / len(self.claims) if self.claims else None
