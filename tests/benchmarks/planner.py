"""How far planners are from the truth about a training step's memory. Prints Markdown; 1 if a goal is missed.

    python tests/benchmarks/planner.py                    simulated: 5 models x 6 lengths x 4 sets of techniques;
                                                          and real steps of a small model on this CPU
    python tests/benchmarks/planner.py --kept sim.json    simulated peaks are read from this file, and added to it
    python tests/benchmarks/planner.py --json             one JSON document in place of tables

The simulator runs the real training code on fake tensors (`pipeline/memory/simulate.py`). Beside our closed formula
(`pipeline/memory/account.py`) stand the rules of thumb and two public planners (`memory/planners.py`).
"""

import argparse
import json
import os
import subprocess
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
from tests.benchmarks.memory.one_run import RUNS, told_bytes  # noqa: E402
from tests.benchmarks.memory.planners import PLANNERS  # noqa: E402

LARGEST_REAL_ERROR = 0.10
# So that what is freed goes back to the system at once, and is not counted as resident.
ENVIRONMENT = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536", "OMP_WAIT_POLICY": "PASSIVE"}
Row = dict[str, Any]


def main() -> int:
    """Print tables. Returns 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one JSON document in place of tables")
    parser.add_argument("--kept", type=Path, help="simulated peaks, to go on from")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="simulations at once")
    arguments = parser.parse_args()
    peaks = _peaks(arguments.kept, arguments.jobs)
    rows = [compared(job, peaks[job]) for job in jobs()]
    real = [_measured(name) for name in RUNS]
    if arguments.json:
        print(json.dumps({"simulated": rows, "real": real}, indent=1))
    else:
        print("\n".join([*_summary(rows), *_tables(rows), *_real(real), *_goals(rows, real)]))
    return int(not all(met for _, met in _met(rows, real)))


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


def _measured(name: str) -> Row:
    """One real step, in a process of its own, and what the formula says of it."""
    command = [sys.executable, str(ROOT / "tests/benchmarks/memory/one_run.py"), name]
    done = subprocess.run(command, env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    print(f"{name}: {found}", file=sys.stderr)
    return {"run": name, "told_bytes": told_bytes(name), **found}


def largest(rows: Sequence[Row], planner: str) -> float:
    """The largest error of a planner, whichever its sign."""
    return max(abs(row["errors"][planner]) for row in rows)


def _summary(rows: Sequence[Row]) -> Iterator[str]:
    yield "## Error against the simulated peak\n"
    yield f"| planner | mean | largest | {' | '.join(TECHNIQUES)} |\n|{'---|' * (3 + len(TECHNIQUES))}"
    for name in (FORMULA, *PLANNERS):
        mean = sum(abs(row["errors"][name]) for row in rows) / len(rows)
        by_set = [largest([row for row in rows if row["techniques"] == one], name) for one in TECHNIQUES]
        yield f"| {name} | {mean:.1%} | {largest(rows, name):.1%} | {' | '.join(f'{e:.1%}' for e in by_set)} |"
    yield "\nThe columns of techniques: largest error."


def _tables(rows: Sequence[Row]) -> Iterator[str]:
    for techniques in TECHNIQUES:
        yield f"\n## {techniques}: peak in GiB, and the errors of {FORMULA} / {' / '.join(PLANNERS)}\n"
        yield f"| model | {' | '.join(f'{tokens:,}' for tokens in LENGTHS)} |"
        yield "|---" * (len(LENGTHS) + 1) + "|"
        own = [row for row in rows if row["techniques"] == techniques]
        for model in dict.fromkeys(row["model"] for row in own):
            cells = [_cell(row) for row in own if row["model"] == model]
            yield f"| {model} | {' | '.join(cells)} |"


def _cell(row: Row) -> str:
    ours, *others = row["errors"].values()
    return f"{row['simulated_bytes'] / (1 << 30):.1f} ({ours:+.2%} / {' / '.join(f'{e:+.0%}' for e in others)})"


def _real(real: Sequence[Row]) -> Iterator[str]:
    yield "\n## What a step of a small model in bfloat16 adds to resident memory on this CPU\n"
    yield "| run | measured, MiB | our formula | error | seconds |\n|---|---|---|---|---|"
    for row in real:
        told, held = row["told_bytes"], row["peak_bytes"]
        sizes = f"{held / (1 << 20):,.0f} | {told / (1 << 20):,.0f}"
        yield f"| {row['run']} | {sizes} | {told / held - 1:+.1%} | {row['seconds']:.0f} |"


def _met(rows: Sequence[Row], real: Sequence[Row]) -> list[tuple[str, bool]]:
    real_error = max(abs(row["told_bytes"] / row["peak_bytes"] - 1) for row in real)
    return [
        (f"our formula within {LARGEST_ERROR:.0%} of the simulator", largest(rows, FORMULA) <= LARGEST_ERROR),
        (f"and within {LARGEST_REAL_ERROR:.0%} of what is measured", real_error <= LARGEST_REAL_ERROR),
    ]


def _goals(rows: Sequence[Row], real: Sequence[Row]) -> Iterator[str]:
    yield "\n## Goals\n"
    for goal, met in _met(rows, real):
        yield f"- {goal}: {'met' if met else '**missed**'}"


if __name__ == "__main__":
    sys.exit(main())
