"""A frozen base of random weights in NF4, made layer by layer where it is to lie: never larger than it ends."""

from typing import TYPE_CHECKING

import torch
from bitsandbytes.nn import Linear4bit, Params4bit
from torch import nn
from transformers import AutoModelForCausalLM

if TYPE_CHECKING:
    from transformers import PretrainedConfig, PreTrainedModel


def random_base(config: "PretrainedConfig", dtype: torch.dtype, device: torch.device) -> "PreTrainedModel":
    """As `pipeline.training.model.load_base` gives a base: linear weights in NF4, embedding and head in `dtype`."""
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config, dtype=dtype, attn_implementation="sdpa")
    head = model.get_output_embeddings()
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if type(child) is nn.Linear and child is not head:
                setattr(module, name, _random_linear(child, dtype, device))
            elif type(child).__name__.endswith("RotaryEmbedding"):
                setattr(module, name, type(child)(config=config).to(device))
    for module in model.modules():
        for name, parameter in list(module.named_parameters(recurse=False)):
            if parameter.is_meta:
                fill = torch.randn if parameter.dim() > 1 else torch.ones
                value = fill(parameter.shape, dtype=dtype, device=device)
                setattr(module, name, nn.Parameter(value * 0.02 if parameter.dim() > 1 else value))
    model.is_loaded_in_4bit = True
    return model.requires_grad_(False).eval()


def _random_linear(linear: nn.Linear, dtype: torch.dtype, device: torch.device) -> Linear4bit:
    made = Linear4bit(linear.in_features, linear.out_features, bias=False, compute_dtype=dtype, device="meta")
    weight = torch.randn(linear.weight.shape, dtype=dtype, device=device) * 0.02
    made.weight = Params4bit(weight, requires_grad=False, quant_type="nf4", compress_statistics=True, module=made).to(
        device
    )
    made.support_avx512bf16_for_cpu = False
    return made
