"""Building the window of a section: which of the earlier text stays, within a budget.

    earlier sections      ████ 1   ██ 2   ██████ 3   ███ 4   █████ 5      target 6
    shares by decay       ▏        ▎      ▌          ██      ████
    kept, whole pieces    1 […]    2 […]  3 … […]    4       5

1. Headings come first: they tell what there is. They may take half of the budget, or what the texts nearer than they
   leave over if that is more; the nearest come first.
2. The rest is shared by decay with the distance in sections, water-filled (see decay.py).
3. Each section keeps whole pieces from its beginning within its share; what the cuts leave over goes to the nearest
   that can use it.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pipeline.bases.tokens import Tokens
from pipeline.records import Section, Window, WindowPart
from pipeline.settings import Windows
from pipeline.windows.decay import decay_weights, water_fill
from pipeline.windows.pieces import Measured, count_within, measure

ELLIPSIS = "[…]"
_MARK, _MARK_AFTER_ROW = f" {ELLIPSIS}", f"\n\n{ELLIPSIS}"  # in a table's row it would read as one more cell


def build_window(earlier: Sequence[Measured], target: Section, tokens: Tokens, settings: Windows) -> Window:
    """The window of `target` over the sections before it, in document order.

    Nothing of the target but its identity is looked at. The sum of the parts' tokens never exceeds the budget.
    """
    with_heading = _headings_that_fit(earlier, settings.budget_tokens)
    headings_tokens = sum(earlier[i].heading_tokens for i in with_heading)
    mark_tokens = max(count_within(mark, tokens) for mark in (_MARK, _MARK_AFTER_ROW))
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


def window_of(sections: Sequence[Section], position: int, tokens: Tokens, settings: Windows) -> Window:
    """The window of the section at `position` alone; sections asked for again are not tokenised again."""
    return build_window([_measured(s, tokens) for s in sections[:position]], sections[position], tokens, settings)


_measured = lru_cache(maxsize=4096)(measure)


def _headings_that_fit(earlier: Sequence[Measured], budget: int) -> set[int]:
    """Indices of the sections whose headings stay: the nearest, as many as may be."""
    fitting: set[int] = set()
    headings = texts = 0
    for i in range(len(earlier) - 1, -1, -1):
        headings += earlier[i].heading_tokens
        if headings > max(budget // 2, budget - texts):
            break
        texts += earlier[i].tokens
        fitting.add(i)
    return fitting


def _keep_pieces(earlier: Sequence[Measured | None], budget: int, half_life: float, mark_tokens: int) -> list[int]:
    """How many pieces, from its beginning, each section keeps (None: a section that may keep nothing)."""
    sizes = [measured.tokens if measured else 0 for measured in earlier]
    shares = water_fill(sizes, decay_weights(len(earlier), half_life), budget)
    kept = [_pieces_for(share, measured, mark_tokens) for share, measured in zip(shares, earlier, strict=True)]
    spent = [_cost(measured, count, mark_tokens) for measured, count in zip(earlier, kept, strict=True)]
    left = budget - sum(spent)
    for i in range(len(earlier) - 1, -1, -1):  # the nearest first, else a further section could keep more than it
        kept[i] = _pieces_for(spent[i] + left, earlier[i], mark_tokens)
        left -= _cost(earlier[i], kept[i], mark_tokens) - spent[i]
    return kept


def _pieces_for(budget: int, measured: Measured | None, mark_tokens: int) -> int:
    """The most pieces that `budget` pays for."""
    if measured is None:
        return 0
    if measured.tokens <= budget:
        return measured.pieces
    return max(0, bisect_right(measured.tokens_before, budget - mark_tokens) - 1)


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
        text = text.rstrip()
        text += _MARK_AFTER_ROW if text.rpartition("\n")[2].startswith("|") else _MARK
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
