"""Does the model at hand give the same numbers in parts as whole? Asked before every run, of a few tokens."""

from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from pipeline.errors import FatalError
from pipeline.training.long.step import accumulate
from pipeline.training.model import target_loss
from pipeline.training.schedule import Schedule

if TYPE_CHECKING:
    from peft import PeftModel

_TOKENS = 67  # a prime: tiles end in odd places

# Largest relative difference of the loss, and of an adapter matrix's gradient (Frobenius norm). In bfloat16 (8 bits)
# the order of sums alone moves a gradient by a percent or two; a wrong formula moves it by its own size.
_BOUNDS = {torch.float32: (1e-5, 1e-4), torch.bfloat16: (1e-2, 1e-1)}


def require_equal(model: "PeftModel", schedule: Schedule) -> None:
    """Compare loss and gradients of a short random text, in small tiles and by plain transformers.

    Gradients of the adapter are cleared; random states are left as they were.

    Raises:
        FatalError: they differ; the run would train something else.
    """
    device = next(model.parameters()).device
    rows = model.get_input_embeddings().weight.shape[0]
    ids = torch.randint(rows, (_TOKENS,), generator=torch.Generator().manual_seed(0)).to(device)
    target_start = _TOKENS // 3
    targets = torch.arange(target_start, _TOKENS, device=device)
    small = replace(schedule, tile_tokens=16, loss_tokens=5)
    ours = accumulate(model, ids, targets, small).item(), _taken(model)
    whole = target_loss(model, ids.tolist(), target_start)
    whole.backward()
    plain = whole.item(), _taken(model)
    loss_bound, gradient_bound = _BOUNDS[model.dtype]
    if abs(ours[0] - plain[0]) > loss_bound * abs(plain[0]):
        raise FatalError(f"in parts the loss is {ours[0]:.6g}, as a whole {plain[0]:.6g}", where=_name(model))
    for name, gradient in plain[1].items():
        difference = (ours[1][name] - gradient).norm().item()
        if difference > gradient_bound * gradient.norm().item():
            raise FatalError(f"in parts the gradient of {name} is another than as a whole", where=_name(model))


def _taken(model: "PeftModel") -> dict[str, Tensor]:
    taken = {name: p.grad.float() for name, p in model.named_parameters() if p.grad is not None}
    model.zero_grad(set_to_none=True)
    return taken


def _name(model: "PeftModel") -> str:
    return type(model.get_base_model()).__name__
