"""The optimiser is the one that is named, or its fallback with the reason."""

import bitsandbytes as bnb
import pytest
import torch

from pipeline.records import Base
from pipeline.settings import Training
from pipeline.training import optimizer as room
from pipeline.training.model import add_lora, load_base
from pipeline.training.optimizer import Named, make_optimizer, resolve_optimizer


@pytest.mark.parametrize(
    ("name", "dtype", "kind"),
    [
        ("adamw", torch.float32, torch.optim.AdamW),
        ("adamw", torch.bfloat16, bnb.optim.AdamW32bit),
        ("adamw_8bit", torch.bfloat16, bnb.optim.AdamW8bit),
        ("paged_adamw_8bit", torch.bfloat16, bnb.optim.PagedAdamW8bit),
    ],
)
def test_the_optimiser_is_the_one_that_is_named_and_has_the_trained_alone(
    name: Named, dtype: torch.dtype, kind: type, base: Base
) -> None:
    model = add_lora(load_base(base)[0], Training(rank=4))
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    for parameter in trained:
        parameter.data = parameter.data.to(dtype)
    optimizer = make_optimizer(name, model.parameters(), 1e-3)
    assert type(optimizer) is kind
    (group,) = optimizer.param_groups
    assert group["weight_decay"] == 0 and group["lr"] == 1e-3
    assert {id(p) for p in group["params"]} == {id(p) for p in trained}


@pytest.mark.parametrize(
    ("name", "state"), [("adamw", torch.float32), ("adamw_8bit", torch.uint8), ("paged_adamw_8bit", torch.uint8)]
)
def test_moments_of_bfloat16_parameters_are_kept_in_32_or_8_bits(name: Named, state: torch.dtype) -> None:
    number = torch.nn.Parameter(torch.zeros(1 << 14, dtype=torch.bfloat16))
    number.grad = torch.ones_like(number)
    optimizer = make_optimizer(name, [number], 1e-3)
    optimizer.step()
    large = [t for t in optimizer.state[number].values() if torch.is_tensor(t) and t.numel() == number.numel()]
    assert len(large) == 2 and {tensor.dtype for tensor in large} == {state}


def test_without_a_card_nothing_is_paged_and_the_user_hears_of_it() -> None:
    assert resolve_optimizer("auto") == ("adamw", None)
    assert resolve_optimizer("adamw_8bit") == ("adamw_8bit", None)
    name, why = resolve_optimizer("paged_adamw_8bit")
    assert name == "adamw_8bit" and why and "no card" in why and "adamw_8bit is used in its place" in why


def test_what_fails_gives_way_to_32_bits_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: object) -> None:
        raise RuntimeError("no kernel image\nand much more")

    monkeypatch.setattr(bnb.optim.AdamW8bit, "step", broken)
    name, why = resolve_optimizer("adamw_8bit")
    assert name == "adamw" and why and "RuntimeError: no kernel image)" in why
    monkeypatch.setattr(bnb.optim.AdamW8bit, "step", lambda self: None)
    assert resolve_optimizer("paged_adamw_8bit") == (
        "adamw",
        "paged_adamw_8bit cannot be used (there is no card whose memory could be paged; adamw_8bit: its step is "
        "wrong): adamw is used in its place",
    )


def test_auto_is_paged_where_there_is_a_card_on_which_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(room, "_fault", lambda name, device: None if device == "cuda" else "not on the card")
    assert resolve_optimizer("auto") == ("paged_adamw_8bit", None)
