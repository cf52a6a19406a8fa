"""Memory and speed of slicing a checkpoint of Qwen3-8B's shape. Prints tables; exits with 1 if a goal is missed.

    python tests/benchmarks/vocabulary/checkpoint.py [--folder FOLDER] [--layers N] [--json]

The weights are random. They are made in a temporary folder in FOLDER (16 GB, and 5 GB for what is made of them), and
removed at the end, also of an interrupted run. Where the disk is short there are fewer layers, and the tables say so.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from pipeline.errors import UserError  # noqa: E402
from tests.benchmarks.vocabulary.slicers import MATRICES, with_rows  # noqa: E402
from tests.benchmarks.vocabulary.synthetic import QWEN3_8B, Shape, layers_that_fit, write_checkpoint  # noqa: E402
from tests.benchmarks.vocabulary.told import Row, arguments, finish, machine, progress  # noqa: E402
from tests.benchmarks.windows.goals import Goal  # noqa: E402

MOST_PEAK_BYTES = 4_000_000_000
LEAST_SPEED = 0.8  # of a plain copy's bytes a second
KEPT_FREE_BYTES = 4_000_000_000  # for whoever else needs the disk
ROWS_COMPARED = 2000
TENSORS_COMPARED = 12
WAYS = {
    "memoria": "Memoria",
    "safetensors": "load_file, cut, save_file",
    "copy": "copying the same files, uncut",
}


def main() -> int:
    """Print tables and goals. Returns 1 if a goal is missed."""
    parser = arguments(__doc__)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), help="a folder on a disk with room")
    parser.add_argument("--layers", type=int, default=QWEN3_8B.layers, help="fewer layers than Qwen3-8B has")
    said = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the folder is removed
    shape = _shape(said.folder, said.layers)
    tables: dict[str, list[Row]] = {"Machine": [machine(said.folder)]}
    with tempfile.TemporaryDirectory(prefix="memoria-checkpoint-", dir=said.folder) as name:
        source = Path(name) / "Qwen3-8B-shaped"
        start = time.perf_counter()
        write_checkpoint(source, shape)
        _forget(source)
        tables["Checkpoint"] = [_about(source, shape, time.perf_counter() - start)]
        progress("making it", start)
        taken, checks = _sliced(source, Path(name))
    tables["Cutting the files that hold the embedding or the head"] = [_row(way, found) for way, found in taken.items()]
    tables["What came out"] = [checks]
    return finish(tables, _goals(taken, checks), said.json)


def _shape(folder: Path, layers: int) -> Shape:
    shape = replace(QWEN3_8B, layers=layers)
    fitting = layers_that_fit(shape, folder, KEPT_FREE_BYTES)
    if fitting < 0:
        raise UserError("no room even for embedding and head", where=folder, fix="choose another --folder")
    return replace(shape, layers=fitting)


def _about(source: Path, shape: Shape, seconds: float) -> Row:
    cut_bytes = sum((source / name).stat().st_size for name in with_rows(source))
    return {
        "layers": f"{shape.layers} of {QWEN3_8B.layers}",
        "rows": shape.rows,
        "files": len(_files(source)),
        "GB": f"{shape.bytes / 1e9:.1f}",
        "of these in files that are cut": f"{cut_bytes / 1e9:.1f}",
        "seconds to make": f"{seconds:.0f}",
    }


def _sliced(source: Path, folder: Path) -> tuple[dict[str, dict[str, Any]], Row]:
    """What each way took, the better of two rounds, and what Memoria's came to."""
    taken: dict[str, list[dict[str, Any]]] = {way: [] for way in WAYS}
    checks: Row = {}
    id_map = folder / "id_map.json"
    for order in (tuple(WAYS), tuple(reversed(WAYS))):  # whatever the disk does over time, it does to all
        for way in order:
            with tempfile.TemporaryDirectory(dir=folder) as target:
                found = _run(way, source, Path(target), *([id_map] if way == "safetensors" else []))
                made = Path(found.get("path", target))
                found["new_bytes"] = new_bytes(made)
                taken[way].append(found)
                if way == "memoria" and not checks:
                    start = time.perf_counter()
                    checks = _checked(source, made)
                    progress("comparing rows", start)
                    id_map.write_bytes((made / "id_map.json").read_bytes())
    read = sum((source / name).stat().st_size for name in with_rows(source))
    best = {way: better(rounds) for way, rounds in taken.items()}
    return {way: {**found, "moved_bytes": read + found["new_bytes"]} for way, found in best.items()}, checks


