"""A model without weights: its shapes and number types are the real ones, its tensors are fake and take no memory.

All of it must happen within one and the same `fake_mode()`. Fake CPU tensors stand for the card's: on a build without
CUDA, autograd does not run on fake CUDA tensors.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from bitsandbytes.functional import QuantState
from bitsandbytes.nn import Linear4bit
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode, unset_fake_temporarily
from transformers import AutoModelForCausalLM
from transformers.initialization import no_init_weights

from pipeline.memory.parts import NESTED_BLOCK, QUANTISED_BLOCK

if TYPE_CHECKING:
    from transformers import PretrainedConfig, PreTrainedModel


@contextmanager
def fake_mode() -> Iterator[None]:
    """Tensors made inside are fake.

    Modules stay where they are made, as `Module.to` cannot exchange fake parameters; and whoever asks whether autocast
    is on (which means: on a card) is told of the CPU.
    """
    enabled = torch.is_autocast_enabled
    with (
        FakeTensorMode(allow_non_fake_inputs=True),
        mock.patch.object(nn.Module, "to", lambda module, *_, **__: module),
        mock.patch.object(torch, "is_autocast_enabled", lambda device="cpu": enabled(device)),
    ):
        yield


def fake_base(
    config: "PretrainedConfig", dtype: torch.dtype = torch.bfloat16, *, in_4_bits: bool = True
) -> "PreTrainedModel":
    """A frozen base as `pipeline.training.model.load_base` gives it: linear weights in NF4, the head and the rest not.

    Args:
        config: of a causal language model that transformers knows.
        dtype: of what is not in 4 bits, and of the arithmetic.
        in_4_bits: quantise; else the linear weights are of `dtype`.
    """
    with no_init_weights():
        model = AutoModelForCausalLM.from_config(config, dtype=dtype, attn_implementation="sdpa")
    model.tie_weights()  # which goes with the initialisation that is left out
    if in_4_bits:
        _quantise(model, dtype)
    return model.requires_grad_(False).eval()


def _quantise(model: Any, dtype: torch.dtype) -> None:
    head = model.get_output_embeddings()
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if type(child) is nn.Linear and child is not head:
                setattr(module, name, _linear_4_bits(child, dtype))
    model.is_loaded_in_4bit = True


def _linear_4_bits(linear: nn.Linear, dtype: torch.dtype) -> Linear4bit:
    """Shapes as `bitsandbytes.functional.quantize_4bit` with double quantisation makes them: 4.127 bits a parameter."""
    with unset_fake_temporarily():
        fake: Any = Linear4bit(1, 1, bias=False, compute_dtype=dtype, quant_type="nf4")
    fake.in_features, fake.out_features = linear.in_features, linear.out_features
    fake.register_parameter("bias", linear.bias)
    fake.support_avx512bf16_for_cpu = False
    state = _quantisation_state(linear.weight, dtype)
    # Not a Params4bit, which cannot hold a fake tensor; these are the attributes that are asked of it.
    weight: Any = nn.Parameter(torch.empty((linear.weight.numel() + 1) // 2, 1, dtype=torch.uint8), requires_grad=False)
    weight.quant_state, weight.quant_type, weight.compress_statistics = state, "nf4", True
    del fake.weight
    fake.weight, fake.quant_state = weight, state
    return fake


def _quantisation_state(weight: Tensor, dtype: torch.dtype) -> QuantState:
    blocks = -(-weight.numel() // QUANTISED_BLOCK)
    nested = QuantState(
        absmax=torch.empty(-(-blocks // NESTED_BLOCK)),
        code=torch.empty(256),
        blocksize=NESTED_BLOCK,
        dtype=torch.float32,
    )
    return QuantState(
        absmax=torch.empty(blocks, dtype=torch.uint8),
        shape=weight.shape,
        code=torch.empty(16),
        blocksize=QUANTISED_BLOCK,
        quant_type="nf4",
        dtype=dtype,
        offset=torch.empty(()),
        state2=nested,
    )


def quantisation_tensors(module: Linear4bit) -> list[Tensor]:
    """What a 4-bit linear layer keeps beside its packed weight."""
    state = module.quant_state
    assert state is not None and state.state2 is not None and state.code is not None and state.offset is not None
    return [state.absmax, state.code, state.offset, state.state2.absmax, state.state2.code]
