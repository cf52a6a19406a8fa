"""Hidden states of a long sequence in tiles, kept on the card or in host memory.

    tokens   0 ........ 4095 | 4096 ....... 8191 | 8192 .. 9000
    tiles    [1, 4096, hidden] [1, 4096, hidden]   [1, 809, hidden]

Host memory is allocated tile by tile on purpose: PyTorch rounds pinned memory up to a power of two, which would take
64 GiB for the 38.5 GiB of 36 layers' inputs of 140,000 tokens, if each were one piece.
"""

from collections import deque
from collections.abc import Iterator

import torch
from torch import Tensor

Span = tuple[int, int]

_IN_FLIGHT = 2  # tiles on their way to the host at once


def spans(tokens: int, tile_tokens: int | None) -> list[Span]:
    """Begin and end of each tile: all of `tile_tokens` but the last."""
    step = tile_tokens or tokens
    return [(start, min(start + step, tokens)) for start in range(0, tokens, step)]


class Transfers:
    """Moves tiles between the card and the host, on a stream of their own beside the computation.

    A tile's memory is given back only after the computing stream has waited for its copy, so that PyTorch may use it
    again at once, however far ahead of the card Python runs. (`Tensor.record_stream` would hold it back until the
    card gets there, and a layer's tiles would pile up.)

    Without a card, host and card are one: a tile is stored by keeping it.
    """

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self._side = torch.cuda.Stream(device) if device.type == "cuda" else None
        self._leaving: deque[tuple[Tensor, torch.cuda.Event]] = deque()

    def allocate(self, shape: torch.Size, dtype: torch.dtype) -> Tensor:
        """Host memory that the card can copy to and from while it computes."""
        return torch.empty(shape, dtype=dtype, pin_memory=self._side is not None)

    def store(self, tile: Tensor) -> Tensor:
        """The tile in host memory; its copy may still be under way, and `stream` comes after it."""
        if self._side is None:
            return tile
        kept = self.allocate(tile.shape, tile.dtype)
        self._leaving.append((tile, self._copy(kept, tile)))
        while len(self._leaving) > _IN_FLIGHT:
            _, gone = self._leaving.popleft()
            torch.cuda.current_stream(self.device).wait_event(gone)
        return kept

    def stream(self, tiles: list[Tensor]) -> Iterator[Tensor]:
        """The tiles on the card, one after the other, the next one on its way meanwhile."""
        ahead = self.fetch(tiles[0])
        for following in (*tiles[1:], None):
            tile, arrived = ahead
            if following is not None:
                ahead = self.fetch(following)
            if arrived is not None:
                torch.cuda.current_stream(self.device).wait_event(arrived)
            yield tile

    def fetch(self, kept: Tensor) -> tuple[Tensor, torch.cuda.Event | None]:
        """Begin to bring a tile to the card; the event tells when it has arrived."""
        if self._side is None or kept.device == self.device:
            return kept, None
        tile = torch.empty_like(kept, device=self.device, pin_memory=False)
        return tile, self._copy(tile, kept)

    def _copy(self, target: Tensor, source: Tensor) -> torch.cuda.Event:
        """Copy once what is asked of the card so far is done."""
        assert self._side is not None
        self._side.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(self._side):
            target.copy_(source, non_blocking=True)
            return self._side.record_event()
