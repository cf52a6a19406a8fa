"""The results as Markdown."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.benchmarks.windows.goals import LONG_TOKENS

Rows = Sequence[Mapping[str, Any]]


def printed(results: Mapping[str, Rows]) -> str:
    """All tables."""
    found = [row for row in results["recall"] if row["facts"] == "found"]
    in_all, by_kind = [r for r in found if r["kind"] == "all"], [r for r in found if r["kind"] != "all"]
    true = [row for row in results["recall"] if row["facts"] == "true"]
    pieces = ["### Settings", plain(results["settings"]), "### Documents", plain(results["documents"])]
    pieces.append("### Recall of facts that were told before, with intervals of 95%, by budget")
    pieces.append(pivot(in_all, ("document", "policy"), "budget_tokens", ("sections", "wanted"), _share))
    pieces.append("### The same of facts that truly recur, told of the same by the sample reports' own record")
    pieces.append(pivot(true, ("document", "policy"), "budget_tokens", ("sections", "wanted"), _share))
    for budget in dict.fromkeys(row["budget_tokens"] for row in by_kind):
        own = [row for row in by_kind if row["budget_tokens"] == budget]
        pieces.append(f"### The same by kind, at {budget} tokens")
        pieces.append(pivot(own, ("document", "kind"), "policy", ("wanted",), _share))
    pieces.append("### Share of the prompts' tokens that a prefix cache serves")
    pieces.append(pivot(results["prefix"], ("document", "policy"), "budget_tokens", ("prompts",), _cached))
    pieces.append("### Seconds of one core for all windows of the long sample report, at 20,000 tokens")
    pieces.append(plain([_per_section(row) for row in results["seconds"]]))
    pieces.append(f"### Goals, for documents over {LONG_TOKENS} tokens")
    pieces.append(plain([{**goal, "met": "met" if goal["met"] else "**missed**"} for goal in results["goals"]]))
    return "\n\n".join(pieces) + "\n"


def plain(rows: Rows) -> str:
    """A line for each row, a column for each of its values."""
    if not rows:
        return "none"
    lines = [" | ".join(name.replace("_", " ") for name in rows[0]), " | ".join("---" for _ in rows[0])]
    lines += [
        " | ".join(f"{value:,}" if isinstance(value, int) else str(value) for value in row.values()) for row in rows
    ]
    return "\n".join(f"| {line} |" for line in lines)


def pivot(
    rows: Rows, by: Sequence[str], across: str, also: Sequence[str], cell: Callable[[Mapping[str, Any]], str]
) -> str:
    """A line for each combination of `by`, with what `also` says of it; a column for each value of `across`."""
    columns = list(dict.fromkeys(row[across] for row in rows))
    lines: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        line = lines.setdefault(tuple(row[name] for name in by), {name: row[name] for name in (*by, *also)})
        line[str(row[across])] = cell(row)
    return plain([{name: line.get(name, "") for name in (*by, *also, *map(str, columns))} for line in lines.values()])


def _share(row: Mapping[str, Any]) -> str:
    return "" if row["value"] is None else f"{row['value']:.3f} ({row['low']:.2f}–{row['high']:.2f})"


def _cached(row: Mapping[str, Any]) -> str:
    return f"{row['share']:.1%} of {row['tokens']:,}"


def _per_section(row: Mapping[str, Any]) -> dict[str, Any]:
    shown = {"times as long": row["length"], "sections": row["sections"], "tokens": row["tokens"]}
    shown["runs, the best counts"] = row["repeats"]
    for name in ("facts_and_words", "choosing", "in_all"):
        shown[name] = f"{row[name]:.2f} s, {1000 * row[name] / row['sections']:.1f} ms a section"
    return shown
