"""One way of cutting the rows of a checkpoint, in a process of its own; prints what it took as one line of JSON.

    python slicers.py memoria SOURCE WORKSPACE        the product, with its settings as they come
    python slicers.py safetensors SOURCE TARGET MAP   whole files loaded, cut and saved
    python slicers.py copy SOURCE TARGET              no cutting: the same files, copied

All sync what they write. MAP is the sliced base's id_map.json.
"""

import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

MATRICES = ("model.embed_tokens.weight", "lm_head.weight")


def memoria(source: Path, workspace: Path) -> dict[str, Any]:
    """Slice it. `weights_seconds` is what the weights took of it; the rest is the tokenizer and the proof."""
    from pipeline.records import Base
    from pipeline.settings import Vocabulary
    from pipeline.storage import Workspace, fingerprint
    from pipeline.vocabulary import slice_base, slicing

    rows = json.loads((source / "config.json").read_text("utf-8"))["vocab_size"]
    base = Base(name=source.name, fingerprint=fingerprint(source), rows=rows, path=str(source))
    whole, took = slicing.slice_weights, []

    def timed(*arguments: Any, **named: Any) -> Any:
        start = time.perf_counter()
        result = whole(*arguments, **named)
        took.append(time.perf_counter() - start)
        return result

    slicing.slice_weights = timed
    sliced = slice_base(base, {}, Workspace(workspace), Vocabulary())
    return {"weights_seconds": took[0], "path": sliced.path, "rows": sliced.rows}


def safetensors(source: Path, target: Path, id_map: Path) -> dict[str, Any]:
    """As one would: load a file, cut what is to be cut, save it."""
    import torch
    from safetensors.torch import load_file, save_file

    kept = torch.tensor(json.loads(id_map.read_text("utf-8")))
    start = time.perf_counter()
    for name in with_rows(source):
        tensors = load_file(source / name)
        for matrix in MATRICES:
            if matrix in tensors:
                tensors[matrix] = tensors[matrix][kept]
        save_file(tensors, target / name, {"format": "pt"})
        _sync(target / name)
    return {"weights_seconds": time.perf_counter() - start}


def copy(source: Path, target: Path) -> dict[str, Any]:
    """The speed of the disk, for the same files."""
    start = time.perf_counter()
    for name in with_rows(source):
        shutil.copyfile(source / name, target / name)  # inside the kernel
        _sync(target / name)
    return {"weights_seconds": time.perf_counter() - start}


def with_rows(source: Path) -> list[str]:
    """Names of the files that hold the embedding or the head."""
    where = json.loads((source / "model.safetensors.index.json").read_text("utf-8"))["weight_map"]
    return sorted({where[matrix] for matrix in MATRICES})


def _sync(file: Path) -> None:
    with open(file, "rb+") as written:
        os.fsync(written.fileno())


def _peak_bytes() -> int:
    # Not ru_maxrss, which begins with what the parent held when it started this process.
    found = re.search(r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text("utf-8"), re.MULTILINE)
    assert found, "Linux says it"
    return int(found[1]) << 10


def main() -> int:
    """Run the one that the first argument names, on the paths that follow."""
    ways: dict[str, Callable[..., dict[str, Any]]] = {"memoria": memoria, "safetensors": safetensors, "copy": copy}
    start = time.perf_counter()
    told = ways[sys.argv[1]](*map(Path, sys.argv[2:]))
    print(json.dumps({**told, "seconds": time.perf_counter() - start, "peak_bytes": _peak_bytes()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
