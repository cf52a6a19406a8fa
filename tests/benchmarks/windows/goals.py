"""What the windows are to reach, and whether they do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LEAST_RECALL = {8_000: 0.92, 20_000: 0.97}  # of select, by budget
LONG_TOKENS = 60_000  # the goals hold for documents above
LEAST_CACHED, MOST_LOST = 0.8, 0.02  # at 20k tokens, against choosing anew for every section
MOST_SECONDS = 2.0  # for all windows of the long report
MOST_GROWTH = 2.5  # of the seconds where a report is twice as long: beyond the reach of a choice, 2 would be linear
_SMALL, _FULL = 4_000, 20_000

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Goal:
    """Something promised, and what was measured."""

    what: str
    measured: str
    met: bool


def goals_of(results: Mapping[str, Rows]) -> list[Goal]:
    """Of every long document, then of the seconds."""
    goals = []
    for document in results["documents"]:
        if document["tokens"] > LONG_TOKENS:
            goals += _of_document(document["document"], results)
    one, two, four = (
        next(row["in_all"] for row in results["seconds"] if row["length"] == times) for times in (1, 2, 4)
    )
    goals.append(
        Goal(f"all windows of the long report in under {MOST_SECONDS:g} s", f"{one:.2f} s", one < MOST_SECONDS)
    )
    growth = four / two
    goals.append(
        Goal(
            f"four times as long: at most {MOST_GROWTH:g} times the seconds of twice as long",
            f"× {growth:.1f}",
            growth <= MOST_GROWTH,
        )
    )
    return goals


def _of_document(name: str, results: Mapping[str, Rows]) -> list[Goal]:
    recall = {
        (row["policy"], row["budget_tokens"]): row["value"]
        for row in results["recall"]
        if row["document"] == name and row["facts"] == "found" and row["kind"] == "all"
    }
    goals = [
        Goal(
            f"{name}: select keeps at least {least:.0%} at {budget} tokens",
            f"{recall['select', budget]:.1%}",
            recall["select", budget] >= least,
        )
        for budget, least in LEAST_RECALL.items()
    ]
    small, decay = recall["select", _SMALL], recall["decay", _FULL]
    goals.append(
        Goal(
            f"{name}: select at {_SMALL} tokens no worse than decay at {_FULL}",
            f"{small:.1%}, {decay:.1%}",
            small >= decay,
        )
    )
    shares = {
        (row["policy"], row["budget_tokens"]): row["share"] for row in results["prefix"] if row["document"] == name
    }
    share = shares["select", _FULL]
    goals.append(
        Goal(f"{name}: at least {LEAST_CACHED:.0%} of the prompts cached", f"{share:.1%}", share >= LEAST_CACHED)
    )
    lost = recall["select, refill 1", _FULL] - recall["select", _FULL]
    goals.append(Goal(f"{name}: and at most {MOST_LOST} of recall lost by that", f"{lost:.3f}", lost <= MOST_LOST))
    return goals
