"""Every claim of a text, held against its sources."""

import re
from collections.abc import Sequence

from pipeline.facts import Fact, facts_of
from pipeline.faithfulness.claims import claims_among
from pipeline.faithfulness.figures import Figure, figures_of
from pipeline.faithfulness.layout import Layout
from pipeline.faithfulness.lookup import Asked, added_up, other_support, rounded, said
from pipeline.faithfulness.own import complete
from pipeline.faithfulness.records import Claim, Owed, Source, Support, Traced
from pipeline.records import Language

# "In 200 words" asks for a length, and is nothing to be said.
_LENGTH = re.compile(
    r"[ \u00a0](?:paraul|palabra|word|l[ií]ni|l[ií]nea|line|par[aàá]gr|p[aàá]gin|page"
    r"|frase|sentence|car[aàá]cter|character)",
    re.IGNORECASE,
)


def trace(text: str, language: Language | None, sources: Sequence[Source]) -> Traced:
    """Trace every number, amount, date, percentage, acronym, code, address and name of a text to its sources.

    Args:
        text: Markdown.
        language: what it is written in; None where that is not known.
        sources: the first that supports a claim is named; names of sources need not differ.
    """
    layout, facts = Layout(text), facts_of(text, language)
    claimed = claims_among(text, facts, layout)
    figures = {figure.start: figure for figure in figures_of(text, claimed, layout)}
    asked = [Asked.of(source, language) for source in sources]
    supports = {fact.start: _support(text, fact, figures, asked) for fact in claimed}
    complete(text, claimed, figures, supports, layout, asked)
    claims = tuple(Claim(fact.kind, fact.start, fact.end, supports[fact.start]) for fact in claimed)
    return Traced(claims, _unused(text, language, claims, sources))


def _support(text: str, fact: Fact, figures: dict[int, Figure], asked: Sequence[Asked]) -> Support | None:
    figure = figures.get(fact.start)
    if figure is None:
        return next((found for one in asked if (found := other_support(text, fact, one))), None)
    for look in (said, rounded, added_up):
        for one in asked:
            if found := look(figure, one):
                return found
    return None


def _unused(
    text: str, language: Language | None, claims: Sequence[Claim], sources: Sequence[Source]
) -> tuple[Owed, ...]:
    """Owed facts that the text does not state: no claim comes from there, and none says the same."""
    used = {(c.support.source, c.support.start) for c in claims if c.support}
    itself = [Asked.of(Source("text", text, language), None)]
    unused = []
    for source in sources:
        if not source.owed:
            continue
        layout, facts = Layout(source.text), facts_of(source.text, source.language)
        owed = claims_among(source.text, facts, layout)
        figures = {figure.start: figure for figure in figures_of(source.text, owed, layout)}
        for fact in owed:
            is_owed = any(start <= fact.start < end for start, end in source.owed)
            if not is_owed or _LENGTH.match(source.text, fact.end):
                continue
            if (source.name, fact.start) not in used and not _support(source.text, fact, figures, itself):
                unused.append(Owed(source.name, fact.kind, fact.start, fact.end))
    return tuple(unused)
