"""How much of a long sequence is computed at once, and what is kept where. Without torch: plans are made of it too."""

import math
from dataclasses import dataclass
from typing import Literal

from pipeline.settings import Training

Place = Literal["card", "host"]


@dataclass(frozen=True)
class Schedule:
    """Each field is one technique; None and "card" switch it off.

    All schedules compute the same; they differ in memory and, a little, in time.
    """

    tile_tokens: int | None = 2048
    """Tokens that pass through projections, norms and MLP at once (None: all). Sequence tiling, as in Bekman et al.,
    "Arctic Long Sequence Training" (2025)."""

    loss_tokens: int | None = 512
    """Target tokens whose logits exist at once (None: all of a tile's)."""

    inputs: Place = "host"
    """Where the inputs of layers wait for backward."""

    keep_every: int = 1
    """Of every so many layers one input is kept; those between are computed again, for one more forward pass."""

    kv_heads_at_once: int | None = 1
    """Key-value heads, with their query heads, in attention's backward at once (None: all)."""

    embedding: Place = "host"
    """Where the embedding's rows are looked up."""

    def __post_init__(self) -> None:
        sizes = (self.tile_tokens, self.loss_tokens, self.kv_heads_at_once, self.keep_every)
        if any(size is not None and size < 1 for size in sizes):
            raise ValueError(f"sizes are at least 1: {self}")


WHOLE = Schedule(
    tile_tokens=None, loss_tokens=None, inputs="card", keep_every=1, kv_heads_at_once=None, embedding="card"
)
"""Nothing in parts: gradient checkpointing of every layer, and no more."""

LEAN = Schedule()
"""All techniques: the least memory."""

_HOST_SHARE = 0.6  # of the free host memory, that layers' inputs may fill


def in_parts_beyond(settings: Training) -> int | None:
    """Examples of more tokens than this are computed in parts; None: none are."""
    return {"auto": settings.in_parts_from_tokens, "always": 0, "never": None}[settings.in_parts]


def schedule_of(settings: Training, all_inputs_bytes: int, host_free_bytes: int) -> Schedule:
    """How examples in parts are computed.

    Args:
        all_inputs_bytes: the inputs of all layers, of the longest example.
        host_free_bytes: where `keep_every` is left open, as many inputs are kept as a share of it holds.
    """
    return Schedule(
        tile_tokens=settings.tile_tokens,
        loss_tokens=settings.loss_tokens,
        inputs=settings.layer_inputs,
        keep_every=settings.keep_every or max(1, math.ceil(all_inputs_bytes / (_HOST_SHARE * host_free_bytes))),
        kv_heads_at_once=settings.kv_heads_at_once or None,
        embedding=settings.embedding,
    )
