"""What a run's events tell: the peak, what was alive at it, and the same within the work of each layer."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pipeline.memory.live import Memory, Place

Alive = dict["Place", int]
"""Bytes by place, at one moment."""


class Trace:
    """The events of one run, in order: bytes that came or went, whose they were, and which layer was at work.

    Args:
        places: what the events' place numbers stand for.
        deltas: [events] bytes, negative when they were freed.
        event_places: [events] number of the place.
        event_spans: [events] number of the span, ascending.
        spans: [spans] the layer at work; None before any was, -1 at parts of no layer.
    """

    def __init__(
        self,
        places: "list[Place]",
        deltas: Sequence[int],
        event_places: Sequence[int],
        event_spans: Sequence[int],
        spans: Sequence[int | None],
    ) -> None:
        self._places = places
        self._deltas = np.asarray(deltas, dtype=np.int64)
        self._event_places = np.asarray(event_places, dtype=np.int64)
        self._event_spans = np.asarray(event_spans, dtype=np.int64)
        self._spans = list(spans)

    def peak(self, memory: "Memory" = "card") -> int:
        """The most bytes that were alive at once."""
        return int(self._levels(memory).max(initial=0))

    def at_peak(self, memory: "Memory" = "card") -> Alive:
        """What was alive when most was; the first such moment."""
        levels = self._levels(memory)
        return self._alive(int(levels.argmax()), memory) if len(levels) else {}

    def at_end(self, memory: "Memory" = "card") -> Alive:
        """What is alive after all events."""
        return self._alive(len(self._deltas) - 1, memory)

    def at_peaks(self, memory: "Memory" = "card") -> "list[tuple[int | None, int, Alive]]":
        """For each span of events: the layer at work, how often it was before, and what was alive at its peak."""
        levels = self._levels(memory)
        bounds = np.searchsorted(self._event_spans, np.arange(len(self._spans) + 1))
        seen: Counter[Any] = Counter()
        found = []
        for layer, start, end in zip(self._spans, bounds[:-1], bounds[1:], strict=True):
            if end > start:
                found.append((layer, seen[layer], self._alive(int(start + levels[start:end].argmax()), memory)))
            seen[layer] += 1
        return found

    def _levels(self, memory: "Memory") -> np.ndarray:
        return np.cumsum(np.where(self._of(memory), self._deltas, 0))

    def _of(self, memory: "Memory") -> np.ndarray:
        wanted = np.array([place.memory == memory for place in self._places], dtype=bool)
        return wanted[self._event_places]

    def _alive(self, event: int, memory: "Memory") -> Alive:
        until = slice(0, event + 1)
        # Sums of float64 are exact up to 2^53 bytes.
        sums = np.bincount(self._event_places[until], weights=self._deltas[until], minlength=len(self._places))
        return {
            place: int(held) for place, held in zip(self._places, sums, strict=True) if held and place.memory == memory
        }
