"""Long sequences never go through the kernel whose memory grows with the square of the length."""

import pytest
import torch

from pipeline.errors import UserError
from pipeline.records import Base
from pipeline.training import attention
from pipeline.training.attention import LONG_TOKENS, refuse_quadratic, resolve_attention
from pipeline.training.model import load_base, target_loss


def needs_the_quadratic_kernel() -> torch.Tensor:
    """Values of another width than keys: no kernel of linear memory takes these on a CPU."""
    keys = torch.randn(1, 2, 8, 16)
    return torch.nn.functional.scaled_dot_product_attention(keys, keys, torch.randn(1, 2, 8, 8), is_causal=True)


def test_the_quadratic_kernel_is_refused_for_long_sequences_alone() -> None:
    with refuse_quadratic(LONG_TOKENS):
        assert needs_the_quadratic_kernel().shape == (1, 2, 8, 8)
    with pytest.raises(UserError, match="at 8,193 tokens .* square of the length.*flash-attn"), refuse_quadratic(8193):
        needs_the_quadratic_kernel()
    assert needs_the_quadratic_kernel().shape == (1, 2, 8, 8)  # outside all is as it was


def test_other_errors_pass_as_they_are() -> None:
    with pytest.raises(RuntimeError, match="shapes"), refuse_quadratic(10_000):
        raise RuntimeError("shapes do not match")


def test_the_models_own_attention_needs_no_quadratic_kernel_forward_or_backward(base: Base) -> None:
    model, _ = load_base(base)
    model.get_input_embeddings().weight.requires_grad_(True)
    ids = [i % 400 for i in range(300)]
    with refuse_quadratic(LONG_TOKENS + 1):
        target_loss(model, ids, 200).backward()
    gradient = model.get_input_embeddings().weight.grad
    model.get_input_embeddings().weight.grad = None
    target_loss(model, ids, 200).backward()
    torch.testing.assert_close(model.get_input_embeddings().weight.grad, gradient)


def test_flash_attention_is_taken_where_it_can_run_and_an_error_where_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert resolve_attention("auto") == resolve_attention("sdpa") == "sdpa"
    with pytest.raises(UserError, match="flash_attention_2, but there is no card.*auto"):
        resolve_attention("flash_attention_2")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(attention, "find_spec", lambda name: None)
    with pytest.raises(UserError, match="flash-attn is not installed"):
        resolve_attention("flash_attention_2")
    assert resolve_attention("auto") == "sdpa"
    monkeypatch.setattr(attention, "find_spec", lambda name: name == "flash_attn")
    assert resolve_attention("auto") == resolve_attention("flash_attention_2") == "flash_attention_2"
    assert resolve_attention("sdpa") == "sdpa"
