"""Recall against budget, a panel for each document."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_COLUMNS = 3
_STYLES = {"tail": ("#888888", "s"), "decay": ("#c2571a", "^"), "select": ("#0b5fa5", "o")}


def draw(
    path: Path, rows: Sequence[Mapping[str, Any]], tokens: Mapping[str, int], goals: Mapping[int, float], least: int
) -> None:
    """Write a PNG.

    Args:
        rows: of one document, policy and budget each, with recall and interval.
        tokens: of each document; a panel each.
        goals: recall that `select` is to reach, by budget, in documents of `least` tokens.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    lines = -(-len(tokens) // _COLUMNS)
    figure, axes = pyplot.subplots(lines, _COLUMNS, figsize=(13, 3.7 * lines), sharey=True, squeeze=False)
    for axis in axes.flat[len(tokens) :]:
        axis.set_visible(False)
    for axis, (name, count) in zip(axes.flat, tokens.items(), strict=False):
        _panel(axis, [row for row in rows if row["document"] == name and row["value"] is not None])
        axis.set_title(f"{name}\n{count:,} tokens", fontsize=9)
        if count > least:
            axis.plot(*zip(*goals.items(), strict=True), "k_", markersize=22, label="goal of select")
    for row in axes:
        row[0].set_ylabel("recall of facts told before")
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=len(labels), frameon=False)
    figure.tight_layout(rect=(0, 0.05, 1, 1))
    figure.savefig(path, dpi=130)
    pyplot.close(figure)


def _panel(axis: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    """Lines with their intervals, one a policy."""
    for policy in dict.fromkeys(row["policy"] for row in rows):
        own = [row for row in rows if row["policy"] == policy]
        budgets = [row["budget_tokens"] for row in own]
        color, marker = _STYLES[policy.split(",")[0]]
        line = ":" if "," in policy else "-"
        axis.plot(budgets, [row["value"] for row in own], line, color=color, marker=marker, markersize=4, label=policy)
        axis.fill_between(
            budgets, [row["low"] for row in own], [row["high"] for row in own], color=color, alpha=0.1, linewidth=0
        )
    budgets = sorted({row["budget_tokens"] for row in rows})
    axis.set_xscale("log")
    axis.set_xticks(budgets, [f"{budget // 1000}k" for budget in budgets])
    axis.minorticks_off()
    axis.set_xlabel("budget in tokens", fontsize=8)
    axis.set_ylim(0, 1.03)
    axis.grid(alpha=0.3)
