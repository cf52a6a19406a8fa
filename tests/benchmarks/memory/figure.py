"""Peak against length, a line for each technique, and how far each card goes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.memory.ladder import CARDS_GIB, GIB, GOALS, TO_SPARE_GIB

_TICKS = (4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048)


def draw(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a PNG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(9, 6))
    names = list(dict.fromkeys(row["technique"] for row in rows))
    for number, name in enumerate(names):
        own = [row for row in rows if row["technique"] == name]
        color = pyplot.colormaps["viridis"](number / len(names))
        lengths, peaks = [row["tokens"] for row in own], [row["peak_bytes"] / GIB for row in own]
        axis.plot(lengths, peaks, "o-", color=color, markersize=3.5, label=name)
    for card in CARDS_GIB:
        axis.axhline(card - TO_SPARE_GIB, color="#888888", linewidth=0.8, linestyle=":")
        beside = axis.get_yaxis_transform()
        axis.text(1.01, card - TO_SPARE_GIB, f"{card} GB", fontsize=8, va="center", color="#555555", transform=beside)
    goals = [(tokens, card - TO_SPARE_GIB) for card, tokens in GOALS.items()]
    axis.plot(*zip(*goals, strict=True), "kv", markersize=7, label="goals: below")
    axis.set_xscale("log")
    axis.set_yscale("log")
    lengths = sorted({row["tokens"] for row in rows})
    axis.set_xticks(lengths, [f"{length / 1000:.0f}k" for length in lengths])
    axis.set_yticks(_TICKS, [f"{tick:,}" for tick in _TICKS])
    axis.minorticks_off()
    axis.set_xlabel("tokens of one example")
    axis.set_ylabel("peak on the card, GiB")
    axis.grid(alpha=0.25)
    axis.legend(fontsize=8, frameon=False)
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    pyplot.close(figure)
