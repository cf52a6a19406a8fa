"""Passages of reports in which every fact was labelled by hand."""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple, get_args

from pipeline.facts import Fact, Kind
from pipeline.records import Language

FOLDER = Path(__file__).parent
LANGUAGES: tuple[Language, ...] = ("ca", "es", "en")
SOURCES = ("generated", "written")
KINDS: dict[str, Kind] = {kind: kind for kind in get_args(Kind)}


class Passage(NamedTuple):
    """One to four sentences, an item, or some rows of a table; `place` says where to mend it."""

    place: str
    language: Language
    source: str
    text: str
    facts: tuple[Fact, ...]


def labelled(folder: Path = FOLDER) -> list[Passage]:
    """All passages. Raises ValueError, naming the place, for a label that is not in its passage or is no label."""
    passages: list[Passage] = []
    for language in LANGUAGES:
        file = folder / f"{language}.toml"
        for number, entry in enumerate(tomllib.loads(file.read_text("utf-8"))["passage"], start=1):
            place, source, text = f"{file.name}, passage {number}", entry["source"], entry["text"]
            if source not in SOURCES:
                raise ValueError(f"{place}: the source {source!r} is none of {SOURCES}")
            passages.append(Passage(place, language, source, text, _facts(place, text, entry["facts"])))
    return passages


def _facts(place: str, text: str, labels: list[list[str]]) -> tuple[Fact, ...]:
    facts: list[Fact] = []
    for kind, span, key in labels:
        if kind not in KINDS or not key.startswith(f"{kind}:"):
            raise ValueError(f"{place}: no such label: {kind}, {key}")
        found = _whole(span).search(text, facts[-1].end if facts else 0)
        if found is None:
            raise ValueError(f"{place}: {span!r} is not there, or not in this order")
        facts.append(Fact(KINDS[kind], key, *found.span()))
    return tuple(facts)


def _whole(span: str) -> re.Pattern[str]:
    """Finds a span that does not begin or end inside a word or a number ("2" is not in "12")."""
    before = r"(?<![^\W_])" if span[0].isalnum() else ""
    after = r"(?![^\W_])" if span[-1].isalnum() else ""
    return re.compile(before + re.escape(span) + after)
