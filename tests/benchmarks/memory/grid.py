"""The grid on which planners are held against the simulator: models, lengths, sets of techniques. No torch."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pipeline.memory.account import account
from pipeline.memory.run import Run
from pipeline.memory.shape import Shape, read_shape
from pipeline.training.schedule import LEAN
from tests.benchmarks.memory.planners import PLANNERS

LARGEST_ERROR = 0.03
FORMULA = "our formula"
MODELS = ("Qwen3-0.6B", "Llama-3.2-3B", "Qwen2.5-7B", "Qwen3-8B, 103,936 words", "Mistral-7B-v0.3")
LENGTHS = (1_000, 4_096, 8_192, 20_000, 40_000, 140_000)
TECHNIQUES: dict[str, Callable[[Shape, int], Run]] = {
    "full, checkpointing, AdamW": lambda shape, tokens: Run(shape, "full", tokens, optimizer="adamw"),
    "LoRA, nothing computed again": lambda shape, tokens: Run(shape, "lora", tokens, rank=32, checkpointing=False),
    "QLoRA, checkpointing, 1,000 targets": lambda shape, tokens: Run(shape, "qlora", tokens, targets=999),
    "QLoRA in parts, 1,000 targets": lambda shape, tokens: Run(shape, "qlora", tokens, targets=999, schedule=PARTS),
}
PARTS = replace(LEAN, tile_tokens=8_192)
"""All techniques; the larger tiles, the shorter the simulation."""
Job = tuple[str, str, int]


def jobs() -> list[Job]:
    """(techniques, model, tokens): the whole grid."""
    return [(name, model, tokens) for name in TECHNIQUES for model in MODELS for tokens in LENGTHS]


def run_of(job: Job) -> Run:
    """What is trained at this point of the grid."""
    techniques, model, tokens = job
    name, _, words = model.partition(", ")
    shape = read_shape(name)
    if words:
        shape = replace(shape, vocabulary=int(words.removesuffix(" words").replace(",", "")))
    return TECHNIQUES[techniques](shape, tokens)


def simulated(job: Job) -> int:
    """The simulator's peak, in bytes. Seconds of work: for a process of its own."""
    import torch

    from pipeline.memory.recipes import recipe_of
    from pipeline.memory.simulate import simulate

    torch.set_num_threads(1)
    return simulate(recipe_of(run_of(job))).peak_bytes


def compared(job: Job, simulated_bytes: int) -> dict[str, Any]:
    """What the simulator found, and what each planner says of it."""
    techniques, model, tokens = job
    run = run_of(job)
    said: dict[str, float] = {FORMULA: account(run).peak_bytes}
    said |= {name: planner(run, simulated_bytes) for name, planner in PLANNERS.items()}
    return {
        "techniques": techniques,
        "model": model,
        "tokens": tokens,
        "simulated_bytes": simulated_bytes,
        "errors": {name: held / simulated_bytes - 1 for name, held in said.items()},
    }
