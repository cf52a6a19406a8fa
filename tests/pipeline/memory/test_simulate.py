"""Simulated steps: a few layers tell of all, and what must hold between one step and another does."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from pipeline.memory.parts import WORKSPACE_BYTES
from pipeline.memory.simulate import Recipe, Simulated, simulate
from pipeline.memory.steps import kbit_recipe, long_recipe, plain_recipe, targets_recipe
from pipeline.settings import Training
from pipeline.training.long import Schedule
from pipeline.training.schedule import LEAN, WHOLE
from tests.pipeline.memory.small import small_config

SETTINGS = Training(rank=8)
TILED = Schedule(tile_tokens=256, loss_tokens=100)


def recipes(layers: int, tokens: int = 500) -> dict[str, Recipe]:
    config = small_config(layers)
    return {
        "kbit": kbit_recipe(config, tokens, SETTINGS),
        "plain": plain_recipe(config, tokens, SETTINGS),
        "nothing computed again": plain_recipe(
            config, tokens, SETTINGS.model_copy(update={"gradient_checkpointing": False})
        ),
        "targets": targets_recipe(config, tokens, SETTINGS, 90),
        "long, whole": long_recipe(config, tokens, SETTINGS, WHOLE),
        "long, lean": long_recipe(config, tokens, SETTINGS, TILED),
        "long, few targets": long_recipe(config, tokens, SETTINGS, TILED, targets=90),
        "long, on the card": long_recipe(config, tokens, SETTINGS, replace(TILED, inputs="card", embedding="card")),
        "long, every second": long_recipe(config, tokens, SETTINGS, replace(TILED, keep_every=2)),
    }


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n.startswith("long") else n for n in recipes(1)]
)
def test_a_few_layers_tell_of_all_to_the_byte_and_parts_and_places_add_up(name):
    recipe = recipes(9)[name]  # an odd number: of every two layers, one is left at the end
    told, run = simulate(recipe), simulate(recipe, extrapolate=False)
    assert replace(told, components={}) == replace(run, components={})
    assert list(told.at_peak) == list(run.at_peak)
    step = told.components["kept activations"] + told.components["working set"]
    assert sum(told.components.values()) == told.peak_bytes == told.static_bytes + step
    assert sum(told.at_peak.values()) == step


def test_static_parts_are_what_the_config_says():
    layers, hidden, ffn, q, kv, rank, rows = 9, 512, 1408, 512, 128, 8, 3000
    linear = 2 * hidden * q + 2 * hidden * kv + 3 * hidden * ffn
    adapter = rank * (2 * (hidden + q) + 2 * (hidden + kv) + 3 * (hidden + ffn))
    scales = 2 * 512  # of two moments: 64 to 176 bytes each, in blocks of 512
    state = 9 * (2 * 4096 + scales) + 3 * (2 * 11_264 + scales) + 2 * (2 * 4 * 1024)  # the smallest two in float32
    parts = simulate(recipes(layers)["plain"]).components
    assert parts["weights in 4 bits"] == layers * linear // 2
    assert parts["embedding"] == parts["head"] == rows * hidden * 2
    assert parts["adapter"] == parts["gradients"] == layers * adapter * 4  # float32, as peft makes it
    assert parts["optimiser"] == layers * state + 2 * 1024
    assert parts["workspace of matrix products"] == WORKSPACE_BYTES


def test_checkpointing_keeps_an_input_a_layer():
    tokens, hidden = 4000, 512
    simulated = simulate(plain_recipe(small_config(40), tokens, SETTINGS))
    assert simulated.components["kept activations"] == pytest.approx(40 * tokens * hidden * 2, rel=0.02)


@pytest.mark.slow
def test_inputs_on_the_host_are_all_that_lies_there():
    tokens, hidden, layers = 512, 512, 9
    schedule = replace(TILED, embedding="card")  # tiles of 256 KiB: a power of two, as pinned memory comes

    def long(schedule: Schedule) -> Simulated:
        return simulate(long_recipe(small_config(layers), tokens, SETTINGS, schedule))

    simulated = long(schedule)
    assert simulated.host_bytes == (layers + 1) * tokens * hidden * 2
    assert long(replace(schedule, keep_every=3)).host_bytes <= (3 + 1 + 2) * tokens * hidden * 2
    assert long(replace(schedule, inputs="card")).host_bytes == 0
    without_embedding = long(TILED)
    assert without_embedding.host_bytes - simulated.host_bytes == 3000 * 512 * 2
    assert simulated.static_bytes - without_embedding.static_bytes == 3000 * 512 * 2


@pytest.mark.slow
def test_each_technique_takes_less_than_the_one_before():
    config, tokens = small_config(12, 20_000, ffn=512), 2500
    whole = replace(WHOLE, loss_tokens=100)
    ladder = [
        kbit_recipe(config, tokens, SETTINGS),
        plain_recipe(config, tokens, SETTINGS),
        long_recipe(config, tokens, SETTINGS, whole),
        long_recipe(config, tokens, SETTINGS, replace(whole, inputs="host")),
        long_recipe(config, tokens, SETTINGS, replace(whole, inputs="host", tile_tokens=1250)),
        long_recipe(config, tokens, SETTINGS, replace(whole, inputs="host", tile_tokens=1250, kv_heads_at_once=1)),
        long_recipe(config, tokens, SETTINGS, replace(LEAN, tile_tokens=1250, loss_tokens=100)),
    ]
    peaks = [simulate(recipe).peak_bytes for recipe in ladder]
    assert peaks == sorted(peaks, reverse=True) and len(set(peaks)) == len(peaks)


def test_logits_of_all_tokens_cost_twelve_bytes_each_or_more():
    fewer, more = (simulate(plain_recipe(small_config(3, rows), 500, SETTINGS)) for rows in (50_000, 60_000))
    step = [s.peak_bytes - s.static_bytes for s in (fewer, more)]
    assert step[1] - step[0] == pytest.approx(12 * 500 * 10_000, rel=0.01)  # log-probabilities and two gradients


@pytest.mark.slow
@hypothesis_settings(max_examples=5)
@given(st.integers(2, 900), st.integers(150, 1000), st.integers(40, 300), st.sampled_from([1, 2, None]))
def test_any_length_in_any_tiles_can_be_simulated(tokens, tile, rows, heads):
    schedule = Schedule(tile_tokens=tile, loss_tokens=rows, kv_heads_at_once=heads)
    simulated = simulate(long_recipe(small_config(3, 300), tokens, SETTINGS, schedule))
    assert simulated.peak_bytes > simulated.static_bytes
