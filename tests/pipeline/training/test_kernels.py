"""Fused kernels: never two kinds at once, and never silently none where some were asked for."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any, Literal

import pytest
import torch

from pipeline.errors import UserError
from pipeline.records import Base
from pipeline.settings import Training
from pipeline.training import kernels
from pipeline.training.kernels import load, resolve_kernels


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """As if there were a card; returns the packages that are as if installed, to be added to."""
    installed: set[str] = set()
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(kernels, "find_spec", lambda name: name if name in installed else None)
    return installed


@pytest.mark.parametrize("wanted", ["liger", "unsloth"])
def test_asked_for_without_a_card_or_without_their_packages_is_an_error(
    wanted: Literal["liger", "unsloth"], card: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UserError, match=rf"training.kernels is {wanted}, but the package \w+ is not installed"):
        resolve_kernels(wanted)
    card |= {"liger_kernel", "unsloth"}
    with pytest.raises(UserError, match="package triton is not installed"):
        resolve_kernels(wanted)
    card.add("triton")
    assert resolve_kernels(wanted) == wanted
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UserError, match=rf"{wanted}, but there is no card.*set it to none"):
        resolve_kernels(wanted)


def test_auto_takes_liger_where_it_can_run_and_none_asks_for_nothing(card: set[str]) -> None:
    assert resolve_kernels("auto") == "none"
    card |= {"liger_kernel", "triton"}
    assert resolve_kernels("auto") == "liger" and resolve_kernels("none") == "none"


@pytest.mark.parametrize(
    ("wanted", "in_force"), [("liger", "unsloth"), ("unsloth", "liger_kernel.transformers.monkey_patch")]
)
def test_the_other_kind_in_force_is_an_error_that_says_why(
    wanted: Literal["liger", "unsloth"], in_force: str, card: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    card |= {"liger_kernel", "unsloth", "triton"}
    monkeypatch.setitem(sys.modules, in_force, ModuleType(in_force))
    with pytest.raises(UserError, match=f"replaced forward functions of transformers .* {wanted} replaces the same"):
        resolve_kernels(wanted)
    assert resolve_kernels("auto") == ("none" if wanted == "liger" else "liger")


def test_a_kind_of_model_that_liger_does_not_know_is_an_error_and_not_left_as_it_is(
    base: Base, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: dict[str, Any] = {"qwen3": None}
    patched: list[dict[str, Any]] = []
    transformers = SimpleNamespace(_apply_liger_kernel_to_instance=lambda **said: patched.append(said))
    monkeypatch.setitem(sys.modules, "liger_kernel", ModuleType("liger_kernel"))
    monkeypatch.setitem(sys.modules, "liger_kernel.transformers", transformers)
    rules = SimpleNamespace(MODEL_TYPE_TO_APPLY_LIGER_FN=known)
    monkeypatch.setitem(sys.modules, "liger_kernel.transformers.monkey_patch", rules)
    with pytest.raises(UserError, match="liger has no kernels for a model of the type llama"):
        load(base, Training(), "liger", "sdpa")
    assert patched == []
    known["llama"] = None
    model, _ = load(base, Training(), "liger", "sdpa")
    assert [said["model"] for said in patched] == [model] and not patched[0]["fused_linear_cross_entropy"]


def test_the_attention_asked_for_is_the_models(base: Base) -> None:
    model, _ = load(base, Training(), "none", "sdpa")
    assert model.config._attn_implementation == "sdpa" and not model.training
