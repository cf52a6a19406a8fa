"""What a text makes of its own supported claims: totals of its tables and lists, shares, acronyms that it explains."""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from pipeline.facts import Fact
from pipeline.faithfulness.derived import Series, series_of
from pipeline.faithfulness.figures import Figure, compatible, is_rounding
from pipeline.faithfulness.layout import Layout
from pipeline.faithfulness.lookup import Asked
from pipeline.faithfulness.names import NameText, initials
from pipeline.faithfulness.records import OWN_TEXT, Support

Supports = dict[int, Support | None]
_MOST_BESIDE = 20  # figures of one sentence: among more, any share is to be had


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
    around: dict[int, list[Series]] = defaultdict(list)
    for one in series_of(text, list(figures.values()), layout):
        for figure in (*one.figures, *([one.total] if one.total else [])):
            around[figure.start].append(one)
    for claim in missing:
        its = around[claim.start]
        supports[claim.start] = _sum(claim, its, supports) or _difference(claim, its, supports)
    shares = [claim for claim in missing if claim.kind == "percentage" and supports[claim.start] is None]
    if not shares:
        return
    beside: dict[tuple[int, int], list[Figure]] = defaultdict(list)
    for figure in figures.values():
        if figure.kind != "percentage":
            beside[layout.around(figure.start)].append(figure)
    for claim in shares:
        its_own = beside[layout.around(claim.start)]
        if len(its_own) <= _MOST_BESIDE:
            its_own = [figure for figure in its_own if supports.get(figure.start)]
            supports[claim.start] = _share(claim, its_own, supports, asked)


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


def _sum(claim: Figure, series: Sequence[Series], supports: Supports) -> Support | None:
    """The sum of supported figures right before the claim, or right behind it, in its series; or of its column."""
    for one in series:
        members = list(one.figures)
        if claim in members:
            at = members.index(claim)
            runs = [members[first:at] for first in range(at - 1)] + [
                members[at + 1 : end] for end in range(at + 3, len(members) + 1)
            ]
        else:
            runs = [members]
        for run in runs:
            if all(supports.get(member.start) for member in run) and _makes(claim, sum(m.value for m in run), run):
                return Support(OWN_TEXT, run[0].start, run[-1].end, "sum")
    return None


def _difference(claim: Figure, series: Sequence[Series], supports: Supports) -> Support | None:
    """The difference of two supported figures that stand side by side in the claim's sentence or row."""
    for one in series:
        if one.shape not in ("sentence", "row") or claim not in one.figures:
            continue
        others = [figure for figure in one.figures if figure is not claim]
        for left, right in zip(others, others[1:], strict=False):
            if supports.get(left.start) and supports.get(right.start) and abs(left.value - right.value) == claim.value:
                return Support(OWN_TEXT, left.start, right.end, "difference")
    return None


def _makes(claim: Figure, value: Decimal | int, members: Sequence[Figure]) -> bool:
    return value == claim.value or is_rounding(claim, Decimal(value), min(member.step for member in members))


def _share(claim: Figure, beside: Sequence[Figure], supports: Supports, asked: Sequence[Asked]) -> Support | None:
    """A percentage that one figure is of another, where the claim's own sentence or row states at least one of them.

    The other is in that sentence too, or beside the first in its source: in its sentence or row, or the total of its
    column.
    """
    for part in beside:
        others = [figure for figure in beside if figure is not part] + _partners(part, asked)
        for other in others:
            if _comparable(part, other) and _is_share(claim, part.value, other.value):
                return supports[part.start]._replace(how="share")  # type: ignore[union-attr]
    return None


def _comparable(one: Figure, other: Figure) -> bool:
    return one.kind == other.kind and (one.unit == other.unit or None in (one.unit, other.unit))


def _is_share(claim: Figure, one: Decimal, other: Decimal) -> bool:
    if not one or not other:
        return False
    shares = (100 * one / other, 100 * other / one, abs(100 * (one - other) / other), abs(100 * (other - one) / one))
    return any(abs(share - claim.value) * 2 <= min(claim.step, Decimal(1)) for share in shares)


def _partners(part: Figure, asked: Sequence[Asked]) -> list[Figure]:
    """The figures beside one, wherever a source says it."""
    found: list[Figure] = []
    for one in asked:
        for placed in one.read.figures.get(part.value, ()):
            if isinstance(placed.figure, Figure) and compatible(part, placed.figure):
                block = one.read.blocks[placed.block][1]
                found += _beside(placed.figure, block.series)
    return found


def _beside(figure: Figure, series: Sequence[Series]) -> list[Figure]:
    return [
        other
        for one in series
        if any(member.start == figure.start for member in one.figures)
        for other in ((one.total,) if one.shape == "column" else one.figures)
        if other is not None and other.start != figure.start
    ]
