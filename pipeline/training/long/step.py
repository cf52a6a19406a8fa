"""The loss of one long example, and its gradients added to the adapter's.

embed ──> x0 ── layer 1 ──> x1 ── ... ──> xn ── loss ──> dxn ── layer n ──> ... ── layer 1 ──> (dx0: not needed)
          └ kept           └ kept                                └ from its kept input
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from pipeline.training.long.decoder import Decoder
from pipeline.training.long.layer import Sequence, layer_backward, layer_forward
from pipeline.training.long.loss import target_rows, tile_loss, tile_loss_and_gradient
from pipeline.training.long.rows import Transfers, spans
from pipeline.training.schedule import Schedule

if TYPE_CHECKING:
    from peft import PeftModel
    from transformers import PreTrainedModel


def accumulate(
    model: "PeftModel",
    input_ids: Tensor,
    targets: Tensor,
    schedule: Schedule,
    *,
    scale: float = 1.0,
    transfers: Transfers | None = None,
) -> Tensor:
    """Add `scale` times the gradient of the targets' loss to the adapter's `.grad`; return the loss, not scaled.

    Args:
        model: one of which `why_not` says nothing; only its adapter is trained.
        input_ids: [tokens] of the whole example.
        targets: [n] ascending positions > 0 of the tokens that carry loss.

    Returns:
        Sum of the targets' cross-entropies in nats, float32, on the model's device.
    """
    with torch.no_grad(), _mixed(model):
        sequence = _sequence(model, input_ids, schedule, transfers)
        kept = _forward(sequence, input_ids)
        loss, gradient = _loss_and_gradient(sequence, kept.pop(), input_ids, targets, scale)
        _backward(sequence, kept, gradient)
    return loss


def forward_loss(
    model: "PreTrainedModel | PeftModel", input_ids: Tensor, targets: Tensor, schedule: Schedule
) -> Tensor:
    """The loss alone, as `accumulate` returns it: one layer's tensors are alive at a time."""
    with torch.no_grad(), _mixed(model):
        sequence = _sequence(model, input_ids, schedule, None)
        x = list(_embed(sequence, input_ids))
        for layer in sequence.decoder.layers:
            x = [sequence.keep(tile) for tile in layer_forward(sequence, layer, x)]
        losses = (
            tile_loss(sequence.decoder, tile[0, rows], input_ids[here], schedule.loss_tokens)
            for span, tile in sequence.tiles(x)
            for rows, here in [target_rows(targets, span)]
            if len(rows)
        )
        return torch.stack(list(losses)).sum()


def _sequence(
    model: "PreTrainedModel | PeftModel", input_ids: Tensor, schedule: Schedule, transfers: Transfers | None
) -> Sequence:
    decoder = Decoder.of(model)
    cos, sin = decoder.positions(len(input_ids), model.dtype, input_ids.device)
    return Sequence(
        decoder=decoder,
        schedule=schedule,
        transfers=transfers or Transfers(input_ids.device),
        spans=spans(len(input_ids), schedule.tile_tokens),
        cos=cos,
        sin=sin,
    )


def _embed(sequence: Sequence, input_ids: Tensor) -> Iterator[Tensor]:
    for start, end in sequence.spans:
        yield sequence.keep(sequence.decoder.embedding(input_ids[None, start:end]))


def _forward(sequence: Sequence, input_ids: Tensor) -> list[list[Tensor]]:
    """The kept inputs of layers, in order, and at last the output of the last layer."""
    x = list(_embed(sequence, input_ids))
    kept = [x]
    for place, layer in enumerate(sequence.decoder.layers, 1):
        waits = place % sequence.schedule.keep_every == 0 or place == len(sequence.decoder.layers)
        x = [sequence.keep(tile) if waits else tile for tile in layer_forward(sequence, layer, x)]
        if waits:
            kept.append(x)
    return kept


def _loss_and_gradient(
    sequence: Sequence, x: list[Tensor], input_ids: Tensor, targets: Tensor, scale: float
) -> tuple[Tensor, list[Tensor]]:
    """The targets' loss, and its gradient at the output `x` of the last layer in tiles: zero where no row is read."""
    losses, gradient = [], []
    for span, tile in sequence.tiles(x):
        gradient.append(torch.zeros_like(tile))
        rows, here = target_rows(targets, span)
        if len(rows):
            loss, at_rows = tile_loss_and_gradient(
                sequence.decoder, tile[0, rows], input_ids[here], sequence.schedule.loss_tokens, scale
            )
            losses.append(loss)
            gradient[-1][0, rows] = at_rows
    return torch.stack(losses).sum(), gradient


def _backward(sequence: Sequence, kept: list[list[Tensor]], gradient: list[Tensor]) -> None:
    """From the last layer to the first; inputs that were not kept are computed again from the last that was."""
    layers, every = sequence.decoder.layers, sequence.schedule.keep_every
    for first in reversed(range(0, len(layers), every)):
        here = layers[first : first + every]
        inputs = [kept.pop()]
        for layer in here[:-1]:
            inputs.append([sequence.keep(tile) for tile in layer_forward(sequence, layer, inputs[-1])])
        for layer in reversed(here):
            layer_backward(sequence, layer, inputs.pop(), gradient)


def _mixed(model: "PreTrainedModel | PeftModel") -> AbstractContextManager[object]:
    """Compute in the base's number type where the adapter is kept in a finer one; in that its gradients then add up."""
    trained = {p.dtype for p in model.parameters() if p.requires_grad}
    device = next(model.parameters()).device.type
    # Without the cache, for casts that are shared by tiles would be part of several graphs.
    return torch.autocast(device, model.dtype, enabled=trained - {model.dtype} != set(), cache_enabled=False)
