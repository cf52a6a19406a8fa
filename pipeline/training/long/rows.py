"""Hidden states of a long sequence in tiles, kept on the card or in host memory.

    tokens   0 ........ 4095 | 4096 ....... 8191 | 8192 .. 9000
    tiles    [1, 4096, hidden] [1, 4096, hidden]   [1, 809, hidden]

Host memory is allocated tile by tile on purpose: PyTorch rounds pinned memory up to a power of two, which would take
64 GiB for the 38.5 GiB of 36 layers' inputs of 140,000 tokens, if each were one piece.
"""

from collections.abc import Iterator

import torch
from torch import Tensor

Span = tuple[int, int]


def spans(tokens: int, tile_tokens: int | None) -> list[Span]:
    """Begin and end of each tile: all of `tile_tokens` but the last."""
    step = tile_tokens or tokens
    return [(start, min(start + step, tokens)) for start in range(0, tokens, step)]


class Transfers:
    """Moves tiles between the card and the host, on a stream of their own beside the computation.

    Without a card, host and card are one: a tile is stored by keeping it.
    """

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self._side = torch.cuda.Stream(device) if device.type == "cuda" else None

    def allocate(self, shape: torch.Size, dtype: torch.dtype) -> Tensor:
        """Host memory that the card can copy to and from while it computes."""
        return torch.empty(shape, dtype=dtype, pin_memory=self._side is not None)

    def store(self, tile: Tensor) -> Tensor:
        """The tile in host memory; its copy may still be under way, and `stream` waits for it."""
        if self._side is None:
            return tile
        kept = self.allocate(tile.shape, tile.dtype)
        self._side.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(self._side):
            kept.copy_(tile, non_blocking=True)
        tile.record_stream(self._side)
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
        with torch.cuda.stream(self._side):
            tile = kept.to(self.device, non_blocking=True)
            arrived = self._side.record_event()
        tile.record_stream(torch.cuda.current_stream(self.device))
        return tile, arrived
