"""What lies on the card throughout a run: the model's parts by kind, the adapter's gradients, the optimiser's state."""

import re
from typing import TYPE_CHECKING

import torch
from bitsandbytes.nn import Linear4bit
from torch import nn

from pipeline.memory.fake import quantisation_tensors
from pipeline.memory.live import Live
from pipeline.memory.parts import shared_state_bytes, state_bytes
from pipeline.memory.run import Optimizer

if TYPE_CHECKING:
    from peft import PeftModel

_LAYER = re.compile(r"\.layers\.(\d+)\.")


def make_gradients(model: "PeftModel", live: Live) -> None:
    """As after the first example of a step: the gradients of the others are added to them."""
    with live.placing("gradients"):
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter.grad = torch.zeros_like(parameter)


def hold_optimizer(name: Optimizer, model: "PeftModel", live: Live, *, master_weights: bool = False) -> None:
    """Count the optimiser's state; that of a paged one too, though the driver may drive it out to the host."""
    for parameter in model.parameters():
        if parameter.requires_grad:
            for count in state_bytes(name, parameter.numel()):
                live.hold(count, "optimiser")
            if master_weights:
                live.hold(4 * parameter.numel(), "master weights")
    for count in shared_state_bytes(name):
        live.hold(count, "optimiser")


def name_parts(model: "PeftModel", live: Live) -> None:
    """Name every weight by its kind, and tell `live` which layer it is of."""
    embedding, head = model.get_input_embeddings(), model.get_output_embeddings()
    named: set[nn.Parameter] = set()
    for name, module in model.named_modules():
        found = _LAYER.search(name + ".")
        layer = int(found[1]) if found else -1
        for parameter in module.parameters(recurse=False):
            if parameter not in named:  # a head may be the embedding itself
                live.name(parameter, _kind(name, module, parameter, embedding, head), layer=layer)
                named.add(parameter)
        for buffer in module.buffers(recurse=False):
            live.name(buffer, "buffers")
        if isinstance(module, Linear4bit):
            for tensor in quantisation_tensors(module):
                live.name(tensor, "quantisation constants")


def _kind(name: str, module: nn.Module, parameter: nn.Parameter, embedding: nn.Module, head: nn.Module | None) -> str:
    if ".lora_" in name:
        return "adapter"
    if module is embedding or module is head:
        return "embedding" if module is embedding else "head"
    if parameter.ndim == 1:
        return "norms and biases"
    return "weights in 4 bits" if isinstance(module, Linear4bit) else "weights"
