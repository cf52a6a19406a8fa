"""Training steps to simulate: transformers and peft as they come, and our own code for long sequences.

Each is the real code. Only what goes to the host and comes back is told apart by hand: fake tensors have no card.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training

from pipeline.memory.live import Live
from pipeline.memory.simulate import Recipe
from pipeline.settings import Training
from pipeline.training.long import Schedule, accumulate
from pipeline.training.long.embedding import embedding_to_host
from pipeline.training.long.rows import Transfers
from pipeline.training.model import add_lora, target_loss

if TYPE_CHECKING:
    from peft import PeftModel
    from transformers import PretrainedConfig, PreTrainedModel


class SimulatedTransfers(Transfers):
    """Between a card and a host that are told apart by `live` alone: what is fetched is new on the card."""

    def __init__(self, live: Live) -> None:
        super().__init__(torch.device("cpu"))
        self._live = live

    def allocate(self, shape: torch.Size, dtype: torch.dtype) -> torch.Tensor:
        with self._live.on_host(pinned=True):
            return super().allocate(shape, dtype)

    def store(self, tile: torch.Tensor) -> torch.Tensor:
        return self.allocate(tile.shape, tile.dtype)

    def fetch(self, kept: torch.Tensor) -> tuple[torch.Tensor, None]:
        return (torch.empty_like(kept) if self._live.memory(kept) == "host" else kept), None


def plain_recipe(config: "PretrainedConfig", tokens: int, settings: Training) -> Recipe:
    """Transformers and peft: logits of all tokens, each layer's input kept on the card if checkpointing is set."""

    def step(model: "PeftModel", ids: torch.Tensor, _: torch.Tensor, __: Live) -> None:
        model(input_ids=ids[None], labels=ids[None], use_cache=False).loss.backward()

    return Recipe(config, lambda base, _: add_lora(base, settings), step, tokens)


def kbit_recipe(config: "PretrainedConfig", tokens: int, settings: Training) -> Recipe:
    """As most guides have it: autocast, and what is not in 4 bits in float32 by `prepare_model_for_kbit_training`."""

    def prepare(base: "PreTrainedModel", _: Live) -> "PeftModel":
        base = prepare_model_for_kbit_training(base, gradient_checkpointing_kwargs={"use_reentrant": False})
        lora = LoraConfig(
            r=settings.rank, lora_alpha=settings.alpha, target_modules="all-linear", task_type="CAUSAL_LM"
        )
        return get_peft_model(base, lora).train()

    def step(model: "PeftModel", ids: torch.Tensor, _: torch.Tensor, __: Live) -> None:
        with torch.autocast("cpu", torch.bfloat16):
            loss = model(input_ids=ids[None], labels=ids[None], use_cache=False).loss
        loss.backward()

    return Recipe(config, prepare, step, tokens)


def targets_recipe(config: "PretrainedConfig", tokens: int, settings: Training, targets: int) -> Recipe:
    """Transformers and peft with our loss: logits of the last `targets` tokens alone, all at once."""

    def step(model: "PeftModel", ids: torch.Tensor, positions: torch.Tensor, _: Live) -> None:
        target_loss(model, ids.tolist(), int(positions[0])).backward()

    return replace(plain_recipe(config, tokens, settings), step=step, targets=targets)


def long_recipe(
    config: "PretrainedConfig", tokens: int, settings: Training, schedule: Schedule, targets: int | None = None
) -> Recipe:
    """Our code for long sequences."""

    def prepare(base: "PreTrainedModel", live: Live) -> "PeftModel":
        model = add_lora(base, settings.model_copy(update={"gradient_checkpointing": False}))
        if schedule.embedding == "host" and embedding_to_host(base):
            live.move(base.get_parameter("model.embed_tokens.weight"), "host")
        return model

    def step(model: "PeftModel", ids: torch.Tensor, positions: torch.Tensor, live: Live) -> None:
        accumulate(model, ids, positions, schedule, transfers=SimulatedTransfers(live))

    return Recipe(config, prepare, step, tokens, targets=targets, period=schedule.keep_every)
