"""How much arithmetic an example takes: what a run will cost is told before it begins.

    linear layers    2 operations a weight and token; forward, forward again, and backward to the input: 3 times
    attention        4 operations a pair of tokens and channel (scores, then values), half of the pairs: forward,
                     forward again, and backward with 2.5 times as much (Dao, "FlashAttention-2", 2023)

The adapter's own arithmetic is under one percent of it, and left out, as is the head's, which reads the targets alone.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PretrainedConfig


def example_flops(config: "PretrainedConfig", tokens: int) -> int:
    """Floating-point operations of one example's loss and gradients, each layer computed once more in backward.

    Args:
        config: of a decoder with the fields that Llama's has.
        tokens: prompt and target together.
    """
    hidden, inner, layers = config.hidden_size, config.intermediate_size, config.num_hidden_layers
    head_dim = getattr(config, "head_dim", None) or hidden // config.num_attention_heads
    queries, keys = config.num_attention_heads * head_dim, config.num_key_value_heads * head_dim
    weights = 2 * hidden * (queries + keys) + 3 * hidden * inner
    linear = 3 * 2 * weights * tokens
    attention = (1 + 1 + 2.5) * 4 * tokens * tokens * queries / 2
    return layers * round(linear + attention)
