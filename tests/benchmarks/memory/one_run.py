"""One real training step on this CPU, in a process of its own: how much memory did it add to what was there before?

python tests/benchmarks/memory/one_run.py NAME      prints {"peak_bytes", "seconds"}

NAME is one of RUNS. Weights are random, in bfloat16 as on a card, and adapters in float32, so that the step makes the
very tensors that the formula counts. Linux: the high-water mark of the resident memory is reset before the step.
"""

import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from pipeline.memory.account import KEPT, WORKING, account  # noqa: E402
from pipeline.memory.run import Run  # noqa: E402
from pipeline.memory.shape import Shape  # noqa: E402
from pipeline.training.schedule import Schedule  # noqa: E402

SHAPE = Shape(8, 512, 1536, 8, 2, 64, 32_768)
LLAMA = replace(SHAPE, layers=16, head_norms=False, kv_heads=8)
TILES = Schedule(tile_tokens=512, loss_tokens=128)
RUNS = {
    "LoRA, all logits": Run(SHAPE, "lora", 1_500),
    "LoRA, 200 targets": Run(LLAMA, "lora", 1_000, targets=200),
    "LoRA, nothing computed again": Run(SHAPE, "lora", 1_500, checkpointing=False, targets=200),
    "LoRA, two examples at once": Run(SHAPE, "lora", 1_000, batch=2, targets=200),
    "full": Run(SHAPE, "full", 2_000, targets=200),
    "full, nothing computed again": Run(LLAMA, "full", 500, checkpointing=False, targets=200),
    "LoRA in parts": Run(SHAPE, "lora", 1_500, schedule=TILES, targets=200),
}


def told_bytes(name: str) -> int:
    """What the formula says that the step adds: all but what is there throughout. Host and card are one here."""
    run = RUNS[name]
    if run.schedule is not None:
        run = replace(run, schedule=replace(run.schedule, inputs="card", embedding="card"))
    components = account(run).components
    return components[KEPT] + components[WORKING]


def made(run: Run) -> tuple[Any, Any]:
    """The model as it is trained, and its step: the simulator's own, but for what it tells apart on a card."""
    import torch
    from transformers import AutoModelForCausalLM

    from pipeline.memory.recipes import config_of, recipe_of
    from pipeline.settings import Training
    from pipeline.training.long import accumulate
    from pipeline.training.model import add_lora

    torch.manual_seed(0)
    base = AutoModelForCausalLM.from_config(config_of(run.shape), dtype=torch.bfloat16).requires_grad_(False)
    if run.schedule is not None:
        model = add_lora(base, Training(rank=run.rank, gradient_checkpointing=False))
        return model, lambda ids, targets: accumulate(model, ids, targets, run.schedule)
    recipe = recipe_of(run)
    model, nobody = recipe.prepare(base, None), None
    return model, lambda ids, targets: recipe.step(model, ids, targets, nobody)


def resident(field: str) -> int:
    """VmRSS (now) or VmHWM (the most since it was reset) of this process, in bytes."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))


def main() -> None:
    import torch

    run = RUNS[sys.argv[1]]
    _, step = made(run)
    ids = torch.randint(run.shape.vocabulary, (run.tokens,), generator=torch.Generator().manual_seed(0))
    first = max(1, run.tokens - (run.targets or run.tokens))
    targets = torch.arange(first, run.tokens)
    step(ids, targets)  # what is made once: threads, gradients, kernels for these shapes
    Path("/proc/self/clear_refs").write_text("5", "ascii")
    before, began = resident("VmRSS"), time.monotonic()
    step(ids, targets)
    print(json.dumps({"peak_bytes": resident("VmHWM") - before, "seconds": time.monotonic() - began}))


if __name__ == "__main__":
    assert "MALLOC_MMAP_THRESHOLD_" in os.environ, "without it glibc keeps what is freed; planner.py sets it"
    main()
