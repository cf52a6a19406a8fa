"""Is the section written in the language that was asked for? By paragraph: models slip into another midway.

    share = characters of paragraphs in the section's language / characters of paragraphs whose language can be told

A paragraph is told by lingua, as reports are when they are read; one of few words, or in doubt, is taken to be in the
section's language. A section of which nothing can be told has left no language: 1.
"""

from pipeline.evaluation.scores.score import Context, Judged, Part, Score
from pipeline.reports.blocks import visible
from pipeline.reports.language import LONGEST_CHARACTERS, SHORTEST_CHARACTERS, SUREST_DOUBT, language_of

VERSION = 1


def language_kept(context: Context) -> Score:
    """The mean over sections. Does not apply to a section in a language that is not told apart."""
    languages = tuple(sorted(context.languages))
    told_by = f"lingua of {', '.join(languages)}, another language from {SUREST_DOUBT} on"

    def of(judged: Judged) -> Part | None:
        asked = judged.example.language
        if asked not in languages:
            return None
        kept = told = 0
        for paragraph in judged.text.splitlines():
            characters = visible(paragraph)
            if characters >= SHORTEST_CHARACTERS:
                found = language_of(paragraph[:LONGEST_CHARACTERS], languages, usual=asked)
                told += characters if found else 0
                kept += characters if found == asked else 0
        return (kept / told if told else 1.0), 1.0

    return Score(
        name="language_kept",
        title="text in the language that was asked for",
        better="higher",
        signature=f"language_kept|version:{VERSION}|{told_by}|paragraphs of {SHORTEST_CHARACTERS} characters|"
        "mean of sections",
        of=of,
    )
