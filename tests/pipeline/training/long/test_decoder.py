"""Which models are computed in parts, and what is said of the others."""

from collections.abc import Callable
from typing import Any

import pytest

from pipeline.errors import FatalError
from pipeline.training.long import Schedule, accumulate, embedding_to_host, require_equal, why_not
from pipeline.training.schedule import LEAN


@pytest.mark.parametrize("family", ["qwen3", "llama"])
def test_models_that_are_known(make_model: Callable[..., Any], family: str) -> None:
    model = make_model(family)
    assert why_not(model) is None
    assert why_not(model.get_base_model()) is None
    require_equal(model, LEAN)
    assert all(p.grad is None for p in model.parameters())


def test_models_that_are_not(make_model: Callable[..., Any]) -> None:
    from transformers import AutoModelForCausalLM, Gemma2Config, GPT2Config, Phi3Config

    sizes = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2}
    phi = Phi3Config(**sizes, **heads, pad_token_id=0)
    gemma = Gemma2Config(**sizes, **heads, head_dim=8)
    for config, reason in [
        (phi, "resid_attn_dropout"),
        (gemma, "pre_feedforward_layernorm"),
        (GPT2Config(vocab_size=64, n_embd=32, n_layer=1, n_head=2), "not called"),
    ]:
        assert reason in str(why_not(AutoModelForCausalLM.from_config(config)))
    sliding = make_model(use_sliding_window=True, sliding_window=8, max_window_layers=1)
    assert "sliding_attention" in str(why_not(sliding))
    assert "dropout" in str(why_not(make_model("llama", attention_dropout=0.1)))


def test_a_model_that_computes_otherwise_is_found_out(make_model: Callable[..., Any]) -> None:
    """All parts have the right names, and one does something else: only the numbers can tell."""
    model = make_model()
    layer = model.get_base_model().model.layers[1]
    plain = layer.forward
    layer.forward = lambda *args, **kwargs: plain(*args, **kwargs) * 1.02
    assert why_not(model) is None
    with pytest.raises(FatalError, match="in parts"):
        require_equal(model, LEAN)


def test_the_embedding_may_wait_on_the_host(make_model: Callable[..., Any]) -> None:
    import torch

    model = make_model()
    ids, targets = torch.arange(20), torch.arange(10, 20)
    before = accumulate(model, ids, targets, Schedule(tile_tokens=7))
    assert embedding_to_host(model.get_base_model())
    assert torch.equal(accumulate(model, ids, targets, Schedule(tile_tokens=7)), before)
    assert model(input_ids=ids[None]).logits.isfinite().all()
    assert not embedding_to_host(make_model("llama").get_base_model()), "the head is the same matrix"
