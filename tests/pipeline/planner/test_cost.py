"""Time and energy of a run, against cases counted by hand and the training loop's own count."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.memory.shape import Shape
from pipeline.planner.cards import find_card, read_cards
from pipeline.planner.cost import forwards, run_cost, run_flops
from pipeline.training.cost import example_flops

CARDS = read_cards()
TINY = Shape(layers=1, hidden=4, ffn=8, heads=2, kv_heads=1, head_dim=2, vocabulary=100)
QWEN3_8B = Shape(layers=36, hidden=4096, ffn=12_288, heads=32, kv_heads=8, head_dim=128, vocabulary=151_936)


def test_one_layer_by_hand():
    # Weights: q 4x4, k and v 4x2 each, o 4x4, and three of 4x8: 48 + 96 = 144. Pairs of 10 tokens: 50, 4 channels.
    assert run_flops(TINY, [10]) == 3 * 2 * 144 * 10 + 4.5 * 4 * 50 * 4
    assert run_flops(TINY, [10], train_weights=True) == 4 * 2 * 144 * 10 + 4.5 * 4 * 50 * 4
    assert run_flops(TINY, [10], forwards=1) == 2 * 2 * 144 * 10 + 3.5 * 4 * 50 * 4


def test_the_head_makes_logits_of_the_targets_alone():
    without = run_flops(TINY, [10])
    assert run_flops(TINY, [10], targets=3) - without == 2 * 2 * 4 * 100 * 3
    assert run_flops(TINY, [10], targets=99) - without == 2 * 2 * 4 * 100 * 10


def test_it_is_the_training_loop_s_count():
    config: Any = SimpleNamespace(
        hidden_size=4096, intermediate_size=12_288, num_hidden_layers=36,
        num_attention_heads=32, num_key_value_heads=8, head_dim=128,
    )  # fmt: skip
    assert run_flops(QWEN3_8B, [20_480, 900]) == example_flops(config, 20_480) + example_flops(config, 900)


@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=5))
def test_one_long_example_costs_more_than_its_parts(lengths):
    together, apart = run_flops(QWEN3_8B, [sum(lengths)]), run_flops(QWEN3_8B, lengths)
    assert together > apart if len(lengths) > 1 else together == apart
    assert run_flops(QWEN3_8B, lengths, epochs=2.5) == pytest.approx(2.5 * apart)


@pytest.mark.parametrize(
    ("settings", "often"),
    [({"checkpointing": False}, 1), ({}, 2), ({"keep_every": 2}, 2.5), ({"keep_every": 4}, 2.75)],
)
def test_how_often_a_layer_is_computed(settings, often):
    assert forwards(**settings) == often


def test_hours_and_energy_by_hand():
    # 165.2 TFLOP/s at a half: 82.6e12 a second, 297.36e15 an hour; 450 W.
    cost = run_cost(594.72e15, find_card("4090", CARDS), utilisation=0.5)
    assert cost is not None
    assert cost.hours == pytest.approx(2) and cost.kilowatt_hours == pytest.approx(0.9)
    assert cost.sentence == "594.7 PFLOP at 50% of the RTX 4090's 165.2 TFLOP/s, at its full 450 W."


def test_a_card_without_bfloat16_trains_nothing():
    assert run_cost(1e15, find_card("T4", CARDS)) is None


@pytest.mark.parametrize("utilisation", [0, -0.1, 1.1, 35])
def test_utilisation_is_a_share(utilisation):
    with pytest.raises(ValueError, match="share"):
        run_cost(1e15, find_card("4090", CARDS), utilisation=utilisation)
