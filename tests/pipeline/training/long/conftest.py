"""Small random models of two families with an adapter on every projection, its matrices random too."""

from collections.abc import Callable
from typing import Any

import pytest

WORDS = 300


def _config(family: str, **changes: Any) -> Any:
    from transformers import LlamaConfig, Qwen3Config

    sizes = {
        "vocab_size": WORDS,
        "hidden_size": 48,
        "intermediate_size": 80,
        "num_hidden_layers": 3,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "max_position_embeddings": 512,
        "initializer_range": 0.15,  # large enough that attention has something to choose
        "tie_word_embeddings": family == "llama",
    }
    if family == "qwen3":
        return Qwen3Config(**(sizes | {"head_dim": 16} | changes))
    return LlamaConfig(**(sizes | changes))


@pytest.fixture
def make_model() -> Callable[..., Any]:
    """(family, **changes of the configuration) -> a PeftModel in float32, eager gradients, no checkpointing."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    def make(family: str = "qwen3", dtype: Any = torch.float32, **changes: Any) -> Any:
        torch.manual_seed(0)
        base = AutoModelForCausalLM.from_config(_config(family, **changes), attn_implementation="sdpa").to(dtype)
        base.requires_grad_(False)
        model = get_peft_model(base, LoraConfig(r=4, lora_alpha=4, use_rslora=True, target_modules="all-linear"))
        for name, parameter in model.named_parameters():
            if parameter.requires_grad and "lora_B" in name:
                torch.nn.init.normal_(parameter, std=0.05)  # zeros would hide half of the gradients
        return model.train()

    return make
