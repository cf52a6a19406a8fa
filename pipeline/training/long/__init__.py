"""Long sequences in little memory: one example's loss and gradients, as plain autograd gives them, to rounding.

    forward     embedding ──> layer 1 ──> layer 2 ──> ... ──> last layer     nothing is kept but each layer's input,
                    │            │            │                   │          tile by tile, in host memory
                 [host]       [host]       [host]                 ▼
    loss                                              target rows ── norm ── head ── cross-entropy, a few rows at once
                                                                  │
    backward    layer 1 <── layer 2 <── ... <── last layer  <─────┘          each layer is computed again from its
                                                                             input, and taken apart at once

Autograd works inside one tile, or inside the attention of one group of heads; between them the gradient is a value of
ours, handed from layer to layer (step.py). So nothing is ever written into what autograd owns, and at any time one
layer's tensors are all that is alive. What is done at once, and what is kept where, is a `Schedule` (../schedule.py).

    decoder.py     a causal language model's parts, and which models have them
    embedding.py   the embedding in host memory
    rows.py        hidden states in tiles, on the card or in host memory
    attention.py   causal attention by groups of key-value heads
    layer.py       one decoder layer, forward and backward
    loss.py        cross-entropy of target tokens, and the gradient that backward begins with
    step.py        the whole: `accumulate` and `forward_loss`
    check.py       the same numbers as plain transformers, asked of the model at hand

Knows nothing of reports, examples or optimisers.
"""

from pipeline.training.long.check import require_equal
from pipeline.training.long.decoder import why_not
from pipeline.training.long.embedding import embedding_to_host
from pipeline.training.long.step import accumulate, forward_loss
from pipeline.training.schedule import Schedule

__all__ = ["Schedule", "accumulate", "embedding_to_host", "forward_loss", "require_equal", "why_not"]
