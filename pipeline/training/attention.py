"""Which attention a run uses: never, for long sequences, the one whose memory grows with the square of the length.

FlashAttention-2 (Dao, 2023) and the memory-efficient kernel (Rabe & Staats, 2021) never hold the [tokens, tokens]
matrix. torch chooses among its kernels by itself, and falls back to the one that does without a word: at 20,000 tokens
and 32 heads that is 24 GiB a layer.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Literal

import torch

from pipeline.errors import UserError

Named = Literal["flash_attention_2", "sdpa"]
LONG_TOKENS = 8192  # up to here the matrix of one layer is of a few GiB at most, and any kernel will do


def resolve_attention(wanted: Literal["auto", "flash_attention_2", "sdpa"]) -> Named:
    """The implementation by transformers' name for it. `auto`: flash-attn where it is installed beside a card.

    Raises:
        UserError: flash-attn is asked for, and is not installed or has no card to run on.
    """
    missing = _missing()
    if wanted == "flash_attention_2" and missing:
        raise UserError(
            f"training.attention is flash_attention_2, but {missing}",
            fix="set it to auto: torch's own flash kernel computes the same",
        )
    return "sdpa" if wanted == "sdpa" or missing else "flash_attention_2"


def _missing() -> str | None:
    if not torch.cuda.is_available():
        return "there is no card"
    return None if find_spec("flash_attn") else "the package flash-attn is not installed"


@contextmanager
def refuse_quadratic(tokens: int) -> Iterator[None]:
    """Inside, sequences of more than `LONG_TOKENS` go through a kernel of linear memory, or not at all.

    Args:
        tokens: length of the sequence that is about to pass, forward and backward.

    Raises:
        UserError: torch has no such kernel for this model's attention.
    """
    if tokens <= LONG_TOKENS:
        yield
        return
    from torch.nn.attention import sdpa_kernel

    from pipeline.training.long.attention import LINEAR_IN_MEMORY

    try:
        with sdpa_kernel(LINEAR_IN_MEMORY):
            yield
    except RuntimeError as error:
        if "No available kernel" not in str(error):
            raise
        raise UserError(
            f"at {tokens:,} tokens attention would need memory that grows with the square of the length",
            fix="install flash-attn, choose another model, or lower windows.budget_tokens",
        ) from error
