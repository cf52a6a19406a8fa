"""The peak of a training step in closed form: what `simulate` finds, within 3%, in microseconds and without torch.

Each term is a tensor that is alive at the peak, as the simulation lists them. Of Qwen3-8B, in units of all tokens'
hidden states in bfloat16 (u):

    whole, by transformers and peft     L + 47 u: a layer's input each, and one layer with casts of inputs to float32;
                                        or L + 4 u + 12 bytes a row of the vocabulary: log-probabilities, two gradients
    in parts                            5 u: queries, attention, both gradients, keys and values; with all heads at once
                                        9 u more in attention's backward; a layer's MLP in tiles, 17 u of one tile;
                                        L u more if the layers' inputs stay on the card
"""

from dataclasses import dataclass
from typing import Literal, Protocol

_WORKSPACE_BYTES = 32 << 20  # as the simulation allows for
_QUANTISATION_BYTES = 1 / 64 + 4 / 64 / 256  # 8-bit scales, and scales of scales: a weight
_CODE_BOOKS_BYTES = 4 * 512  # two tables of codes and an offset, in the allocator's blocks: a matrix
_ADAM_8BIT_BYTES = 2 * (1 + 4 / 256)  # two moments with their scales: a parameter
_ADAPTER_BYTES = 4  # float32


@dataclass(frozen=True)
class Shape:
    """A decoder's numbers, as its config has them."""

    layers: int
    hidden: int
    ffn: int
    heads: int
    kv_heads: int
    head_dim: int
    vocabulary: int
    tied: bool = False

    @property
    def queries(self) -> int:
        """Width of a token's queries."""
        return self.heads * self.head_dim

    @property
    def keys(self) -> int:
        """Width of a token's keys, and of its values."""
        return self.kv_heads * self.head_dim


class Schedule(Protocol):
    """As `pipeline.training.long.Schedule`, which is not imported as it brings torch with it."""

    @property
    def tile_tokens(self) -> int | None: ...
    @property
    def loss_tokens(self) -> int | None: ...
    @property
    def inputs(self) -> Literal["card", "host"]: ...
    @property
    def keep_every(self) -> int: ...
    @property
    def kv_heads_at_once(self) -> int | None: ...
    @property
    def embedding(self) -> Literal["card", "host"]: ...


def static_parts(shape: Shape, rank: int, *, embedding_on_card: bool = True) -> dict[str, float]:
    """Bytes that are on the card throughout, by kind: NF4 base, adapter on all linear layers, paged 8-bit AdamW."""
    linear = shape.layers * (shape.hidden * (2 * shape.queries + 2 * shape.keys + 3 * shape.ffn))
    widths = 2 * (shape.hidden + shape.queries) + 2 * (shape.hidden + shape.keys) + 3 * (shape.hidden + shape.ffn)
    adapter = shape.layers * rank * widths
    matrix = 2 * shape.vocabulary * shape.hidden
    return {
        "weights in 4 bits": linear / 2,
        "quantisation constants": linear * _QUANTISATION_BYTES + 7 * shape.layers * _CODE_BOOKS_BYTES,
        "embedding": matrix if embedding_on_card or shape.tied else 0,
        "head": 0 if shape.tied else matrix,
        "adapter": adapter * _ADAPTER_BYTES,
        "gradients": adapter * _ADAPTER_BYTES,
        "optimiser": adapter * _ADAM_8BIT_BYTES,
        "workspace of matrix products": _WORKSPACE_BYTES,
    }


def plain_peak_bytes(shape: Shape, tokens: int, rank: int, *, targets: int | None = None) -> float:
    """Of transformers and peft with gradient checkpointing (`plain_recipe`, `targets_recipe`).

    Args:
        targets: rows of logits that are made at once; of all tokens if None.
    """
    u = 2 * tokens * shape.hidden
    kept = shape.layers * u
    loss = 4 * u + 12 * shape.vocabulary * (targets or tokens)
    return sum(static_parts(shape, rank).values()) + kept + max(loss, _plain_layer(shape, tokens, rank))


def _plain_layer(shape: Shape, tokens: int, rank: int) -> float:
    """Backward of one MLP, when all that its layer computed is there again, for adapter and norms in float32."""
    hidden, ffn, queries, keys = shape.hidden, shape.ffn, shape.queries, shape.keys
    bfloat16 = 3 * hidden + 2 * queries + 2 * keys + 3 * ffn
    float32 = 8 * hidden + 2 * queries + keys + 2 * ffn + shape.heads + 7 * rank
    return tokens * (2 * bfloat16 + 4 * float32)


def long_peak_bytes(shape: Shape, tokens: int, rank: int, schedule: Schedule) -> float:
    """Of our code for long sequences (`long_recipe`)."""
    parts = static_parts(shape, rank, embedding_on_card=schedule.embedding == "card")
    u = 2 * tokens * shape.hidden
    kept = 0 if schedule.inputs == "host" else (-(-shape.layers // schedule.keep_every) + schedule.keep_every - 1) * u
    positions = 4 * tokens * shape.head_dim
    step = max(_layer(shape, tokens, schedule), _loss(shape, tokens, schedule))
    return sum(parts.values()) + kept + positions + step


def _layer(shape: Shape, tokens: int, schedule: Schedule) -> float:
    """Backward of one layer: queries, attention, both gradients, keys, values; and attention's work or a tile's."""
    held = tokens * (2 * shape.hidden + 6 * shape.queries + 4 * shape.keys + 4 * shape.heads)
    return held + max(_attention(shape, tokens, schedule), _tile(shape, tokens, schedule))


def _attention(shape: Shape, tokens: int, schedule: Schedule) -> float:
    """Backward of attention for a group of heads: gradients, float32 sums of the queries', the keys' for every head."""
    kv_heads = min(schedule.kv_heads_at_once or shape.kv_heads, shape.kv_heads)
    heads = kv_heads * shape.heads // shape.kv_heads
    scratch = heads * (4 * shape.head_dim + 4) + (4 * heads * shape.head_dim if heads != kv_heads else 0)
    return tokens * (2 * heads * shape.head_dim + 4 * kv_heads * shape.head_dim + scratch)


def _tile(shape: Shape, tokens: int, schedule: Schedule) -> float:
    """Backward of a tile's MLP, with the down projection's weight dequantised or with one tensor more."""
    tile = min(schedule.tile_tokens or tokens, tokens)
    wide, narrow = 2 * tile * shape.ffn, 2 * tile * shape.hidden
    waiting = 3 * narrow if schedule.inputs == "host" and tile < tokens else narrow  # fetched ahead
    of_norm = 2 * narrow
    return waiting + 3 * narrow + of_norm + max(6 * wide, 5 * wide + narrow + 2 * shape.hidden * shape.ffn)


def _loss(shape: Shape, tokens: int, schedule: Schedule) -> float:
    """Logits of a few targets and their gradients, the hidden states' gradient, and tiles that these are read from."""
    tile = min(schedule.tile_tokens or tokens, tokens)
    rows = min(schedule.loss_tokens or tile, tile)
    return 2 * tokens * shape.hidden + 3 * 2 * tile * shape.hidden + 12 * rows * shape.vocabulary
