"""An answer of the planner as an image: the stacked bar, and the peak against the length of an example."""

from typing import TYPE_CHECKING

from pipeline.card import gib
from pipeline.planner import told
from pipeline.planner.answer import Answer
from pipeline.planner.curve import curves, highest_drawn, longest_drawn
from pipeline.planner.plan import Plan
from pipeline.plots import new_figure, png_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GIB = 2**30
_INK, _FREE, _LINES = "#1d2733", "#e1e6eb", ("#c2560c", "#0b6e6e")


def png_of(found: Answer) -> bytes:
    """The image, as PNG.

    Raises:
        UserError: matplotlib is not installed.
    """
    plan = found.plan
    figure = new_figure(11, 6.4)
    upper, lower = figure.subplots(2, 1, height_ratios=(1, 3.4))
    figure.suptitle(told.question(plan), fontsize=10, color=_INK, x=0.01, ha="left", parse_math=False)
    _draw_bar(upper, plan)
    _draw_curves(lower, plan)
    return png_bytes(figure)


def _draw_bar(axes: "Axes", plan: Plan) -> None:
    """Bytes by kind, stacked, and the line where the usable memory ends."""
    usable, begin = plan.memory.usable_bytes / _GIB, 0.0
    axes.barh(0, usable, color=_FREE, height=0.8)
    for kind, count in told.by_kind(plan):
        label = f"{kind.name} {gib(count)}"
        axes.barh(0, count / _GIB, left=begin, color=kind.light, height=0.8, label=label)
        begin += count / _GIB
    axes.axvline(usable, color=_INK, linewidth=1.5)
    said = told.verdict(plan)
    axes.set_title(said[0].upper() + said[1:], fontsize=12, color=_INK, loc="left", parse_math=False)
    axes.set_yticks([])
    axes.set_xlim(0, max(begin, usable) * 1.02 or 1)
    axes.xaxis.set_major_formatter("{x:g} GiB")
    axes.tick_params(labelsize=8)
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.35), ncols=5, frameon=False, fontsize=8, borderpad=0)
    _unframe(axes)


def _draw_curves(axes: "Axes", plan: Plan) -> None:
    """The peak by length, with the usable memory and what is asked."""
    usable, asked = plan.memory.usable_bytes / _GIB, plan.run.tokens
    for curve, colour in zip(curves(plan), _LINES, strict=False):
        lengths, peaks = zip(*curve.points, strict=True)
        axes.plot(lengths, [peak / _GIB for peak in peaks], color=colour, linewidth=2, label=curve.name)
    axes.axhline(usable, color=_INK, linewidth=1.2, label=f"usable {gib(plan.memory.usable_bytes)}")
    axes.axvline(asked, color=_INK, linewidth=1, linestyle="--", label=f"asked: {asked:,} tokens")
    axes.plot([asked], [plan.account.peak_bytes / _GIB], "o", color=_INK)
    axes.set(xlim=(0, longest_drawn(plan)), ylim=(0, highest_drawn(plan) / _GIB))
    axes.set_xlabel("tokens of the longest example", fontsize=8)
    axes.set_ylabel("GiB at the peak", fontsize=8)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.tick_params(labelsize=8)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False, fontsize=8)
    _unframe(axes)


def _unframe(axes: "Axes") -> None:
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
