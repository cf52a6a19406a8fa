"""Gradients of the adapter on a 4-bit base are those of the mathematics, whatever ran on the model before."""

from pathlib import Path

import pytest
import torch

from pipeline.settings import Training
from pipeline.training.computation import Computation
from pipeline.training.encode import Encoded
from pipeline.training.held_out import mean_loss
from pipeline.training.model import add_lora, load_base, target_loss
from tests.tiny_llama import write_base

IDS = list(range(10, 60))
SETTINGS = Training(rank=4)


def gradients(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    """Gradient of every trained parameter, with B no longer zero so that A's are not either."""
    torch.manual_seed(1)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "lora_B" in name:
                parameter.normal_(0, 0.02)
    target_loss(model, IDS, 20).backward()
    return {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}


def assert_equal(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor], tolerance: float) -> None:
    assert one.keys() == other.keys() and one
    for name, gradient in one.items():
        assert (gradient - other[name]).norm() <= tolerance * gradient.norm(), name


def test_a_forward_without_gradients_changes_no_later_gradient(tmp_path: Path):
    base = write_base(tmp_path)
    untouched = gradients(add_lora(load_base(base)[0], SETTINGS))
    model, _ = load_base(base)
    mean_loss(Computation(model, None, 0), [Encoded(IDS, 20)])
    with torch.no_grad():
        model.eval()(torch.tensor([IDS[:1]]))  # one token: the kernel for decoding
    assert_equal(untouched, gradients(add_lora(model, SETTINGS)), 1e-6)


@pytest.mark.parametrize("checkpointing", [True, False])
def test_gradients_are_those_of_the_dequantised_weights(tmp_path: Path, checkpointing: bool):
    base = write_base(tmp_path)
    settings = SETTINGS.model_copy(update={"gradient_checkpointing": checkpointing})
    quantised = gradients(add_lora(load_base(base)[0], settings))
    plain = load_base(base)[0].dequantize()
    plain.requires_grad_(False)
    assert_equal(gradients(add_lora(plain, settings)), quantised, 1e-4)
