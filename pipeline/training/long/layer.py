"""One decoder layer of a long sequence, forward and backward, by a schedule of ours.

    forward     for each tile:            x ── project ──> q, k, v
                for each group of heads:  q, k, v ── attention ──> attended
                for each tile:            x, attended ── finish ──> y

    backward    q, k, v and attended again, as in forward
                for each tile:            finish again, and back:   dy ──> dx (of the residual), d attended
                for each group of heads:  attention's backward:     d attended ──> dq, dk, dv
                for each tile:            project again, and back:  dq, dk, dv ──> added to dx

Autograd sees one tile, or one group. Gradients of the adapter's matrices add up in their `.grad`, tile after tile.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from pipeline.training.long.attention import Group, empty_groups, put, split_attended, take, take_attended
from pipeline.training.long.decoder import Decoder, finish, project
from pipeline.training.long.rows import Span, Transfers
from pipeline.training.schedule import Schedule


@dataclass(frozen=True)
class Sequence:
    """What is the same for all layers of one sequence. `cos`, `sin`: [1, tokens, head_dim]."""

    decoder: Decoder
    schedule: Schedule
    transfers: Transfers
    spans: list[Span]
    cos: Tensor
    sin: Tensor

    def tiles(self, rows: list[Tensor]) -> Iterator[tuple[Span, Tensor]]:
        """Each tile on the card, with where it stands."""
        return zip(self.spans, self.transfers.stream(rows), strict=True)

    def keep(self, tile: Tensor) -> Tensor:
        """The tile as it waits for backward."""
        return self.transfers.store(tile) if self.schedule.inputs == "host" else tile


def layer_forward(sequence: Sequence, layer: nn.Module, x: list[Tensor]) -> Iterator[Tensor]:
    """The tiles [1, tokens, hidden] of the layer's output, one after the other, from those of its input."""
    groups = _attend(sequence, layer, x, with_graph=False)
    for span, tile in sequence.tiles(x):
        with torch.no_grad():
            yield finish(layer, tile, take_attended(groups, span))


def layer_backward(sequence: Sequence, layer: nn.Module, x: list[Tensor], gradient: list[Tensor]) -> None:
    """Turn the gradient of the layer's output into that of its input, tile by tile in the same list.

    The adapter's gradients are added to its parameters' `.grad`.
    """
    groups = _attend(sequence, layer, x, with_graph=True)
    wanted = [torch.empty_like(group.q) for group in groups]
    for place, (span, tile) in enumerate(sequence.tiles(x)):
        gradient[place], by_group = _finish_backward(layer, tile, take_attended(groups, span), gradient[place], groups)
        for whole, part in zip(wanted, by_group, strict=True):
            whole[:, :, span[0] : span[1]] = part
    for place, group in enumerate(groups):
        group.backward(wanted[place])
        wanted[place] = wanted[place].new_empty(0)  # done with: its memory serves the next group
    for place, (span, tile) in enumerate(sequence.tiles(x)):
        gradient[place] += _project_backward(sequence, layer, span, tile, groups)


def _attend(sequence: Sequence, layer: nn.Module, x: list[Tensor], *, with_graph: bool) -> list[Group]:
    decoder, tokens = sequence.decoder, sequence.spans[-1][1]
    groups: list[Group] = []
    for span, tile in sequence.tiles(x):
        with torch.no_grad():
            q, k, v = project(layer, tile, *_positions(sequence, span))
            groups = groups or empty_groups(
                decoder.heads, decoder.kv_heads, sequence.schedule.kv_heads_at_once, tokens, decoder.head_dim, like=q
            )
            put(groups, span, q, k, v)
    for group in groups:
        group.attend(decoder.scaling, with_graph=with_graph)
        if not with_graph:
            group.q = group.k = group.v = group.q.new_empty(0)  # only what was attended to is read from here on
    return groups


def _finish_backward(
    layer: nn.Module, tile: Tensor, attended: Tensor, gradient: Tensor, groups: list[Group]
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """Back through `finish`: the gradients of its input and, by groups, of what was attended to."""
    tile, attended = tile.detach().requires_grad_(), attended.requires_grad_()
    with torch.enable_grad():
        finish(layer, tile, attended).backward(gradient)
    assert tile.grad is not None and attended.grad is not None
    return tile.grad, split_attended(attended.grad, groups)


def _project_backward(sequence: Sequence, layer: nn.Module, span: Span, tile: Tensor, gradients: list[Group]) -> Tensor:
    """Back through `project`: the gradient of its input."""
    tile = tile.detach().requires_grad_()
    with torch.enable_grad():
        projected = project(layer, tile, *_positions(sequence, span))
        torch.autograd.backward(projected, take(gradients, span))
    assert tile.grad is not None
    return tile.grad


def _positions(sequence: Sequence, span: Span) -> tuple[Tensor, Tensor]:
    start, end = span
    return sequence.cos[:, start:end], sequence.sin[:, start:end]
