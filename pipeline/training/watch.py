"""Memory while a run goes on: what is free, what was the most, and whether an error says that there was too little.

Where there is a card, its memory is what counts, else the machine's. On the machine, what a container may take is not
looked at, only what the system has left.
"""

import gc
import re
import resource
from collections.abc import Callable

import psutil
import torch

from pipeline.card import gib

_TOO_LITTLE = re.compile(r"can't allocate memory|cannot allocate memory|out of memory", re.IGNORECASE)


def place() -> str:
    """Whose memory counts."""
    return "card" if torch.cuda.is_available() else "machine"


def free_bytes() -> int:
    """What is free now. On a card, what torch has reserved is not: it holds on to the most that it ever needed."""
    if torch.cuda.is_available():
        return torch.cuda.mem_get_info()[0]
    return psutil.virtual_memory().available


def card_peak_bytes() -> int | None:
    """The most memory that torch has reserved on the card; None without one."""
    return torch.cuda.max_memory_reserved() if torch.cuda.is_available() else None


def resident_peak_bytes() -> int:
    """The most of the machine's memory that this process has held at once, from its start."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def peak_bytes() -> int:
    """The most memory this process has held: on the card if there is one, else resident."""
    on_card = card_peak_bytes()
    return resident_peak_bytes() if on_card is None else on_card


def is_out_of_memory(error: BaseException) -> bool:
    """Does this error say that memory was too little? On a CPU torch has no type for it, only words."""
    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    return isinstance(error, RuntimeError) and bool(_TOO_LITTLE.search(str(error)))


def free_what_is_unused() -> None:
    """Give back what nobody refers to any more: models are full of circles, which only the collector finds."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


class Watch:
    """Warns once when free memory falls under a margin."""

    def __init__(self, margin_bytes: int, warn: Callable[[str], None]) -> None:
        self._margin_bytes, self._warn, self._warned = margin_bytes, warn, False

    def look(self, when: str) -> None:
        """Look now; `when` says when that is, in the warning."""
        free = free_bytes()
        if free < self._margin_bytes and not self._warned:
            self._warned = True
            self._warn(
                f"memory is nearly used up at {when}: {gib(free)} free on the {place()}, the margin is "
                f"{gib(self._margin_bytes)}"
            )
