"""What the benchmarks of this folder have in common: the machine's state, tables, goals, the end."""

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.benchmarks.windows.goals import Goal
from tests.benchmarks.windows.tables import plain

Row = dict[str, Any]


def arguments(doc: str | None, characters: int = 0) -> argparse.ArgumentParser:
    """The arguments that all have; --characters where there is prose."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one JSON document in place of tables")
    if characters:
        parser.add_argument("--characters", type=int, default=characters, help="most characters of a language")
    return parser


def machine(folder: Path) -> Row:
    """What the machine is, and what else it does."""
    memory = {name: int(size.split()[0]) << 10 for name, size in _memory()}
    return {
        "cores": len(os.sched_getaffinity(0)),
        "load of the last minute": round(os.getloadavg()[0], 2),
        "memory": f"{memory['MemTotal'] / 1e9:.1f} GB, {memory['MemAvailable'] / 1e9:.1f} GB available",
        "disk free": f"{shutil.disk_usage(folder).free / 1e9:.0f} GB",
        "python": sys.version.split()[0],
    }


def _memory() -> list[tuple[str, str]]:
    lines = Path("/proc/meminfo").read_text("utf-8").splitlines()
    return [(name, size.strip()) for name, _, size in (line.partition(":") for line in lines)]


def finish(tables: Mapping[str, Sequence[Row]], goals: Sequence[Goal], as_json: bool) -> int:
    """Print every table under its title, then the goals. Returns 1 if one is missed."""
    if as_json:
        print(json.dumps({**tables, "goals": [asdict(goal) for goal in goals]}, ensure_ascii=False, indent=1))
    else:
        for title, rows in tables.items():
            print(f"### {title}\n\n{plain(rows)}\n")
        judged = [{**asdict(goal), "met": "met" if goal.met else "**missed**"} for goal in goals]
        print(f"### Goals\n\n{plain(judged)}")
    return int(not all(goal.met for goal in goals))


def progress(what: str, start: float) -> None:
    """Say on the side what took how long; `start` as of time.perf_counter."""
    print(f"{what}: {time.perf_counter() - start:.1f} s", file=sys.stderr, flush=True)
