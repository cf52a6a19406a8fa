"""One training step of a small random Qwen3 in a process of its own: how much memory did it take, and how long?

python tests/benchmarks/long/one_step.py MODE TOKENS      prints {"peak_bytes", "seconds", "loss"}

MODE is `plain` (transformers and peft with gradient checkpointing, logits of all tokens, as their `labels` make them),
`targets` (the same, logits of the target tokens alone), or a schedule of SCHEDULES.
`peak_bytes` is what the step added to what was resident before it (Linux: the high-water mark is reset in between).
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402

from pipeline.training.schedule import WHOLE, Schedule  # noqa: E402

TARGET_TOKENS = 1024
SIZES: dict[str, Any] = {
    "vocab_size": 32_768,
    "hidden_size": 512,
    "intermediate_size": 1536,
    "num_hidden_layers": 8,
    "num_attention_heads": 8,
    "num_key_value_heads": 2,
    "head_dim": 64,
    "max_position_embeddings": 131_072,
    "tie_word_embeddings": False,
}
SCHEDULES = {
    "whole layers": WHOLE,
    "in parts": Schedule(tile_tokens=512, loss_tokens=256, kv_heads_at_once=1),
    "in parts, every 4th input": Schedule(tile_tokens=512, loss_tokens=256, kv_heads_at_once=1, keep_every=4),
}


def make_model() -> Any:
    """The model in float32, an adapter of rank 16 on every projection, checkpointing on."""
    from peft import LoraConfig, get_peft_model
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(0)
    base = Qwen3ForCausalLM(Qwen3Config(**SIZES)).requires_grad_(False)
    base.gradient_checkpointing_enable({"use_reentrant": False})
    base.enable_input_require_grads()
    base.config.use_cache = False
    return get_peft_model(base, LoraConfig(r=16, lora_alpha=16, use_rslora=True, target_modules="all-linear")).train()


def step(model: Any, mode: str, ids: torch.Tensor, targets: torch.Tensor) -> float:
    """Loss and gradients; returns the mean loss of the targets."""
    if mode in SCHEDULES:
        from pipeline.training.long import accumulate

        return accumulate(model, ids, targets, SCHEDULES[mode], scale=1 / len(targets)).item() / len(targets)
    if mode == "plain":
        labels = torch.full_like(ids, -100)
        labels[targets] = ids[targets]
        loss = model(input_ids=ids[None], labels=labels[None], use_cache=False).loss
    else:
        from pipeline.training.model import target_loss

        loss = target_loss(model, ids.tolist(), int(targets[0])) / len(targets)
    loss.backward()
    return loss.item()


def resident(field: str) -> int:
    """VmRSS (now) or VmHWM (the most since it was reset) of this process, in bytes."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))


def main() -> None:
    mode, tokens = sys.argv[1], int(sys.argv[2])
    model = make_model()
    ids = torch.randint(SIZES["vocab_size"], (tokens,), generator=torch.Generator().manual_seed(0))
    warm = torch.arange(32, 64)
    step(model, mode, ids[:64], warm)  # what the first step makes once (threads, gradients) is not the length's
    Path("/proc/self/clear_refs").write_text("5", "ascii")
    before, began = resident("VmRSS"), time.monotonic()
    loss = step(model, mode, ids, torch.arange(tokens - TARGET_TOKENS, tokens))
    seconds = time.monotonic() - began
    print(json.dumps({"peak_bytes": resident("VmHWM") - before, "seconds": seconds, "loss": loss}))


if __name__ == "__main__":
    assert "MALLOC_MMAP_THRESHOLD_" in os.environ, "without it glibc keeps what is freed; resident.py sets it"
    main()
