"""Arithmetic of an example, against cases counted by hand."""

from types import SimpleNamespace
from typing import Any

import pytest

from pipeline.training.cost import example_flops

QWEN3_8B: Any = SimpleNamespace(
    hidden_size=4096,
    intermediate_size=12_288,
    num_hidden_layers=36,
    num_attention_heads=32,
    num_key_value_heads=8,
    head_dim=128,
)


def test_one_layer_by_hand() -> None:
    config: Any = SimpleNamespace(
        hidden_size=4, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1
    )
    # Weights: q 4x4, k and v 4x2 each, o 4x4, and three of 4x8: 48 + 96 = 144. Pairs of 10 tokens: 50, 4 channels.
    assert example_flops(config, 10) == 3 * 2 * 144 * 10 + 4.5 * 4 * 50 * 4


def test_a_whole_report_costs_more_than_its_windows() -> None:
    windows, report = 7 * example_flops(QWEN3_8B, 20_480), example_flops(QWEN3_8B, 143_360)
    assert example_flops(QWEN3_8B, 20_480) == pytest.approx(1.41e15, rel=0.01)
    assert report / windows == pytest.approx(3.3, abs=0.1)
