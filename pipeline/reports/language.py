"""Catalan, Spanish or English? Lingua tells per section; one that is too short speaks its report's."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from pipeline.records import Language, Section
from pipeline.reports.blocks import visible

if TYPE_CHECKING:
    from lingua import LanguageDetector

SHORTEST_CHARACTERS = 40
LONGEST_CHARACTERS = 1_000  # more text makes it slower, not surer


@cache
def detector() -> "LanguageDetector":
    """Lingua's models for the three languages; built once a process, read from disk at the first question."""
    from lingua import Language as L
    from lingua import LanguageDetectorBuilder

    return LanguageDetectorBuilder.from_languages(L.CATALAN, L.SPANISH, L.ENGLISH).build()


def language_of(text: str) -> Language | None:
    """The likeliest language of a text; None if it has no words."""
    found = detector().detect_language_of(text[:LONGEST_CHARACTERS])
    codes: dict[str, Language] = {"CATALAN": "ca", "SPANISH": "es", "ENGLISH": "en"}
    return codes[found.name] if found is not None else None


def with_languages(sections: Sequence[Section]) -> tuple[tuple[Section, ...], Language | None]:
    """The sections with their languages, and that of the report: the one with most characters."""
    own = [_own_language(section) for section in sections]
    characters: Counter[Language] = Counter()
    for section, language in zip(sections, own, strict=True):
        if language is not None:
            characters[language] += len(section.text)
    everything = "\n".join(f"{section.heading}\n{section.text}" for section in sections[:50])
    majority = characters.most_common(1)[0][0] if characters else language_of(everything)
    told = (
        section.model_copy(update={"language": language or majority})
        for section, language in zip(sections, own, strict=True)
    )
    return tuple(told), majority


def _own_language(section: Section) -> Language | None:
    text = f"{section.heading}\n{section.text[:LONGEST_CHARACTERS]}"
    return language_of(text) if visible(text) >= SHORTEST_CHARACTERS else None
