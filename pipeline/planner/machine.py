"""How much memory there really is: a card's own, what is free of it now, and what has to stay free.

    asked of the driver      total, and free now; the difference is the desktop's and other programs'
    named, of cards.toml     total as the driver would count it, less what the driver keeps
    "16"                     the same of a card of 16 GB
    unified                  a processor and a card that share the machine's memory: about three quarters of it

    usable = free now - allowance       for CUDA's context, and for what the allocator cannot fill

The machine's own memory never counts for a card that has its own.
"""

import platform
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.card import Card, ask_driver, gib, machine_memory
from pipeline.errors import UserError
from pipeline.planner.cards import ListedCard, find_card, recognise

ALLOWANCE_BYTES = 1 << 30
"""CUDA's context takes about 0.5 GiB, fragmentation 3-8% of what is allocated (less by expandable segments)."""
UNIFIED_SHARE = 0.75
"""Of unified memory, what macOS lets the card hold: 74% of 16 and 24 GB, 84% of 128 GB, seen on machines."""
DRIVER_SHARE = 1 / 64
"""Of a card's total, what its driver keeps: PyTorch finds 23.64 of an RTX 4090's 23.99 GiB."""

_LARGEST_GB = 1024  # "4090" is a card, not a memory
_DESKTOP = "a desktop takes 0.3 to 1 GiB of it; run without one, or raise the allowance"


@dataclass(frozen=True)
class CardMemory:
    """What a training step or a server may fill.

    Attributes:
        name: of the card, as driver, list or user call it.
        total_bytes: memory that the card has.
        free_bytes: what of it is free now; of a card that is elsewhere, what would be.
        allowance_bytes: what is set aside of that.
        unified: whether it is the machine's memory, shared.
        listed: the card's entry in cards.toml, if it has one.
        origin: sentences that say where each figure comes from.
    """

    name: str
    total_bytes: int
    free_bytes: int
    allowance_bytes: int
    unified: bool
    listed: ListedCard | None
    origin: tuple[str, ...]

    @property
    def usable_bytes(self) -> int:
        """What a plan has to fit into."""
        return max(0, self.free_bytes - self.allowance_bytes)


def card_memory(
    card: str | None,
    listed: Sequence[ListedCard],
    *,
    allowance_bytes: int = ALLOWANCE_BYTES,
    unified_share: float = UNIFIED_SHARE,
    ask: Callable[[], Sequence[Card]] = ask_driver,
) -> CardMemory:
    """The memory of the card that a person names, or of this machine's.

    Args:
        card: a name in `listed`, a memory in GB ("16"), or None: this machine's first card.
        ask: gives this machine's cards.

    Raises:
        UserError: no card is called so, or this machine has none.
    """
    if card is None:
        return _of_this_machine(listed, allowance_bytes, unified_share, ask())
    gigabytes = _gigabytes(card)
    if gigabytes is not None:
        return _elsewhere(f"a card of {gigabytes:g} GB", round(gigabytes * 2**30), "by its maker", allowance_bytes)
    return listed_memory(find_card(card, listed), allowance_bytes=allowance_bytes)


def listed_memory(entry: ListedCard, *, allowance_bytes: int = ALLOWANCE_BYTES) -> CardMemory:
    """The memory of a listed card that is elsewhere, with nothing else on it."""
    return _elsewhere(entry.name, entry.total_bytes, "in cards.toml", allowance_bytes, entry)


def _of_this_machine(
    listed: Sequence[ListedCard], allowance_bytes: int, unified_share: float, found: Sequence[Card]
) -> CardMemory:
    if found:
        first = found[0]
        several = [f"This is the first of {len(found)} cards; a run uses one."] if len(found) > 1 else []
        if first.unified:
            return _unified(first.name, allowance_bytes, unified_share, several)
        return _asked(first, recognise(first, listed), allowance_bytes, several)
    if platform.system() == "Darwin" and platform.machine() == "arm64":
        only_here = "Training and vLLM run on NVIDIA cards and on processors: this says what would fit, not what runs."
        return _unified("Apple silicon", allowance_bytes, unified_share, [only_here])
    own, _ = machine_memory()
    raise UserError(
        f"this machine has no NVIDIA card that a driver names, and its own {gib(own)} are no card's",
        fix='name the card to plan for (--card "RTX 4090"), or its memory in GB (--card 16)',
    )


def _asked(card: Card, entry: ListedCard | None, allowance_bytes: int, more: list[str]) -> CardMemory:
    taken = card.total_bytes - card.free_bytes
    origin = (
        f"{card.name}: {gib(card.total_bytes)} by its driver, {gib(card.free_bytes)} free now; "
        f"{gib(taken)} are the driver's, the desktop's and other programs'.",
        *more,
        _set_aside(allowance_bytes),
    )
    return CardMemory(card.name, card.total_bytes, card.free_bytes, allowance_bytes, False, entry, origin)


def _elsewhere(
    name: str, total_bytes: int, by: str, allowance_bytes: int, entry: ListedCard | None = None
) -> CardMemory:
    free = total_bytes - round(total_bytes * DRIVER_SHARE)
    origin = (
        f"{name}: {gib(total_bytes)} {by}, of which the driver keeps about 1/64: {gib(free)} free; {_DESKTOP}.",
        _set_aside(allowance_bytes),
    )
    return CardMemory(name, total_bytes, free, allowance_bytes, False, entry, origin)


def _unified(name: str, allowance_bytes: int, share: float, more: list[str]) -> CardMemory:
    total, available = machine_memory()
    free = min(available, round(total * share))
    now = f"; programs leave {gib(available)} of all now" if available < total else ""
    origin = (
        f"{name} shares the machine's {gib(total)}, and about {share:.0%} of it can be the card's{now}: "
        f"{gib(free)} are free.",
        *more,
        _set_aside(allowance_bytes),
    )
    return CardMemory(name, total, free, allowance_bytes, True, None, origin)


def _set_aside(allowance_bytes: int) -> str:
    return f"{gib(allowance_bytes)} are set aside for CUDA's context and for fragmentation."


def _gigabytes(card: str) -> float | None:
    """The memory in GB that "16", "16 GB" or "11.5gb" says; None: it is a name."""
    said = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?:gb|gib|g)?\s*", card, re.IGNORECASE)
    value = float(said[1]) if said else 0.0
    return value if 0 < value <= _LARGEST_GB else None
