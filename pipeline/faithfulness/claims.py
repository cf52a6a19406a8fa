"""Which facts of a text are claims: not the numbers of its tables and rows, nor acronyms that name nobody."""

import re
from collections.abc import Sequence

from pipeline.facts import Fact
from pipeline.faithfulness.codes import spelt_codes
from pipeline.faithfulness.figures import UNIT
from pipeline.faithfulness.layout import Layout
from pipeline.faithfulness.names import COMMON_ACRONYMS
from pipeline.faithfulness.words import bare

_LABELLED = re.compile(
    r"(?<!\w)(?:apartats?|apartados?|seccions?|secció|secciones|sección|sections?|capítols?|capítulos?|chapters?|taul(?:a|es)"
    r"|tablas?|tables?|figur(?:a|es|as)|figures?|gràfics?|gráficos?|charts?|annex(?:os|es)?|annexe?s?|anexos?"
    r"|notas?|notes?|pàgin(?:a|es)|páginas?|pages?|pàgs?|págs?|pp?|núm|nº|no(?=\.))"
    r"\.?[ \u00a0](?:[0-9][0-9.]*(?:,| i| y| and| a| to|-|–)[ \u00a0]?)*\Z",
    re.IGNORECASE,
)
_FURTHEST = 60  # characters in front of a number that may name it


def claims_among(text: str, facts: Sequence[Fact], layout: Layout) -> list[Fact]:
    """The facts that must come from somewhere; "work package 3" is a code as "WP3" is."""
    rows = _row_numbers(text, facts, layout)
    codes = {end: form for form, _, end in spelt_codes(text)}
    return [
        Fact("code", f"code:{codes[fact.end]}", fact.start, fact.end) if fact.end in codes else fact
        for fact in facts
        if fact.start not in rows and not _is_label(text, fact)
    ]


def _is_label(text: str, fact: Fact) -> bool:
    if fact.kind in ("acronym", "name") and bare(text[fact.start : fact.end]) in UNIT:
        return True
    if fact.kind == "acronym":
        return fact.key.partition(":")[2] in COMMON_ACRONYMS
    if fact.kind != "number":
        return False
    return _LABELLED.search(text, max(0, fact.start - _FURTHEST), fact.start) is not None


def _row_numbers(text: str, facts: Sequence[Fact], layout: Layout) -> set[int]:
    """Where 1, 2, 3 ... stand down the first column of a table."""
    places: dict[int, list[tuple[int, str]]] = {}
    for fact in facts:
        row = layout.row_at(fact.start) if fact.kind == "number" else None
        if row and row.column(fact.start) == 0 and text[slice(*row.cells[0])].strip() == text[fact.start : fact.end]:
            places.setdefault(id(row.table), []).append((fact.start, text[fact.start : fact.end]))
    return {
        start
        for column in places.values()
        if [written for _, written in column] == [str(number) for number in range(1, len(column) + 1)]
        for start, _ in column
    }
