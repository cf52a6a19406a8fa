"""How far planners are from the simulated peak of a training step. Prints Markdown; 1 if ours is over 3% anywhere.

    python tests/benchmarks/planner.py                    5 models x 6 lengths x 4 sets of techniques: some minutes
    python tests/benchmarks/planner.py --kept sim.json    simulated peaks are read from this file, and added to it
    python tests/benchmarks/planner.py --json             one JSON document in place of tables

The simulator runs the real training code on fake tensors (`pipeline/memory/simulate.py`). Beside our closed formula
(`pipeline/memory/account.py`) stand the rules of thumb and two public planners (`memory/planners.py`).
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.memory.grid import (  # noqa: E402
    FORMULA,
    LARGEST_ERROR,
    LENGTHS,
    TECHNIQUES,
    Job,
    compared,
    jobs,
    simulated,
)
from tests.benchmarks.memory.planners import PLANNERS  # noqa: E402

Row = dict[str, Any]


def main() -> int:
    """Print tables. Returns 1 if the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one JSON document in place of tables")
    parser.add_argument("--kept", type=Path, help="simulated peaks, to go on from")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="simulations at once")
    arguments = parser.parse_args()
    peaks = _peaks(arguments.kept, arguments.jobs)
    rows = [compared(job, peaks[job]) for job in jobs()]
    print(json.dumps({"rows": rows}, indent=1) if arguments.json else "\n".join(_printed(rows)))
    return int(largest(rows, FORMULA) > LARGEST_ERROR)


def _peaks(kept: Path | None, at_once: int) -> dict[Job, int]:
    """Simulated peaks of the whole grid; those that are kept already are not simulated again."""
    found: dict[Job, int] = {}
    if kept is not None and kept.is_file():
        found = {(name, model, tokens): peak for name, model, tokens, peak in json.loads(kept.read_text("utf-8"))}
    missing = [job for job in jobs() if job not in found]
    with ProcessPoolExecutor(at_once, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(simulated, job): job for job in missing}
        for done in as_completed(waiting):
            job = waiting[done]
            found[job] = done.result()
            print(f"{', '.join(map(str, job))}: {found[job] / (1 << 30):.2f} GiB", file=sys.stderr)
            if kept is not None:
                kept.write_text(json.dumps([[*job, peak] for job, peak in found.items()]), "utf-8")
    return found


def largest(rows: Sequence[Row], planner: str) -> float:
    """The largest error of a planner, whichever its sign."""
    return max(abs(row["errors"][planner]) for row in rows)


def _printed(rows: Sequence[Row]) -> Iterator[str]:
    yield "## Error against the simulated peak\n"
    yield "| planner | mean | largest |\n|---|---|---|"
    for name in (FORMULA, *PLANNERS):
        mean = sum(abs(row["errors"][name]) for row in rows) / len(rows)
        yield f"| {name} | {mean:.1%} | {largest(rows, name):.1%} |"
    for techniques in TECHNIQUES:
        yield f"\n## {techniques}: peak in GiB, and the errors of {FORMULA} / {' / '.join(PLANNERS)}\n"
        yield f"| model | {' | '.join(f'{tokens:,}' for tokens in LENGTHS)} |"
        yield "|---" * (len(LENGTHS) + 1) + "|"
        own = [row for row in rows if row["techniques"] == techniques]
        for model in dict.fromkeys(row["model"] for row in own):
            cells = [_cell(row) for row in own if row["model"] == model]
            yield f"| {model} | {' | '.join(cells)} |"
    met = "met" if largest(rows, FORMULA) <= LARGEST_ERROR else "**missed**"
    yield f"\nGoal: our formula within {LARGEST_ERROR:.0%} everywhere: {met}."


def _cell(row: Row) -> str:
    errors = " / ".join(f"{error:+.1%}" for error in row["errors"].values())
    return f"{row['simulated_bytes'] / (1 << 30):.1f} ({errors})"


if __name__ == "__main__":
    sys.exit(main())
