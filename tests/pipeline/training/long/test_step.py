"""The same loss and gradients as plain transformers and peft."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.training.long import Schedule, accumulate, forward_loss
from pipeline.training.schedule import LEAN, WHOLE
from tests.pipeline.training.long.conftest import WORDS

TOKENS = 61  # a prime: no tile divides it
SMALL = Schedule(tile_tokens=16, loss_tokens=5, keep_every=2)

SCHEDULES = {
    "whole": WHOLE,
    "tiles": replace(WHOLE, tile_tokens=16),
    "tiles of one token": replace(WHOLE, tile_tokens=1),
    "a tile for all but one": replace(WHOLE, tile_tokens=TOKENS - 1),
    "a tile for more than all": replace(WHOLE, tile_tokens=TOKENS + 1),
    "logits in parts": replace(WHOLE, loss_tokens=7),
    "inputs on the host": replace(WHOLE, inputs="host"),
    "every second input": replace(WHOLE, keep_every=2),
    "one input": replace(WHOLE, keep_every=9),
    "one head at a time": replace(WHOLE, kv_heads_at_once=1),
    "three heads at a time": replace(WHOLE, kv_heads_at_once=3),
    "all": SMALL,
    "the leanest": LEAN,
}


def _example(tokens: int = TOKENS) -> Any:
    import torch

    return torch.randint(WORDS, (tokens,), generator=torch.Generator().manual_seed(1))


def _gradients(model: Any) -> dict[str, Any]:
    found = {name: p.grad for name, p in model.named_parameters() if p.requires_grad}
    model.zero_grad(set_to_none=True)
    return found


def _plain(model: Any, ids: Any, targets: Any, scale: float = 1.0) -> tuple[float, dict[str, Any]]:
    import torch

    logits = model(input_ids=ids[None], use_cache=False).logits[0, targets - 1]
    loss = torch.nn.functional.cross_entropy(logits.float(), ids[targets], reduction="sum")
    (loss * scale).backward()
    return loss.item(), _gradients(model)


def _require_close(ours: dict[str, Any], plain: dict[str, Any], bound: float) -> None:
    assert ours.keys() == plain.keys()
    # A gradient that is zero but for rounding (queries, where the only row read is the first) has no digits to compare.
    floor = 1e-2 * max(float(gradient.norm()) for gradient in plain.values())
    for name, gradient in plain.items():
        assert (ours[name] - gradient).norm() <= bound * max(gradient.norm(), floor), name


@pytest.mark.parametrize("family", ["qwen3", "llama"])
@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES.keys())
def test_every_technique_computes_the_same(make_model: Callable[..., Any], family: str, schedule: Schedule) -> None:
    import torch

    model, ids = make_model(family), _example()
    targets = torch.tensor([1, 2, 15, 16, 17, 31, 32, 33, 40, 59, 60])
    loss, gradients = _plain(model, ids, targets, scale=0.3)
    assert accumulate(model, ids, targets, schedule, scale=0.3).item() == pytest.approx(loss, rel=1e-6)
    _require_close(_gradients(model), gradients, 1e-5)
    assert forward_loss(model, ids, targets, schedule).item() == pytest.approx(loss, rel=1e-6)


@given(data=st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_length_tile_and_targets(make_model: Callable[..., Any], data: st.DataObject) -> None:
    import torch

    model = make_model()
    tokens = data.draw(st.integers(2, 70))
    ids = _example(tokens)
    targets = torch.tensor(sorted(data.draw(st.sets(st.integers(1, tokens - 1), min_size=1))))
    size = st.none() | st.integers(1, tokens + 1)
    schedule = Schedule(
        tile_tokens=data.draw(size),
        loss_tokens=data.draw(size),
        inputs=data.draw(st.sampled_from(["card", "host"])),
        keep_every=data.draw(st.integers(1, 4)),
        kv_heads_at_once=data.draw(st.none() | st.integers(1, 5)),
    )
    loss, gradients = _plain(model, ids, targets)
    assert accumulate(model, ids, targets, schedule).item() == pytest.approx(loss, rel=1e-5)
    _require_close(_gradients(model), gradients, 1e-5)


def test_examples_of_a_step_add_up(make_model: Callable[..., Any]) -> None:
    import torch

    model, targets = make_model(), torch.arange(40, TOKENS)
    ids = _example()
    accumulate(model, ids, targets, SMALL, scale=0.5)
    accumulate(model, ids.flip(0), targets, SMALL, scale=0.25)
    ours = _gradients(model)
    first, second = _plain(model, ids, targets, scale=0.5)[1], _plain(model, ids.flip(0), targets, scale=0.25)[1]
    _require_close(ours, {name: first[name] + second[name] for name in first}, 1e-5)


def test_in_bfloat16_as_near_to_the_truth_as_plain_bfloat16(make_model: Callable[..., Any]) -> None:
    """The base computes in bfloat16 and the adapter's gradients add up in float32."""
    import torch

    ids, targets = _example(), torch.arange(20, TOKENS)
    exact = _plain(make_model(), ids, targets)[1]
    model = make_model(dtype=torch.bfloat16)
    assert {p.dtype for p in model.parameters() if p.requires_grad} == {torch.float32}
    plain = _plain(model, ids, targets)[1]
    accumulate(model, ids, targets, SMALL)
    ours = _gradients(model)

    def error(gradients: dict[str, Any]) -> float:
        return max(float((gradients[n] - exact[n]).norm() / exact[n].norm()) for n in exact)

    assert all(gradient.dtype == torch.float32 for gradient in ours.values())
    assert error(ours) <= max(1.5 * error(plain), 0.02)
    assert error(plain) < 0.1


def test_on_four_bit_weights(tmp_path: Path) -> None:
    import torch
    from bitsandbytes.nn import Linear4bit

    from pipeline.settings import Training
    from pipeline.training.model import add_lora, load_base
    from tests.tiny_llama import write_base

    model = add_lora(load_base(write_base(tmp_path))[0], Training(rank=4))
    assert any(isinstance(module, Linear4bit) for module in model.modules())
    torch.manual_seed(2)
    for name, parameter in model.named_parameters():
        if "lora_B" in name:
            torch.nn.init.normal_(parameter, std=0.05)
    ids, targets = _example(), torch.arange(40, TOKENS)
    loss, gradients = _plain(model, ids, targets)
    assert accumulate(model, ids, targets, SMALL).item() == pytest.approx(loss, rel=1e-6)
    _require_close(_gradients(model), gradients, 1e-5)
