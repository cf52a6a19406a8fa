"""How an example's loss and gradients are computed: whole by transformers, or in parts if it is long.

    up to in_parts_from_tokens    whole: the fastest, with all that gradient checkpointing leaves in memory
    beyond                        in parts (long/): inputs of layers in host memory, tiles, heads by group

Both give the same numbers, to rounding, and every run asks the model at hand whether they do (long/check.py).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import psutil
import torch
from peft import PeftModel

from pipeline.settings import Training
from pipeline.training.encode import Encoded
from pipeline.training.long import Schedule, accumulate, embedding_to_host, forward_loss, require_equal, why_not
from pipeline.training.model import target_loss
from pipeline.training.schedule import in_parts_beyond, schedule_of

if TYPE_CHECKING:
    from transformers import PreTrainedModel


class Computation:
    """Computes examples on one model. `schedule`: of those in parts; None: all are computed whole."""

    def __init__(self, model: "PreTrainedModel | PeftModel", schedule: Schedule | None, from_tokens: int) -> None:
        self._model: Any = model
        self.schedule, self._from_tokens = schedule, from_tokens

    def in_parts(self, encoded: Encoded) -> bool:
        """Is this example computed in parts?"""
        return self.schedule is not None and len(encoded.input_ids) > self._from_tokens

    def backward(self, encoded: Encoded, scale: float) -> float:
        """Add `scale` times the gradient of the example's loss to the adapter's; returns the loss, not scaled."""
        if self.schedule is not None and self.in_parts(encoded):
            return accumulate(self._model, *self._tensors(encoded), self.schedule, scale=scale).item()
        loss = target_loss(self._model, encoded.input_ids, encoded.target_start)
        (loss * scale).backward()
        return loss.item()

    def loss(self, encoded: Encoded) -> float:
        """Sum of the cross-entropies of the example's targets, in nats, and nothing else."""
        with torch.inference_mode():
            if self.schedule is not None and self.in_parts(encoded):
                return forward_loss(self._model, *self._tensors(encoded), self.schedule).item()
            return target_loss(self._model, encoded.input_ids, encoded.target_start).item()

    def _tensors(self, encoded: Encoded) -> tuple[torch.Tensor, torch.Tensor]:
        device = self._model.device
        targets = torch.arange(encoded.targets.start, encoded.targets.stop, device=device)
        return torch.tensor(encoded.input_ids, device=device), targets


def computation_of(
    model: PeftModel, settings: Training, longest_tokens: int, warn: Callable[[str], None]
) -> Computation:
    """Decide for a run, and try it; where the model cannot be computed in parts, `warn` is told why.

    On a card, an embedding that is not the head as well moves to host memory if the settings say so.

    Raises:
        FatalError: in parts the model computes something else than whole.
    """
    from_tokens = in_parts_beyond(settings)
    if from_tokens is None or longest_tokens <= from_tokens:
        return Computation(model, None, 0)
    reason = why_not(model)
    if reason:
        warn(
            f"long examples take as much memory as they do elsewhere, for this model is not computed in parts: {reason}"
        )
        return Computation(model, None, 0)
    config = model.config
    all_inputs_bytes = config.num_hidden_layers * longest_tokens * config.hidden_size * model.dtype.itemsize
    schedule = schedule_of(settings, all_inputs_bytes, psutil.virtual_memory().available)
    require_equal(model, schedule)
    if schedule.embedding == "host" and model.device.type != "cpu":
        base: Any = model.get_base_model()
        embedding_to_host(base)
    return Computation(model, schedule, from_tokens)
