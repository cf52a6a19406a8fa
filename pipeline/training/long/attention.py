"""Causal attention by groups of key-value heads, each with the query heads that read it.

    keys, values    0         1         2         3        (kv_heads = 4)
    queries       0 1 2 3   4 5 6 7   8 9 ...              (heads = 16)
                 └ group ┘ └ group ┘                       (kv_heads_at_once = 1)

Backward needs room for a group's gradients and for what the kernel sums up in float32, not for all heads' at once; and
what a group no longer needs is let go before the next one begins. Dao, "FlashAttention-2" (2023), is the kernel, by way
of PyTorch; a kernel that makes the [tokens, tokens] matrix is never taken.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

from pipeline.training.long.rows import Span

LINEAR_IN_MEMORY = [SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
"""PyTorch's kernels that never make the [tokens, tokens] matrix."""


@dataclass
class Group:
    """Some heads of a whole sequence. `q`: [1, heads, tokens, head_dim], `k` and `v`: [1, kv_heads, ...]."""

    q: Tensor
    k: Tensor
    v: Tensor
    attended: Tensor | None = None

    def attend(self, scale: float, *, with_graph: bool) -> None:
        """Compute `attended`, [1, heads, tokens, head_dim], so that `backward` can follow if `with_graph`."""
        for part in (self.q, self.k, self.v):
            part.requires_grad_(with_graph)
        with torch.set_grad_enabled(with_graph), sdpa_kernel(LINEAR_IN_MEMORY):
            self.attended = scaled_dot_product_attention(
                self.q, self.k, self.v, is_causal=True, scale=scale, enable_gqa=self.q.shape[1] != self.k.shape[1]
            )

    def backward(self, gradient: Tensor) -> None:
        """From the gradient of `attended`, put those of `q`, `k` and `v` in their places; `attended` is let go."""
        assert self.attended is not None, "attend with a graph first"
        attended, self.attended = self.attended, None
        self.q, self.k, self.v = torch.autograd.grad(attended, (self.q, self.k, self.v), gradient)


def empty_groups(
    heads: int, kv_heads: int, at_once: int | None, tokens: int, head_dim: int, like: Tensor
) -> list[Group]:
    """Groups of `at_once` key-value heads (the last may be smaller), to be filled tile by tile.

    In memory a token's heads lie together: so the kernel for cards wants it, and copies what lies otherwise.
    """
    step, reading = at_once or kv_heads, heads // kv_heads
    sizes = [min(step, kv_heads - first) for first in range(0, kv_heads, step)]
    return [
        Group(*(like.new_empty(1, tokens, n, head_dim).transpose(1, 2) for n in (size * reading, size, size)))
        for size in sizes
    ]


def put(groups: list[Group], span: Span, q: Tensor, k: Tensor, v: Tensor) -> None:
    """Write a tile's projections, all heads, into the groups."""
    start, end = span
    for name, tile in (("q", q), ("k", k), ("v", v)):
        parts = [getattr(group, name) for group in groups]
        for part, heads in zip(parts, tile.split([part.shape[1] for part in parts], dim=1), strict=True):
            part[:, :, start:end] = heads


def take(groups: list[Group], span: Span) -> tuple[Tensor, Tensor, Tensor]:
    """A tile's projections (or their gradients), all heads: what `put` was given."""
    start, end = span
    q, k, v = (torch.cat([getattr(group, name)[:, :, start:end] for group in groups], dim=1) for name in "qkv")
    return q, k, v


def take_attended(groups: list[Group], span: Span) -> Tensor:
    """What all heads of a tile's tokens attended to, as `o_proj` reads it: [1, tokens, heads * head_dim]."""
    start, end = span
    heads = [group.attended.detach()[:, :, start:end] for group in groups if group.attended is not None]
    return torch.cat(heads, dim=1).transpose(1, 2).flatten(2)


def split_attended(gradient: Tensor, groups: list[Group]) -> tuple[Tensor, ...]:
    """The gradient of what `take_attended` gave, by groups: each [1, heads, tokens, head_dim]."""
    sizes = [group.q.shape[1] for group in groups]
    return gradient.unflatten(2, (sum(sizes), -1)).transpose(1, 2).split(sizes, dim=1)
