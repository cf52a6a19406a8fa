"""Sentences of reports with every claim labelled by hand: what it comes from, or that nothing says it."""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

from pipeline.faithfulness import Source
from pipeline.records import Language

FOLDER = Path(__file__).parent
LANGUAGES: tuple[Language, ...] = ("ca", "es", "en")
NOTHING = "-"


class Label(NamedTuple):
    """A claim at [start, end) of a case's text, and the name of the source that says it; NOTHING if none does."""

    start: int
    end: int
    source: str

    @property
    def supported(self) -> bool:
        """Whether some source says it."""
        return self.source != NOTHING


class Case(NamedTuple):
    """A text, what its writer was told, and its claims; `place` says where to mend it."""

    place: str
    language: Language
    sources: tuple[Source, ...]
    text: str
    labels: tuple[Label, ...]


def labelled(folder: Path = FOLDER) -> list[Case]:
    """All cases. Raises ValueError, naming the place, for a label that is not in its text."""
    cases: list[Case] = []
    for language in LANGUAGES:
        told = tomllib.loads((folder / f"{language}.toml").read_text("utf-8"))
        sources = tuple(Source(name, told[name].strip("\n"), language) for name in ("facts", "outline", "window"))
        for number, entry in enumerate(told["case"], start=1):
            place, text = f"{language}.toml, case {number}", entry["text"]
            cases.append(Case(place, language, sources, text, _labels(place, text, entry["claims"])))
    return cases


def _labels(place: str, text: str, claims: list[list[str]]) -> tuple[Label, ...]:
    labels: list[Label] = []
    for span, source in claims:
        pattern = rf"(?<![^\W_]){re.escape(span)}(?![^\W_])" if span[-1].isalnum() else re.escape(span)
        found = re.compile(pattern).search(text, labels[-1].end if labels else 0)
        if found is None or source not in (NOTHING, "facts", "outline", "window", "text"):
            raise ValueError(f"{place}: {span!r} is not there, not in this order, or has no such source")
        labels.append(Label(*found.span(), source))
    return tuple(labels)
