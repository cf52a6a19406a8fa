"""What CUDA kernels take beside their output, against sums by hand."""

import torch

from pipeline.memory.scratch import cuda_scratch, dequantised_bytes, flash_backward_bytes


def heads(count: int, tokens: int, head_dim: int = 128, *, together: bool = True) -> torch.Tensor:
    """[1, heads, tokens, head_dim] in bfloat16, a token's heads next to each other in memory or not."""
    if together:
        return torch.zeros(1, tokens, count, head_dim, dtype=torch.bfloat16).transpose(1, 2)
    return torch.zeros(1, count, tokens, head_dim, dtype=torch.bfloat16)


def test_flash_backward_of_as_many_keys_as_queries():
    q = heads(4, 256)
    assert flash_backward_bytes(q, q, q, q) == 4 * 256 * (128 + 1) * 4


def test_flash_backward_rounds_tokens_and_head_size_up():
    q = heads(4, 129, 40)
    assert flash_backward_bytes(q, q, q, q) == 4 * 256 * (64 + 1) * 4


def test_flash_backward_of_grouped_heads_expands_the_gradients_of_keys_and_values():
    q, k = heads(4, 256), heads(1, 256)
    assert flash_backward_bytes(q, q, k, q) == 4 * 256 * 129 * 4 + 2 * (4 * 256 * 128 * 2)


def test_flash_backward_copies_what_does_not_lie_by_tokens():
    q, apart = heads(4, 256), heads(4, 256, together=False)
    assert flash_backward_bytes(apart, q, q, q) - flash_backward_bytes(q, q, q, q) == 4 * 256 * 128 * 2


def test_dequantised_weight_and_its_scales():
    assert dequantised_bytes([4096, 12288], 64, 2) == 4096 * 12288 * 2 + 4096 * 12288 // 64 * 4


def test_ops_without_scratch_take_none():
    x = torch.zeros(10, 10)
    assert cuda_scratch(torch.ops.aten.mm.default, (x, x), x) == 0
    assert cuda_scratch(torch.ops.aten.logsumexp.default, (x, [1]), x) == 400
