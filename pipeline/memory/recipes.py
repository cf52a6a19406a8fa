"""From a Run to what is simulated: the config that has its shape, the model as it is trained, and its step."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch
from torch.nn.functional import cross_entropy
from transformers import LlamaConfig, Qwen2Config, Qwen3Config

from pipeline.memory.live import Live
from pipeline.memory.run import Run
from pipeline.memory.shape import Shape
from pipeline.memory.simulate import Recipe, Step
from pipeline.memory.steps import long_recipe, plain_recipe, targets_recipe
from pipeline.settings import Training

if TYPE_CHECKING:
    from transformers import PretrainedConfig, PreTrainedModel


def config_of(shape: Shape) -> "PretrainedConfig":
    """A config of this shape: Qwen3's where heads are normalised, Qwen2's where there are biases, else Llama's."""
    kind: Any = Qwen3Config if shape.head_norms else Qwen2Config if shape.biases else LlamaConfig
    return kind(
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        intermediate_size=shape.ffn,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        head_dim=shape.head_dim,
        tie_word_embeddings=shape.tied,
    )


def recipe_of(run: Run) -> Recipe:
    """What `simulate` is to be asked, to find what `account` says of the run."""
    config, settings = config_of(run.shape), Training(rank=run.rank, gradient_checkpointing=run.checkpointing)
    if run.schedule is not None:
        recipe = long_recipe(config, run.tokens, settings, run.schedule, run.targets)
    elif run.targets is not None and run.batch == 1:
        recipe = targets_recipe(config, run.tokens, settings, run.targets)
    else:
        recipe = replace(plain_recipe(config, run.tokens, settings), step=_batched(run.batch, run.targets))
    if run.method == "full":
        recipe = replace(recipe, prepare=_all_weights(run.checkpointing), master_weights=run.master_weights)
    return replace(recipe, in_4_bits=run.method == "qlora", optimizer=run.optimizer)


def _batched(batch: int, targets: int | None) -> Step:
    """Examples of one length at once; logits of all tokens, as transformers makes them for labels, or of the last."""

    def loss(model: Any, examples: torch.Tensor) -> torch.Tensor:
        if targets is None:
            return model(input_ids=examples, labels=examples, use_cache=False).loss
        logits = model(input_ids=examples, logits_to_keep=targets + 1, use_cache=False).logits[:, :-1]
        return cross_entropy(logits.float().flatten(0, 1), examples[:, -targets:].flatten(), reduction="sum")

    def step(model: Any, ids: torch.Tensor, _: torch.Tensor, __: Live) -> None:
        loss(model, ids.expand(batch, -1)).backward()

    return step


def _all_weights(checkpointing: bool) -> Any:
    def prepare(base: "PreTrainedModel", _: Live) -> "PreTrainedModel":
        if checkpointing:
            base.gradient_checkpointing_enable({"use_reentrant": False})
        base.config.use_cache = False
        return base.requires_grad_(True).train()

    return prepare
