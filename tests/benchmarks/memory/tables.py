"""The ladder as Markdown."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.benchmarks.memory.ladder import CARDS_GIB, GIB, GOALS, LENGTHS, TO_SPARE_GIB, Goal

_SHOWN = 12  # places at the peak
Row = Mapping[str, Any]


def printed(rows: Sequence[Row], longest: Mapping[str, Mapping[int, int | None]], goals: Sequence[Goal]) -> str:
    """All tables."""
    return "\n".join([*_peaks(rows), *_longest(longest), *_at_peak(rows), *_goals(goals)])


def _peaks(rows: Sequence[Row]) -> Iterator[str]:
    lengths = sorted({row["tokens"] for row in rows})
    yield "## Peak on the card, GiB (Qwen3-8B, rank 16, one example at a time)\n"
    yield _line("technique", "static", *(_short(length) for length in lengths), f"host, {_short(lengths[-1])}")
    yield _rule(len(lengths) + 3)
    for name in dict.fromkeys(row["technique"] for row in rows):
        own = {row["tokens"]: row for row in rows if row["technique"] == name}
        last = own[lengths[-1]]
        peaks = [f"{own[length]['peak_bytes'] / GIB:.1f}" for length in lengths]
        yield _line(name, f"{last['static_bytes'] / GIB:.2f}", *peaks, f"{last['host_bytes'] / GIB:.1f}")


def _longest(longest: Mapping[str, Mapping[int, int | None]]) -> Iterator[str]:
    yield f"\n## Longest example, tokens; {TO_SPARE_GIB:g} GiB of each card to spare\n"
    yield _line("technique", *(f"{card} GB" for card in CARDS_GIB))
    yield _rule(len(CARDS_GIB) + 1)
    for name, by_card in longest.items():
        yield _line(name, *(f"{by_card[card]:,}" if by_card[card] else f"under {LENGTHS[0]:,}" for card in CARDS_GIB))
    yield "\nA card sold with 16 GB has 16 GiB. What is spared is for the CUDA context (some 0.5), the driver's own"
    yield "(below 0.1) and gaps between blocks. Lines through the lengths above; beyond the last, its line goes on."


def _at_peak(rows: Sequence[Row]) -> Iterator[str]:
    last = rows[-1]
    yield f"\n## Alive at the peak, MiB: all techniques, {last['tokens']:,} tokens\n"
    yield _line("what", "MiB")
    yield _rule(2)
    for name, held in sorted(last["components"].items(), key=lambda item: -item[1]):
        if held >= 1 << 20:
            yield _line(name, f"{held / (1 << 20):,.0f}")
    yield "\nOf it, kept and worked with, by the place in the code that made it:\n"
    yield _line("place", "MiB")
    yield _rule(2)
    for name, held in list(last["at_peak"].items())[:_SHOWN]:
        yield _line(f"`{name}`", f"{held / (1 << 20):,.0f}")


def _goals(goals: Sequence[Goal]) -> Iterator[str]:
    yield "\n## Goals\n"
    yield _line("card", "tokens", "peak, GiB", "at most", "")
    yield _rule(5)
    for goal in goals:
        met = "met" if goal.met else "**missed**"
        yield _line(f"{goal.card_gib} GB", f"{goal.tokens:,}", f"{goal.peak_gib:.2f}", f"{goal.usable_gib:g}", met)
    assert len(goals) == len(GOALS)


def _short(tokens: int) -> str:
    return f"{tokens / 1000:.0f}k"


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(cells: int) -> str:
    return f"|{'---|' * cells}"
