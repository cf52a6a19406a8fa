"""Drawings of a plan for the browser: the stacked bar, the peak against the length of an example, examples' lengths.

    bar         ████████▓▓▒▒▒░░░░░░│      a colour for each kind; the line is where the usable memory ends
    curve       GiB against tokens, whole and in parts, with the usable memory and what is asked
    histogram   the user's own examples by length, those beyond the limit in another colour

All is HTML and SVG without scripts; colours are classes of picture.css.
"""

from collections.abc import Iterator, Sequence
from html import escape

from pipeline.card import gib
from pipeline.planner.curve import Curve, curves, highest_drawn, longest_drawn, ticks
from pipeline.planner.lengths import Lengths
from pipeline.planner.plan import Plan
from pipeline.planner.told import by_kind

_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 62, 14, 22, 40
_CURVE_HEIGHT, _BARS_HEIGHT = 300, 190
_GIB = 2**30
_MOST_BEYOND = 1.6  # of the longest example: a limit further out is told, not drawn


def kind_class(name: str) -> str:
    """The class that has a kind's colour."""
    return "kind-" + "".join(c if c.isalnum() else "-" for c in name)


def bar(plan: Plan) -> str:
    """The stacked bar, as wide as the peak or the usable memory, whichever is more."""
    usable, peak = plan.memory.usable_bytes, plan.account.peak_bytes
    whole = max(usable, peak, 1)
    pieces = "".join(
        f'<i class="{kind_class(kind.name)}" style="width:{100 * count / whole:.3f}%" '
        f'title="{escape(kind.name)}: {gib(count)}"></i>'
        for kind, count in by_kind(plan)
    )
    at = 100 * usable / whole
    side = "end" if at > 50 else "start"
    return (
        f'<div class="stack" role="img" aria-label="{gib(peak)} at the peak, {gib(usable)} usable">'
        f'<div class="pieces">{pieces}</div><div class="limit {side}" style="left:{at:.3f}%">'
        f"<span>usable {gib(usable)}</span></div></div>"
    )


def curve(plan: Plan) -> str:
    """The peak against the length of the longest example."""
    end, top = longest_drawn(plan), highest_drawn(plan)
    frame = _Frame(end, top, _CURVE_HEIGHT)
    drawn = curves(plan)
    lines = "".join(
        f'<polyline class="{_line_class(place)}" points="'
        + " ".join(f"{frame.x(tokens):.1f},{frame.y(count):.1f}" for tokens, count in one.points)
        + '"/>'
        for place, one in enumerate(drawn)
    )
    asked, usable = frame.x(plan.run.tokens), frame.y(plan.memory.usable_bytes)
    marks = (
        f'<line class="usable" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{usable:.1f}" y2="{usable:.1f}"/>'
        f'<text class="told" x="{_WIDTH - _RIGHT - 4}" y="{usable - 6:.1f}" text-anchor="end">'
        f"usable {gib(plan.memory.usable_bytes)}</text>"
        f'<line class="asked" x1="{asked:.1f}" x2="{asked:.1f}" y1="{_TOP}" y2="{_CURVE_HEIGHT - _BOTTOM}"/>'
        f'<text class="told" x="{asked:.1f}" y="{_TOP - 8}" text-anchor="middle">asked: {plan.run.tokens:,}</text>'
        f'<circle class="asked" cx="{asked:.1f}" cy="{frame.y(plan.account.peak_bytes):.1f}" r="4.5"/>'
    )
    axes = frame.axes([(step, f"{step:,}") for step in ticks(end)], _gib_ticks(top), "tokens of the longest example")
    legend = "".join(
        f'<span><i class="{_line_class(place)}"></i>{one.name}{_above(one, top)}</span>'
        for place, one in enumerate(drawn)
    )
    return (
        f'<div class="lines">{legend}</div>'
        f"{frame.svg('Memory at the peak against the length of an example', axes + frame.clipped(lines) + marks)}"
    )


