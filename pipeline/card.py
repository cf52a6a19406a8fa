"""The card (GPU) of this machine, asked of its driver: no torch, no CUDA context."""

import os
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

from pipeline.records import Record

_MEBIBYTE = 1 << 20


class Card(Record):
    """One NVIDIA card as its driver describes it; `unified` if the machine's memory is the only one it has."""

    name: str
    total_bytes: int
    free_bytes: int
    driver: str
    unified: bool = False


@lru_cache(maxsize=1)
def cards() -> tuple[Card, ...]:
    """All cards that the driver names, and what was free at the first call; empty without a driver or a card."""
    return ask_driver()


def ask_driver() -> tuple[Card, ...]:
    """As `cards`, with what is free now."""
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


def machine_memory() -> tuple[int, int]:
    """Bytes of the machine's own memory, in all and available now; where no system tells the second, all is taken."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    told = Path("/proc/meminfo")
    if told.is_file():
        for line in told.read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return total, min(total, int(line.split()[1]) * 1024)
    return total, total


def _card(line: str) -> Card:
    name, total, free, driver = (field.strip() for field in line.split(","))
    if not (total.isdigit() and free.isdigit()):  # "[N/A]": a chip whose processor and card share one memory
        all_bytes, available = machine_memory()
        return Card(name=name, total_bytes=all_bytes, free_bytes=available, driver=driver, unified=True)
    return Card(name=name, total_bytes=int(total) * _MEBIBYTE, free_bytes=int(free) * _MEBIBYTE, driver=driver)


def gib(count_bytes: float) -> str:
    """Bytes of memory as a person reads them."""
    return f"{count_bytes / 2**30:.1f} GiB"
