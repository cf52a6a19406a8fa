"""Which language is a text in? Lingua tells per section; one that is short or in doubt speaks its report's."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from pipeline.errors import UserError
from pipeline.records import Language, Section
from pipeline.reports.blocks import visible

if TYPE_CHECKING:
    from lingua import LanguageDetector

SHORTEST_CHARACTERS = 40
LONGEST_CHARACTERS = 180  # more text makes it slower, not surer
_LOOKS = 3  # at the beginning, in the middle and at the end: a section may begin with a quotation
SUREST_DOUBT = 0.8  # a section leaves its report's language only if lingua is at least so sure of another


@cache
def detector(languages: tuple[Language, ...]) -> "LanguageDetector":
    """Lingua's models for some languages; built once a process, read from disk at the first question.

    Raises:
        UserError: lingua has no such language.
    """
    from lingua import IsoCode639_1, LanguageDetectorBuilder

    unknown = [language for language in languages if not hasattr(IsoCode639_1, language.upper())]
    if unknown:
        told = ", ".join(unknown)
        raise UserError(f"no such language: {told}", where="reports.languages", fix="give ISO 639-1 codes")
    codes = [getattr(IsoCode639_1, language.upper()) for language in languages]
    return LanguageDetectorBuilder.from_iso_codes_639_1(*codes).build()


def language_of(text: str, languages: tuple[Language, ...], usual: Language | None = None) -> Language | None:
    """The likeliest language of a text, or the `usual` one if another is not much likelier; None without words."""
    found = detector(languages).detect_language_of(text)
    if found is None:
        return None
    code = found.iso_code_639_1.name.lower()
    if usual in (None, code) or detector(languages).compute_language_confidence(text, found) >= SUREST_DOUBT:
        return code
    return usual


def with_languages(
    sections: Sequence[Section], languages: tuple[Language, ...]
) -> tuple[tuple[Section, ...], Language | None]:
    """The sections with their languages, and that of the report: the one of most sections, long ones first."""
    texts = [_looked_at(section) for section in sections]
    found = _languages_of([text if visible(text) >= SHORTEST_CHARACTERS else "" for text in texts], languages)
    characters: Counter[Language] = Counter()
    for text, language in zip(texts, found, strict=True):
        if language is not None:
            characters[language] += len(text)
    usual = characters.most_common(1)[0][0] if characters else language_of("\n".join(texts[:50]), languages)
    told = []
    for section, text, language in zip(sections, texts, found, strict=True):
        own = language if language in (None, usual) else language_of(text, languages, usual)
        told.append(section.model_copy(update={"language": own or usual}))
    return tuple(told), usual


def _languages_of(texts: list[str], languages: tuple[Language, ...]) -> list[Language | None]:
    """The likeliest language of each text, on all cores; None for one without words."""
    found = detector(languages).detect_languages_in_parallel_of(texts)
    return [one.iso_code_639_1.name.lower() if one else None for one in found]


def _looked_at(section: Section) -> str:
    """As much of a section as it takes to tell its language."""
    text = section.text
    if len(text) > LONGEST_CHARACTERS:
        part = LONGEST_CHARACTERS // _LOOKS
        starts = (0, (len(text) - part) // 2, len(text) - part)
        text = "\n".join(text[start : start + part] for start in starts)
    return f"{section.heading}\n{text}"
