"""The closed formula against what cards have measured: every file that tests/gpu/check.py has left in its results."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.memory.account import account
from pipeline.memory.run import Run
from pipeline.memory.shape import shape_of
from pipeline.training.schedule import LEAN, Schedule

RESULTS = Path(__file__).parents[2] / "gpu" / "results"
LARGEST_GAP = 0.05


def gaps(result: dict[str, Any]) -> dict[str, float]:
    """How far the formula is from each length that fitted.

    PyTorch knows nothing of a paged optimiser's state, which the driver hands out: it is left out on both sides.
    """
    size = result["size"]
    shape = shape_of({"model_type": "qwen3", **size["config"]})
    schedules = {"plain": None, "long": Schedule(**size["schedule"])}
    found = {}
    for name, schedule in schedules.items():
        for step in result[name]:
            if step["fits"] and "peak_allocated_bytes" in step:
                told = account(Run(shape, "qlora", step["tokens"], rank=size["rank"], schedule=schedule))
                held = told.peak_bytes - told.components["optimiser"]
                found[f"{name}, {step['tokens']:,} tokens"] = held / step["peak_allocated_bytes"] - 1
    return found


def test_within_five_percent_of_every_card_s_measurement():
    files = sorted(RESULTS.glob("*.json"))
    if not files:
        pytest.skip("no card has measured yet: run tests/gpu/check.py on one")
    for file in files:
        for step, gap in gaps(json.loads(file.read_text("utf-8"))).items():
            assert abs(gap) <= LARGEST_GAP, f"{file.name}: {step}: {gap:+.1%}"


def test_a_measurement_that_is_a_tenth_higher_is_seen():
    config = {
        "vocab_size": 103_936,
        "hidden_size": 4096,
        "intermediate_size": 12_288,
        "num_hidden_layers": 36,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "head_dim": 128,
    }
    told = account(Run(shape_of({"model_type": "qwen3", **config}), "qlora", 4096, schedule=LEAN))
    measured = round(1.1 * (told.peak_bytes - told.components["optimiser"]))
    steps = [{"tokens": 4096, "fits": True, "peak_allocated_bytes": measured}, {"tokens": 8192, "fits": False}]
    size = {"config": config, "rank": 16, "schedule": vars(LEAN)}
    assert gaps({"size": size, "plain": [], "long": steps}) == {
        "long, 4,096 tokens": pytest.approx(1 / 1.1 - 1, abs=1e-6)
    }
