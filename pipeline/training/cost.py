"""How much arithmetic an example takes: what a run will cost is told before it begins.

    linear layers    2 operations a weight and token: forward, forward again, backward to the input, and backward to the
                     weights where these are trained
    attention        4 operations a pair of tokens and channel (scores, then values), half of the pairs: forward,
                     forward again, and backward with 2.5 times as much (Dao, "FlashAttention-2", 2023)

The adapter's own arithmetic is under one percent of it, and left out, as is the head's, which reads the targets alone.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from transformers import PretrainedConfig


class Widths(Protocol):
    """What of a decoder's shape its arithmetic depends on."""

    @property
    def layers(self) -> int: ...
    @property
    def hidden(self) -> int: ...
    @property
    def ffn(self) -> int: ...
    @property
    def queries(self) -> int: ...
    @property
    def keys(self) -> int: ...


@dataclass(frozen=True)
class _Widths:
    layers: int
    hidden: int
    ffn: int
    queries: int
    keys: int


def example_flops(config: "PretrainedConfig", tokens: int) -> int:
    """Floating-point operations of one example's loss and gradients, each layer computed once more in backward.

    Args:
        config: of a decoder with the fields that Llama's has.
        tokens: prompt and target together.
    """
    head_dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    queries, keys = config.num_attention_heads * head_dim, config.num_key_value_heads * head_dim
    widths = _Widths(config.num_hidden_layers, config.hidden_size, config.intermediate_size, queries, keys)
    return decoder_flops(widths, tokens)


def decoder_flops(widths: Widths, tokens: int, *, forwards: float = 2, train_weights: bool = False) -> int:
    """Floating-point operations of one example through all layers, there and back.

    Args:
        tokens: prompt and target together.
        forwards: how often each layer is computed: once, and again in backward where little is kept.
        train_weights: whether the layers' own weights have gradients too, or an adapter's alone.
    """
    weights = 2 * widths.hidden * (widths.queries + widths.keys) + 3 * widths.hidden * widths.ffn
    linear = (forwards + 1 + train_weights) * 2 * weights * tokens
    attention = (forwards + 2.5) * 4 * tokens * tokens * widths.queries / 2
    return widths.layers * round(linear + attention)
