"""Sections as they truly are beside what the contenders wrote, the candidate's worst first."""

from collections.abc import Sequence

from pipeline.evaluation.found import SectionFound
from pipeline.evaluation.scores import Judged
from pipeline.records import Language, Record


class Mark(Record):
    """Characters [start, end) of a written section: a fact, of this kind, that nothing supports."""

    start: int
    end: int
    kind: str


class SideBySide(Record):
    """One held-out section: as it truly is, as the reference wrote it, and as the candidate wrote it.

    `difference` is what its true text cost, in bits per byte, candidate - reference. The marks are unsupported facts.
    """

    example: str
    report: str
    language: Language | None
    heading: str
    difference: float
    true: str
    reference: str
    candidate: str
    reference_marks: tuple[Mark, ...] = ()
    candidate_marks: tuple[Mark, ...] = ()


def side_by_side(
    reference: Sequence[Judged], candidate: Sequence[Judged], rows: Sequence[SectionFound]
) -> list[SideBySide]:
    """Put what both wrote beside the true sections: first those where the candidate invented most, then those whose
    true text it knew worst, compared with the reference.

    Args:
        rows: what was found of these sections, among others.
    """
    row_of = {row.example: row for row in rows}
    pairs = [
        SideBySide(
            example=row.example,
            report=row.report,
            language=row.language,
            heading=row.heading,
            difference=row.difference,
            true=before.example.target,
            reference=before.text,
            candidate=after.text,
            reference_marks=_marks(before),
            candidate_marks=_marks(after),
        )
        for before, after in zip(reference, candidate, strict=True)
        for row in (row_of[before.example.id],)
    ]
    return sorted(pairs, key=lambda pair: (-len(pair.candidate_marks), -pair.difference))


def _marks(judged: Judged) -> tuple[Mark, ...]:
    return tuple(Mark(start=claim.start, end=claim.end, kind=claim.kind) for claim in judged.traced.unsupported)
