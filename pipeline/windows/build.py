"""Building the window of a section: which of the earlier text stays, within a budget.

    earlier sections      ████ 1   ██ 2   ██████ 3   ███ 4   █████ 5      target 6
    shares by decay       ▏        ▎      ▌          ██      ████
    kept, whole pieces    1 […]    2 […]  3 … […]    4       5

1. Headings come first: they tell what there is. They may take at most half of the budget, the nearest first.
2. The rest is shared by decay with the distance in sections, water-filled (see decay.py).
3. Each section keeps whole pieces from its beginning within its share; what a cut leaves over flows on to the next
   section away, and in the end to the nearest that can use it.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from pipeline.bases.tokens import Tokens
from pipeline.records import Section, Window, WindowPart
from pipeline.settings import Windows
from pipeline.windows.decay import decay_weights, water_fill
from pipeline.windows.pieces import Measured, measure

ELLIPSIS = "[…]"


def build_window(earlier: Sequence[Measured], target: Section, tokens: Tokens, settings: Windows) -> Window:
    """The window of `target` over the sections before it, in document order.

    Nothing of the target but its identity is looked at. The sum of the parts' tokens never exceeds the budget.
    """
    with_heading = _headings_that_fit(earlier, settings.budget_tokens // 2)
    headings_tokens = sum(earlier[i].heading_tokens for i in with_heading)
    mark_tokens = tokens.count(f" {ELLIPSIS}\n\n")
    kept = _keep_pieces(
        [measured if i in with_heading else None for i, measured in enumerate(earlier)],
        settings.budget_tokens - headings_tokens,
        settings.half_life_sections,
        mark_tokens,
    )
    parts = tuple(
        _part(measured, count, i in with_heading, mark_tokens)
        for i, (measured, count) in enumerate(zip(earlier, kept, strict=True))
    )
    return Window(
        document=target.document,
        section=target.id,
        policy=settings.policy,
        tokenizer=tokens.name,
        budget_tokens=settings.budget_tokens,
        used_tokens=sum(part.tokens for part in parts),
        parts=parts,
    )


def build_windows(sections: Sequence[Section], tokens: Tokens, settings: Windows) -> Iterator[Window]:
    """The windows of all sections of a report, in order; each section is tokenised once."""
    measured: list[Measured] = []
    for section in sections:
        yield build_window(measured, section, tokens, settings)
        measured.append(measure(section, tokens))


def _headings_that_fit(earlier: Sequence[Measured], budget: int) -> set[int]:
    """Indices of the sections whose headings stay: the nearest, as many as `budget` holds."""
    fitting: set[int] = set()
    for i in range(len(earlier) - 1, -1, -1):
        budget -= earlier[i].heading_tokens
        if budget < 0:
            break
        fitting.add(i)
    return fitting


def _keep_pieces(earlier: Sequence[Measured | None], budget: int, half_life: float, mark_tokens: int) -> list[int]:
    """How many pieces, from its beginning, each section keeps (None: a section that may keep nothing)."""
    sizes = [measured.tokens if measured else 0 for measured in earlier]
    shares = water_fill(sizes, decay_weights(len(earlier), half_life), budget)
    kept, carry = [0] * len(earlier), 0
    for i in range(len(earlier) - 1, -1, -1):  # what a cut leaves over flows outwards ...
        kept[i], carry = _take(earlier[i], 0, shares[i] + carry, mark_tokens)
    for i in range(len(earlier) - 1, -1, -1):  # ... and then to the nearest that can use it
        spent = _cost(earlier[i], kept[i], mark_tokens)
        kept[i], carry = _take(earlier[i], kept[i], spent + carry, mark_tokens)
    return kept


def _take(measured: Measured | None, kept: int, budget: int, mark_tokens: int) -> tuple[int, int]:
    """The most pieces (at least `kept`) that `budget` pays for, and what is left of it."""
    if measured is None:
        return 0, budget
    if measured.tokens <= budget:
        return measured.pieces, budget - measured.tokens
    fitting = bisect_right(measured.tokens_before, budget - mark_tokens) - 1
    best = max(kept, fitting, 0)
    return best, budget - _cost(measured, best, mark_tokens)


def _cost(measured: Measured | None, count: int, mark_tokens: int) -> int:
    """Tokens of the first `count` pieces, with the mark of a cut if there is one."""
    if measured is None or count == 0:
        return 0
    return measured.tokens_before[count] + (mark_tokens if count < measured.pieces else 0)


def _part(measured: Measured, count: int, has_heading: bool, mark_tokens: int) -> WindowPart:
    section, total = measured.section, measured.pieces
    end = measured.cuts[count]
    text = section.text[:end]
    if 0 < count < total:
        text = f"{text.rstrip()} {ELLIPSIS}"
    heading_tokens = measured.heading_tokens if has_heading else 0
    return WindowPart(
        section=section.id,
        title=section.title,
        level=section.level,
        spans=((0, end),) if count else (),
        text=text,
        tokens=heading_tokens + _cost(measured, count, mark_tokens),
        share_kept=1.0 if count == total else end / len(section.text),
        reason=_reason(has_heading, count, total),
    )


def _reason(has_heading: bool, count: int, total: int) -> str:
    if not has_heading:
        return "dropped: the budget holds no more headings"
    if count == total:
        return "whole"
    return f"first {count} of {total} pieces" if count else "heading only"
