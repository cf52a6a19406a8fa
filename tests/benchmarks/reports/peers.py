"""The readers side by side: each reads a file in a process of its own, and is asked nothing else."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.reports.environment import peers_python

ROOT = Path(__file__).resolve().parents[3]
PEERS = ("docling", "markitdown", "mammoth", "docx2python", "pandoc", "python-docx")
OURS = "Memoria"
_LONGEST_SECONDS = 600


@dataclass(frozen=True)
class Output:
    """What a reader made of a file; `failure` says why there is nothing."""

    text: str = ""
    headings: tuple[tuple[int, str], ...] = ()
    seconds: float = 0.0
    peak_bytes: int = 0
    failure: str = ""


def read_by(name: str, file: Path, warm_up: Path, times: int = 1) -> Output:
    """Let the reader of that name read the file `times` times, after `warm_up` once: the median of its seconds."""
    python = Path(sys.executable) if name == OURS else peers_python()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)} if name == OURS else dict(os.environ)
    command = [
        str(python),
        "-P",
        str(Path(__file__).with_name("adapters.py")),
        name,
        str(file),
        str(warm_up),
        str(times),
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=_LONGEST_SECONDS)
    except subprocess.TimeoutExpired:
        return Output(failure=f"took longer than {_LONGEST_SECONDS} s")
    if done.returncode:
        return Output(failure=(done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1])
    told = json.loads(done.stdout.splitlines()[-1])
    headings = tuple((level, text) for level, text in told["headings"])
    return Output(told["text"], headings, told["seconds"], told["peak_bytes"])
