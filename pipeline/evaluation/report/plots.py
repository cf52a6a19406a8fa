"""Plots as SVG inside a page: they take their colours from the page's style, legible in light and in dark.

    interval     worse <── ──┼──●────── ──> better         a line a score, each on a scale of its own
    sections     ▁▂▃▅▇ bars, from the section that lost most to the one that gained most
    places       a dot a section, where it stands in its report; a line through the means of fifths

Right and up always mean: the candidate is better.
"""

from collections.abc import Iterable, Sequence
from html import escape
from statistics import fmean

from pipeline.evaluation.comparison import Comparison
from pipeline.evaluation.found import SectionFound

_WIDE, _HIGH = 760, 190
_LEFT, _TOP, _BOTTOM = 52, 12, 26
_FIFTHS = 5
_CLASSES = {"better": "better", "worse": "worse", "no difference shown": "even"}


def reach_of(comparisons: Iterable[Comparison]) -> float:
    """How far from zero a scale must go that holds the intervals of all."""
    return max((abs(end) for comparison in comparisons for end in comparison.harm), default=0.0)


def interval(comparison: Comparison, margin: float | None = None, reach: float = 0.0) -> str:
    """A comparison's interval about zero, and the margin of harm that the gate allows.

    Args:
        reach: how far from zero the scale goes at least: the same for all that are to be compared by eye.
    """
    best, likely, worst = (-harm for harm in comparison.harm)
    reach = 1.12 * max(reach, reach_of([comparison]), margin or 0) or 1.0

    def x(gain: float) -> float:
        return 130 + 124 * gain / reach

    dashed = f'<line class="margin" x1="{x(-margin):.1f}" x2="{x(-margin):.1f}" y1="2" y2="24"/>' if margin else ""
    drawn = (
        f'<line class="axis" x1="4" x2="256" y1="13" y2="13"/><line class="zero" x1="130" x2="130" y1="2" y2="24"/>'
        f"{dashed}"
        f'<line class="reach" x1="{x(worst):.1f}" x2="{x(best):.1f}" y1="13" y2="13"/>'
        f'<circle cx="{x(likely):.1f}" cy="13" r="4.5"/>'
    )
    title = f"{comparison.title}: {comparison.effect}"
    return _svg(260, 26, title, drawn, f"interval {_CLASSES[comparison.effect]}")


def sections(rows: Sequence[SectionFound]) -> str:
    """A bar a section: bits per byte that the candidate saves on it."""
    gains = sorted((-row.difference, row.heading) for row in rows)
    scale = _Scale([gain for gain, _ in gains])
    step = (_WIDE - _LEFT - 8) / len(gains)
    bars = "".join(
        f'<rect class="{"better" if gain > 0 else "worse"}" x="{_LEFT + 4 + i * step:.2f}" '
        f'y="{min(scale.y(gain), scale.y(0)):.2f}" width="{max(step * 0.82, 0.6):.2f}" '
        f'height="{max(abs(scale.y(gain) - scale.y(0)), 0.6):.2f}"><title>{escape(heading)} {gain:+.3f}</title></rect>'
        for i, (gain, heading) in enumerate(gains)
    )
    return _svg(_WIDE, _HIGH, "Bits per byte saved, section by section", scale.axis() + bars, "chart")


def places(rows: Sequence[SectionFound]) -> str:
    """A dot a section: bits per byte saved against how far down its report it stands. Empty where that is not known."""
    known = [(row.place, -row.difference, row.heading) for row in rows if row.place is not None]
    if not known:
        return ""
    scale = _Scale([gain for _, gain, _ in known])

    def x(place: float) -> float:
        return _LEFT + 10 + place * (_WIDE - _LEFT - 24)

    dots = "".join(
        f'<circle class="{"better" if gain > 0 else "worse"}" cx="{x(place):.1f}" cy="{scale.y(gain):.1f}" r="3.2">'
        f"<title>{escape(heading)} {gain:+.3f}</title></circle>"
        for place, gain, heading in known
    )
    fifths: list[list[float]] = [[] for _ in range(_FIFTHS)]
    for place, gain, _ in known:
        fifths[min(int(place * _FIFTHS), _FIFTHS - 1)].append(gain)
    means = [((i + 0.5) / _FIFTHS, fmean(fifth)) for i, fifth in enumerate(fifths) if fifth]
    line = " ".join(f"{x(place):.1f},{scale.y(gain):.1f}" for place, gain in means)
    ends = (
        f'<text x="{x(0):.0f}" y="{_HIGH - 6}">beginning of the report</text>'
        f'<text x="{x(1):.0f}" y="{_HIGH - 6}" text-anchor="end">end</text>'
    )
    drawn = f'{scale.axis()}{dots}<polyline class="means" points="{line}"/>{ends}'
    return _svg(_WIDE, _HIGH, "Bits per byte saved, by place in the report", drawn, "chart")


class _Scale:
    """The vertical scale of a chart; it always holds zero."""

    def __init__(self, gains: Iterable[float]) -> None:
        values = [0.0, *gains]
        self._low, self._high = min(values), max(values)
        if self._low == self._high:
            self._low, self._high = -1.0, 1.0

    def y(self, gain: float) -> float:
        share = (gain - self._low) / (self._high - self._low)
        return _HIGH - _BOTTOM - share * (_HIGH - _BOTTOM - _TOP)

    def axis(self) -> str:
        """Lines and labels at zero and at both ends."""
        return "".join(
            f'<line class="{"zero" if gain == 0 else "axis"}" x1="{_LEFT}" x2="{_WIDE}" y1="{self.y(gain):.1f}" '
            f'y2="{self.y(gain):.1f}"/><text x="{_LEFT - 6}" y="{self.y(gain) + 4:.1f}" text-anchor="end">'
            f"{f'{gain:+.2f}' if gain else '0'}</text>"
            for gain in self._labelled()
        )

    def _labelled(self) -> list[float]:
        """Zero, and each end that stands clear of it."""
        clear = 0.12 * (self._high - self._low)
        return [0.0, *(end for end in (self._low, self._high) if abs(end) > clear)]


def _svg(width: int, height: int, title: str, drawn: str, name: str) -> str:
    return f'<svg class="{name}" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">{drawn}</svg>'
