"""Cross-entropy of target tokens alone, with never more than a few rows of logits, and where backward begins.

    position     0   1   2   3   4   5
    token        a   b   c   d   e   f          targets = 3, 4, 5
    row read             2   3   4              the row before each target

A row of logits is as wide as the vocabulary: of 140,000 tokens and 150,000 words they would fill 78 GiB in float32.
The head and the final norm are frozen, so that all that is needed of a row is its loss and the gradient of its hidden
state, which can be had at once (Wijmans et al., "Cut Your Losses in Large-Vocabulary Language Models", 2024, have a
kernel for it).
"""

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from pipeline.training.long.decoder import Decoder
from pipeline.training.long.rows import Span


def target_rows(targets: Tensor, span: Span) -> tuple[Tensor, Tensor]:
    """Which of the ascending `targets` are read from rows of this tile: (rows, counted within it; those targets)."""
    start, end = span
    here = targets[(targets > start) & (targets <= end)]
    return here - 1 - start, here


def tile_loss(decoder: Decoder, hidden: Tensor, labels: Tensor, loss_tokens: int | None) -> Tensor:
    """Sum of the cross-entropies, in nats (float32, no graph).

    Args:
        hidden: [rows, hidden] before the final norm.
        labels: [rows] the token that each row is to predict.
    """
    parts = zip(*(t.split(loss_tokens or len(labels)) for t in (hidden, labels)), strict=True)
    with torch.no_grad():
        return sum((_loss(decoder, h, y) for h, y in parts), hidden.new_zeros((), dtype=torch.float32))


def tile_loss_and_gradient(
    decoder: Decoder, hidden: Tensor, labels: Tensor, loss_tokens: int | None, scale: float
) -> tuple[Tensor, Tensor]:
    """The loss as `tile_loss`, and `scale` times its gradient at `hidden`, [rows, hidden]."""
    total, gradients = hidden.new_zeros((), dtype=torch.float32), []
    step = loss_tokens or len(labels)
    for part, label in zip(hidden.split(step), labels.split(step), strict=True):
        leaf = part.detach().requires_grad_()
        with torch.enable_grad():
            loss = _loss(decoder, leaf, label)
            gradients.append(torch.autograd.grad(loss * scale, leaf)[0])
        total += loss.detach()
    return total, torch.cat(gradients)


def _loss(decoder: Decoder, hidden: Tensor, labels: Tensor) -> Tensor:
    return cross_entropy(decoder.head(decoder.norm(hidden)).float(), labels, reduction="sum")
