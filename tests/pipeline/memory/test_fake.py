"""The fake model against a real one: the same parts, the same bytes, and the same peak of the same step."""

from collections import Counter
from pathlib import Path

import pytest
import torch
from bitsandbytes.nn import Linear4bit
from torch._subclasses.fake_tensor import FakeTensor
from transformers import AutoConfig

from pipeline.memory.fake import fake_base, fake_mode, quantisation_tensors
from pipeline.memory.live import Live
from pipeline.memory.parts import state_bytes
from pipeline.memory.static import make_gradients, name_parts
from pipeline.memory.trace import Alive
from pipeline.settings import Training
from pipeline.training.model import add_lora, load_base, target_loss
from pipeline.training.optimizer import make_optimizer
from tests.pipeline.memory.small import small_config
from tests.tiny_llama import write_base

SETTINGS = Training(rank=8)
IDS = list(range(200))


def by_kind(alive: Alive) -> Counter[str]:
    kinds: Counter[str] = Counter()
    for place, held in alive.items():
        kinds[place.where] += held
    return kinds


def step_bytes(model, live: Live) -> tuple[Counter[str], int]:
    """The parts by kind before a step of training, and the step's peak beyond them."""
    with live:
        make_gradients(model, live)
        name_parts(model, live)
        parts = live.begin().at_end()
        target_loss(model, IDS, 50).backward()
    return by_kind(parts), live.trace().peak() - sum(parts.values())


def real(folder: Path) -> tuple[Counter[str], int]:
    base, _ = load_base(write_base(folder))
    model = add_lora(base, SETTINGS)
    target_loss(model, IDS, 50).backward()  # code that runs once only, as filling caches
    live = Live()
    for tensor in (*model.parameters(), *model.buffers()):
        live.count(tensor, "model")
    for module in model.modules():
        if isinstance(module, Linear4bit):
            for tensor in quantisation_tensors(module):
                live.count(tensor, "quantisation")
    model.zero_grad(set_to_none=True)
    return step_bytes(model, live)


def fake(folder: Path) -> tuple[Counter[str], int]:
    live = Live()
    with fake_mode():
        with live:
            model = add_lora(fake_base(AutoConfig.from_pretrained(folder), torch.float32), SETTINGS)
        assert all(isinstance(parameter, FakeTensor) for parameter in model.parameters())
        return step_bytes(model, live)


def test_a_step_of_the_fake_model_holds_what_a_real_ones_does(tmp_path):
    (real_parts, real_peak), (fake_parts, fake_peak) = real(tmp_path), fake(tmp_path)
    assert fake_parts == real_parts
    assert fake_peak == pytest.approx(
        real_peak, rel=0.005
    )  # checkpointing keeps random states: 10 KiB, real ones alone


def test_nf4_takes_4_127_bits_a_parameter():
    with fake_mode(), Live() as live:
        base = fake_base(small_config(layers=1))
        live.begin()
        layer = base.model.layers[0].mlp.gate_proj
        held = sum(t.untyped_storage().nbytes() for t in (layer.weight, *quantisation_tensors(layer)))
    constants = 4 * (256 + 16 + 1)  # two code books and an offset, whatever the weight's size
    assert 8 * (held - constants) / (512 * 1408) == pytest.approx(4 + 8 / 64 + 32 / 64 / 256)


def test_head_and_embedding_stay_as_they_are_and_may_be_one():
    with fake_mode(), Live() as live:
        apart, tied = fake_base(small_config(layers=1)), fake_base(small_config(layers=1, tied=True))
        assert type(apart.lm_head) is torch.nn.Linear and apart.lm_head.weight.dtype == torch.bfloat16
        assert tied.lm_head.weight is tied.model.embed_tokens.weight
        for model in (apart, tied):
            name_parts(model, live)
    kinds = by_kind(live.trace().at_end())
    assert kinds["embedding"] == 2 * 3000 * 512 * 2 and kinds["head"] == 3000 * 512 * 2


@pytest.mark.parametrize("name", ["adamw", "adamw_8bit", "paged_adamw_8bit"])
@pytest.mark.parametrize("shape", [(8, 100), (8, 512), (1408, 8)])
def test_optimiser_state_is_as_large_as_the_real_one(name, shape):
    parameter = torch.nn.Parameter(torch.zeros(shape))
    optimizer = make_optimizer(name, [parameter], 1e-3)
    parameter.grad = torch.zeros_like(parameter)
    optimizer.step()
    state = [
        value
        for key, value in optimizer.state[parameter].items()
        if isinstance(value, torch.Tensor) and key != "step" and not key.startswith("qmap")
    ]
    assert sum(t.numel() * t.element_size() for t in state) == sum(state_bytes(name, parameter.numel()))