def better(rounds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The quickest round, with the most memory of any."""
    quickest = min(rounds, key=lambda found: found["weights_seconds"])
    return quickest | {"peak_bytes": max(found["peak_bytes"] for found in rounds)}


def _run(way: str, source: Path, *paths: Path) -> dict[str, Any]:
    _forget(source)
    start = time.perf_counter()
    command = [sys.executable, str(Path(__file__).with_name("slicers.py")), way, str(source), *map(str, paths)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    progress(WAYS[way], start)
    return json.loads(done.stdout.splitlines()[-1])


def _forget(source: Path) -> None:
    """Let the system drop what it holds of these files in memory, so that all begin alike."""
    for file in _files(source):
        with open(file, "rb") as shard:
            os.fsync(shard.fileno())
            os.posix_fadvise(shard.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.safetensors"))


def new_bytes(folder: Path) -> int:
    """Of the files that are no second name of another file."""
    return sum(file.stat().st_size for file in folder.iterdir() if file.stat().st_nlink == 1)


def _checked(source: Path, made: Path) -> Row:
    """Rows and other tensors compared by safetensors' own reader, and files that are the base's by another name."""
    from safetensors import safe_open

    chance = random.Random(0)
    id_map = json.loads((made / "id_map.json").read_text("utf-8"))
    where = json.loads((source / "model.safetensors.index.json").read_text("utf-8"))["weight_map"]
    rows = tensors = 0
    for matrix in MATRICES:
        with safe_open(source / where[matrix], "pt") as old, safe_open(made / where[matrix], "pt") as new:
            before, after = old.get_slice(matrix), new.get_slice(matrix)
            for place in chance.sample(range(len(id_map)), ROWS_COMPARED):
                rows += bool((before[id_map[place]] == after[place]).all())
    others = [name for name in where if where[name] in with_rows(source) and name not in MATRICES]
    shown = chance.sample(others, min(TENSORS_COMPARED, len(others)))
    for name in shown:
        with safe_open(source / where[name], "pt") as old, safe_open(made / where[name], "pt") as new:
            tensors += bool((old.get_tensor(name) == new.get_tensor(name)).all())
    uncut = [file for file in _files(source) if file.name not in with_rows(source)]
    linked = sum((made / file.name).samefile(file) for file in uncut)
    return {
        "rows that equal the base's": f"{rows} of {len(MATRICES) * ROWS_COMPARED}",
        "other tensors in the files that are cut": f"{tensors} of {len(shown)}",
        "other files that are links": f"{linked} of {len(uncut)}",
    }


def _row(way: str, found: dict[str, Any]) -> Row:
    return {
        "the better of two rounds": WAYS[way],
        "seconds": f"{found['weights_seconds']:.1f}",
        "GB read and written": f"{found['moved_bytes'] / 1e9:.1f}",
        "MB a second": f"{_speed(found):.0f}",
        "GB newly on the disk": f"{found['new_bytes'] / 1e9:.2f}",
        "peak memory, MB": f"{found['peak_bytes'] / 1e6:.0f}",
        "seconds in all": f"{found['seconds']:.1f}",
    }


def _speed(found: dict[str, Any]) -> float:
    """Megabytes read and written in a second."""
    return found["moved_bytes"] / found["weights_seconds"] / 1e6


def _goals(taken: dict[str, dict[str, Any]], checks: Row) -> list[Goal]:
    peak = taken["memoria"]["peak_bytes"]
    share = _speed(taken["memoria"]) / _speed(taken["copy"])
    goals = [
        Goal(f"peak memory under {MOST_PEAK_BYTES / 1e9:g} GB", f"{peak / 1e9:.2f} GB", peak < MOST_PEAK_BYTES),
        Goal(f"at least {LEAST_SPEED:.0%} of the speed of a copy", f"{share:.0%}", share >= LEAST_SPEED),
    ]
    for what, told in checks.items():
        right, _, of = told.partition(" of ")
        if of != "0":  # a smaller checkpoint may be one file
            goals.append(Goal(f"{what}: all", told, right == of))
    return goals


if __name__ == "__main__":
    sys.exit(main())
