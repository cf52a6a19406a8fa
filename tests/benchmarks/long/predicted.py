"""What the simulator says of the step of one_step.py: on a CPU host and card are one, and kernels take no scratch."""

from dataclasses import replace

import torch
from transformers import Qwen3Config

from pipeline.memory.live import Live
from pipeline.memory.simulate import Recipe, simulate
from pipeline.memory.steps import plain_recipe, targets_recipe
from pipeline.settings import Training
from pipeline.training.long import accumulate
from pipeline.training.model import add_lora
from tests.benchmarks.long.one_step import SCHEDULES, SIZES, TARGET_TOKENS

ON_A_CPU = {"in_4_bits": False, "dtype": torch.float32, "scratch": None, "optimizer": "adamw"}


def predicted_bytes(mode: str, tokens: int) -> int:
    """Most bytes at once beyond those that are there before the step."""
    told = simulate(replace(_recipe(mode, tokens), **ON_A_CPU))
    return told.peak_bytes - told.static_bytes


def _recipe(mode: str, tokens: int) -> Recipe:
    config, settings = Qwen3Config(**SIZES), Training(rank=16, gradient_checkpointing=mode not in SCHEDULES)
    if mode == "plain":
        return plain_recipe(config, tokens, settings)
    if mode == "targets":
        return targets_recipe(config, tokens, settings, TARGET_TOKENS)
    schedule = SCHEDULES[mode]

    def step(model, ids, targets, _: Live) -> None:  # type: ignore[no-untyped-def]
        accumulate(model, ids, targets, schedule)

    return Recipe(
        config, lambda base, _: add_lora(base, settings), step, tokens, TARGET_TOKENS, period=schedule.keep_every
    )
