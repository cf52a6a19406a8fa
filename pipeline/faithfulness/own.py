"""What a text makes of its own supported claims: totals of its tables and lists, shares, acronyms that it explains."""

from collections.abc import Sequence
from decimal import Decimal

from pipeline.facts import Fact
from pipeline.faithfulness.derived import Series, series_of
from pipeline.faithfulness.figures import Figure, is_rounding
from pipeline.faithfulness.layout import Layout
from pipeline.faithfulness.lookup import Asked
from pipeline.faithfulness.names import NameText, initials
from pipeline.faithfulness.records import OWN_TEXT, Support

Supports = dict[int, Support | None]


def complete(
    text: str,
    claimed: Sequence[Fact],
    figures: dict[int, Figure],
    supports: Supports,
    layout: Layout,
    asked: Sequence[Asked],
) -> None:
    """Fill in the support of claims that follow from other claims of the text. More support never takes any away."""
    _explained(text, claimed, supports)
    missing = [figures[fact.start] for fact in claimed if fact.start in figures and supports[fact.start] is None]
    if not missing:
        return
    series = series_of(text, list(figures.values()), layout)
    for claim in missing:
        supports[claim.start] = _sum(claim, series, figures, supports, layout)
    for claim in missing:
        if claim.kind == "percentage" and supports[claim.start] is None:
            supports[claim.start] = _share(claim, figures, supports, layout, asked)


def _explained(text: str, claimed: Sequence[Fact], supports: Supports) -> None:
    """Acronyms of names that are supported: "Agència de Salut Pública (ASP)"."""
    missing = [fact for fact in claimed if fact.kind == "acronym" and supports[fact.start] is None]
    if not missing:
        return
    names = [fact for fact in claimed if fact.kind == "name" and supports[fact.start] is not None]
    known: dict[str, Fact] = {}
    for fact in names:
        for letters in initials(NameText(text[fact.start : fact.end])):
            known.setdefault(letters, fact)
    for fact in missing:
        name = known.get(fact.key.partition(":")[2])
        if name:
            supports[fact.start] = Support(OWN_TEXT, name.start, name.end, "spelt out")


def _sum(
    claim: Figure, series: Sequence[Series], figures: dict[int, Figure], supports: Supports, layout: Layout
) -> Support | None:
    """The sum of supported figures right before the claim, or right behind it, in its series; or of its column."""
    for one in series:
        members = list(one.figures)
        if claim in members:
            at = members.index(claim)
            runs = [members[first:at] for first in range(at - 1)] + [
                members[at + 1 : end] for end in range(at + 3, len(members) + 1)
            ]
        elif one.total == claim:
            runs = [members]
        else:
            continue
        for run in runs:
            if all(supports.get(member.start) for member in run) and _makes(claim, sum(m.value for m in run), run):
                return Support(OWN_TEXT, run[0].start, run[-1].end, "sum")
    return None


def _makes(claim: Figure, value: Decimal | int, members: Sequence[Figure]) -> bool:
    return value == claim.value or is_rounding(claim, Decimal(value), min(member.step for member in members))


def _share(
    claim: Figure, figures: dict[int, Figure], supports: Supports, layout: Layout, asked: Sequence[Asked]
) -> Support | None:
    """A percentage that one figure is of another, where the claim's own sentence or row states at least one of them.

    The other is in that sentence too, or beside the first in its source: in its sentence or row, or the total of its
    column.
    """
    around = layout.around(claim.start)
    beside = [
        figure
        for figure in figures.values()
        if figure.kind != "percentage" and layout.around(figure.start) == around and supports.get(figure.start)
    ]
    for part in beside:
        support = supports[part.start]
        assert support is not None
        others = [figure for figure in beside if figure is not part] + _partners(support, asked)
        for other in others:
            if _comparable(part, other) and _is_share(claim, part.value, other.value):
                return Support(support.source, support.start, support.end, "share")
    return None


def _comparable(one: Figure, other: Figure) -> bool:
    return one.kind == other.kind and (one.unit == other.unit or None in (one.unit, other.unit))


def _is_share(claim: Figure, one: Decimal, other: Decimal) -> bool:
    if not one or not other:
        return False
    shares = (100 * one / other, 100 * other / one, abs(100 * (one - other) / other), abs(100 * (other - one) / one))
    return any(abs(share - claim.value) * 2 <= min(claim.step, Decimal(1)) for share in shares)


def _partners(support: Support, asked: Sequence[Asked]) -> list[Figure]:
    """The figures beside the one that a support names."""
    for one in asked:
        if one.source.name != support.source:
            continue
        for offset, block in one.read.blocks:
            if not offset <= support.start < offset + len(block.text):
                continue
            place = support.start - offset
            return [
                figure
                for series in block.series
                if any(member.start == place for member in series.figures)
                for figure in ((series.total,) if series.shape == "column" else series.figures)
                if figure is not None and figure.start != place
            ]
    return []
