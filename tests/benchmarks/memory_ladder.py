"""What each technique saves when Qwen3-8B is trained on long examples. Prints Markdown tables; 1 if a goal is missed.

    python tests/benchmarks/memory_ladder.py                        peaks, the longest example by card, goals
    python tests/benchmarks/memory_ladder.py --figure ladder.png    and a figure of peak against length
    python tests/benchmarks/memory_ladder.py --json                 one JSON document in place of tables

The real training code is run on fake tensors (`pipeline/memory/simulate.py`): no card and no weights are needed.
"""

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.memory.figure import draw  # noqa: E402
from tests.benchmarks.memory.ladder import (  # noqa: E402
    CARDS_GIB,
    GIB,
    LENGTHS,
    TO_SPARE_GIB,
    goals_of,
    longest_tokens,
    simulated,
    techniques,
)
from tests.benchmarks.memory.tables import printed  # noqa: E402


def main() -> int:
    """Print tables and goals. Returns 1 if a goal is missed."""
    arguments = _arguments()
    rows = _rows(arguments.jobs)
    names = dict.fromkeys(row["technique"] for row in rows)
    longest = {name: _longest([row for row in rows if row["technique"] == name]) for name in names}
    goals = goals_of(rows)
    if arguments.figure:
        draw(arguments.figure, rows)
    if arguments.json:
        said = [{**asdict(goal), "met": goal.met} for goal in goals]
        print(json.dumps({"rows": rows, "longest_tokens": longest, "goals": said}, ensure_ascii=False, indent=1))
    else:
        print(printed(rows, longest, goals))
    return int(not all(goal.met for goal in goals))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--figure", type=Path, help="write a PNG")
    parser.add_argument("--json", action="store_true", help="one JSON document in place of tables")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="simulations at once")
    return parser.parse_args()


def _rows(jobs: int) -> list[dict[str, Any]]:
    """All techniques at all lengths, the longest first: they take the most time."""
    wanted = [(number, tokens) for number in range(len(techniques())) for tokens in LENGTHS]
    found: dict[tuple[int, int], dict[str, Any]] = {}
    by_time = sorted(wanted, key=lambda job: (-job[1], -job[0]))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for job, row in zip(by_time, pool.map(simulated, by_time), strict=True):
            found[job] = row
            print(f"{row['technique']}, {row['tokens']:,}: {row['peak_bytes'] / GIB:.2f} GiB", file=sys.stderr)
    return [found[job] for job in wanted]


def _longest(rows: list[dict[str, Any]]) -> dict[int, int | None]:
    peaks = {row["tokens"]: row["peak_bytes"] for row in rows}
    return {card: longest_tokens(peaks, (card - TO_SPARE_GIB) * GIB) for card in CARDS_GIB}


if __name__ == "__main__":
    sys.exit(main())
