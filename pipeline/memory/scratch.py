"""What CUDA kernels take for the time that they run, beyond what they return: fake tensors do not show it.

Read from the kernels' host code as of PyTorch 2.13 and bitsandbytes 0.50:

    attention's backward   `mha_bwd` in flash_api.cpp, `_flash_attention_backward` in attention_backward.cu
    4-bit linear           `bitsandbytes::gemm_4bit` for CUDA: a matrix of dequantised weights, then a dense product
    logsumexp              `logsumexp_out_impl` in ReduceOps.cpp
"""

from math import prod
from typing import Any

import torch
from torch import Tensor

_FLASH_BACKWARD = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default
_LOGSUMEXP = torch.ops.aten.logsumexp.default


def cuda_scratch(func: Any, args: tuple[Any, ...], out: Any) -> int:
    """Bytes that the CUDA kernel of this op takes beside its output; the op ran on (fake) CPU tensors."""
    if func is _FLASH_BACKWARD:
        gradient, query, key, _, attended = args[:5]
        return flash_backward_bytes(gradient, query, key, attended)
    if func is _LOGSUMEXP:
        return args[0].numel() * args[0].element_size()
    if func.__name__ == "gemm_4bit.default":
        return dequantised_bytes(args[2], args[4], args[0].element_size())
    return 0


def flash_backward_bytes(gradient: Tensor, query: Tensor, key: Tensor, out: Tensor) -> int:
    """Scratch of FlashAttention-2's backward.

    The gradient of the queries is summed up in float32, with tokens and head size rounded up; one float32 a row for
    the softmax; for grouped heads, gradients of keys and values for every query head; and copies of the output and
    its gradient unless they lie in memory as [batch, tokens, heads, head_dim].

    Args:
        gradient: [batch, heads, tokens, head_dim], of the output `out`, which is like it.
        query: [batch, heads, tokens, head_dim].
        key: [batch, kv_heads, tokens, head_dim]; the values are like it.
    """
    batch, heads, tokens, head_dim = query.shape
    rows = batch * heads * _up(tokens, 128)
    count = 4 * rows * (_up(head_dim, 32 if head_dim <= 128 else 64) + 1)
    if key.shape[1] != heads:
        count += 2 * batch * heads * key.shape[2] * head_dim * query.element_size()
    copied = [t for t in (gradient, out) if not t.transpose(1, 2).is_contiguous()]
    return count + sum(t.numel() * t.element_size() for t in copied)


def dequantised_bytes(shape: list[int], block: int, element_bytes: int) -> int:
    """A dequantised weight of this shape, and its blocks' scales in float32.

    Small batches of rows (up to 1,536, by card and shape) go through a kernel without it: this is then too much.
    """
    count = prod(shape)
    return count * element_bytes + 4 * count // block


def _up(count: int, multiple: int) -> int:
    return -(-count // multiple) * multiple