def histogram(lengths: Lengths, limit_tokens: int) -> str:
    """The user's own examples by length, against the limit."""
    bars = lengths.histogram()
    end = max(bars[-1][0], limit_tokens if limit_tokens <= _MOST_BEYOND * lengths.longest else 0)
    frame = _Frame(end, max(count for _, count in bars), _BARS_HEIGHT)
    inner = "".join(_columns(frame, bars, limit_tokens))
    if limit_tokens <= end:
        at = frame.x(limit_tokens)
        inner += (
            f'<line class="usable" x1="{at:.1f}" x2="{at:.1f}" y1="{_TOP - 6}" y2="{_BARS_HEIGHT - _BOTTOM}"/>'
            f'<text class="told" x="{at:.1f}" y="{_TOP - 10}" text-anchor="{"end" if at > _WIDTH / 2 else "start"}">'
            f"limit {limit_tokens:,}</text>"
        )
    counts = [(step, f"{step:,}") for step in ticks(frame.top, 3)]
    axes = frame.axes(
        [(step, f"{step:,}") for step in ticks(end)], counts, "tokens of an example, by how many have them"
    )
    return frame.svg("Lengths of the examples", axes + inner)


def _columns(frame: "_Frame", bars: list[tuple[int, int]], limit_tokens: int) -> Iterator[str]:
    begin = 0
    for end, count in bars:
        beyond = " beyond" if begin >= limit_tokens else ""
        left, right, top = frame.x(begin), frame.x(end), frame.y(count)
        yield (
            f'<rect class="bar{beyond}" x="{left + 1:.1f}" width="{max(1.0, right - left - 2):.1f}" y="{top:.1f}" '
            f'height="{frame.y(0) - top:.1f}"><title>{begin + 1:,} to {end:,} tokens: {count:,}</title></rect>'
        )
        begin = end


def _above(one: Curve, top_bytes: int) -> str:
    return " (above this picture)" if all(count > top_bytes for _, count in one.points) else ""


def _gib_ticks(top_bytes: int) -> list[tuple[float, str]]:
    return [(step * _GIB, f"{step:,} GiB") for step in ticks(top_bytes / _GIB, 5)]


def _line_class(place: int) -> str:
    return f"line-{place}"


class _Frame:
    """The plane of a drawing: `right` and `top` are the values at its upper right corner."""

    def __init__(self, right: float, top: float, height: int) -> None:
        self.right, self.top, self.height = right, top, height

    def x(self, value: float) -> float:
        """Where a value of the horizontal axis stands."""
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * value / self.right

    def y(self, value: float) -> float:
        """Where a value of the vertical axis stands."""
        floor = self.height - _BOTTOM
        return floor - (floor - _TOP) * value / self.top

    def axes(self, across: Sequence[tuple[float, str]], upward: Sequence[tuple[float, str]], title: str) -> str:
        """Grid lines and their values."""
        floor, right = self.height - _BOTTOM, _WIDTH - _RIGHT
        rows = "".join(
            f'<line class="grid" x1="{_LEFT}" x2="{right}" y1="{self.y(value):.1f}" y2="{self.y(value):.1f}"/>'
            f'<text x="{_LEFT - 8}" y="{self.y(value) + 4:.1f}" text-anchor="end">{said}</text>'
            for value, said in upward
        )
        marks = "".join(
            f'<text x="{self.x(value):.1f}" y="{floor + 17}" text-anchor="middle">{said}</text>'
            for value, said in across
        )
        middle = (_LEFT + right) / 2
        return f'{rows}{marks}<text x="{middle}" y="{self.height - 5}" text-anchor="middle">{title}</text>'

    def clipped(self, inner: str) -> str:
        """What may leave the plane, cut at its borders."""
        width, height = _WIDTH - _LEFT - _RIGHT, self.height - _BOTTOM - _TOP
        box = f'x="{_LEFT}" y="{_TOP}" width="{width}" height="{height}"'
        return f'<svg {box} viewBox="{_LEFT} {_TOP} {width} {height}">{inner}</svg>'

    def svg(self, name: str, inner: str) -> str:
        """The whole drawing, with a name for those who cannot see it."""
        box = f'viewBox="0 0 {_WIDTH} {self.height}"'
        return f'<div class="scroll"><svg class="chart" {box} role="img" aria-label="{name}">{inner}</svg></div>'
