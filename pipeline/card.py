"""The card (GPU) of this machine, asked of its driver: no torch, no CUDA context."""

import shutil
import subprocess
from functools import lru_cache

from pipeline.records import Record

_MEBIBYTE = 1 << 20


class Card(Record):
    """One NVIDIA card as its driver describes it."""

    name: str
    total_bytes: int
    free_bytes: int
    driver: str


@lru_cache(maxsize=1)
def cards() -> tuple[Card, ...]:
    """All cards that the driver names; empty where there is no driver or no card."""
    if not shutil.which("nvidia-smi"):
        return ()
    query = [
        "nvidia-smi",
        "--query-gpu=name,memory.total,memory.free,driver_version",
        "--format=csv,noheader,nounits",
    ]
    answer = subprocess.run(query, capture_output=True, text=True, timeout=30, check=False)
    if answer.returncode:
        return ()
    return tuple(_card(line) for line in answer.stdout.splitlines() if line.strip())


def _card(line: str) -> Card:
    name, total, free, driver = (field.strip() for field in line.split(","))
    return Card(name=name, total_bytes=int(total) * _MEBIBYTE, free_bytes=int(free) * _MEBIBYTE, driver=driver)
