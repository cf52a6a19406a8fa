"""The closed formula against the simulation of the same run: methods, shapes, schedules; and what must always hold."""

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.memory.account import KEPT, WORKING, account
from pipeline.memory.run import Run
from pipeline.memory.shape import Shape, read_shape
from pipeline.training.schedule import LEAN, WHOLE, Schedule

SMALL = Shape(5, 1024, 3328, 18, 6, 64, 7_000)  # no two parts as wide as one another
LLAMA = replace(SMALL, heads=16, kv_heads=4, head_dim=72, head_norms=False, tied=True)
QWEN2 = replace(LLAMA, kv_heads=16, biases=True, tied=False)
TWELVE = replace(SMALL, layers=12)
TILES = Schedule(tile_tokens=700, loss_tokens=200)
QUICK = {
    "qlora, targets": Run(SMALL, "qlora", 2_000, rank=10, targets=150),
    "lora, nothing computed again": Run(LLAMA, "lora", 1_500, checkpointing=False, targets=150),
    "full, two at once": Run(QWEN2, "full", 900, batch=2, optimizer="adamw", master_weights=True),
    "lora in parts": Run(LLAMA, "lora", 1_500, schedule=TILES, targets=300),
}
SLOW = {
    "qlora, labels": Run(replace(SMALL, vocabulary=90_000), "qlora", 1_500, rank=64),
    "qlora, shorter than a weight is wide": Run(LLAMA, "qlora", 150, targets=20),
    "qlora, two at once": Run(SMALL, "qlora", 900, batch=2, targets=99),
    "full, nothing computed again": Run(SMALL, "full", 1_500, checkpointing=False),
    "full, few tokens, a large head": Run(replace(SMALL, vocabulary=90_000), "full", 300, targets=20),
    "qlora in parts": Run(SMALL, "qlora", 3_000, schedule=TILES),
    "one layer at a time": Run(QWEN2, "qlora", 3_000, schedule=WHOLE, targets=300),
    "loss in parts": Run(SMALL, "qlora", 3_000, schedule=replace(WHOLE, loss_tokens=300)),
    "inputs on the host": Run(SMALL, "qlora", 3_000, schedule=replace(WHOLE, loss_tokens=300, inputs="host")),
    "every second input, on the host": Run(TWELVE, "qlora", 1_500, schedule=replace(TILES, keep_every=2)),
    "every second input": Run(TWELVE, "qlora", 700, schedule=replace(TILES, keep_every=2, inputs="card")),
    "all heads at once": Run(
        replace(SMALL, ffn=1024),
        "qlora",
        9_000,
        targets=99,
        schedule=replace(TILES, tile_tokens=3_000, kv_heads_at_once=None),
    ),
    "wide queries": Run(
        replace(SMALL, ffn=1024), "qlora", 6_000, targets=99, schedule=replace(TILES, tile_tokens=3_000)
    ),
    "a large tile": Run(replace(SMALL, vocabulary=90_000), "qlora", 2_000, schedule=replace(LEAN, loss_tokens=1_000)),
}
RUNS = {**QUICK, **SLOW}


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in RUNS])
def test_the_formula_says_what_the_simulation_finds(name):
    from pipeline.memory.recipes import recipe_of
    from pipeline.memory.simulate import simulate

    told, simulated = account(RUNS[name]), simulate(recipe_of(RUNS[name]))
    assert told.peak_bytes == pytest.approx(simulated.peak_bytes, rel=0.03)
    assert told.host_bytes == simulated.host_bytes
    for part in told.components.keys() - {KEPT, WORKING}:
        assert told.components[part] == simulated.components[part], part
    assert simulated.components.keys() - told.components.keys() <= {"token ids", KEPT}


RUN = st.builds(
    Run,
    st.sampled_from([SMALL, LLAMA, QWEN2, read_shape("Qwen3-8B")]),
    st.sampled_from(["qlora", "lora", "full"]),
    st.integers(1, 200_000),
    batch=st.integers(1, 8),
    rank=st.integers(1, 64),
    targets=st.none() | st.integers(1, 200_000),
    checkpointing=st.booleans(),
) | st.builds(
    Run,
    st.sampled_from([SMALL, LLAMA, QWEN2, read_shape("Qwen3-8B")]),
    st.sampled_from(["qlora", "lora"]),
    st.integers(1, 200_000),
    schedule=st.sampled_from([LEAN, WHOLE, TILES, replace(TILES, inputs="card", keep_every=3)]),
)


@given(RUN, st.integers(1, 5_000))
def test_more_of_anything_never_takes_less(run, more):
    peak = account(run).peak_bytes
    assert account(replace(run, tokens=run.tokens + more)).peak_bytes >= peak
    assert account(replace(run, rank=run.rank + more)).peak_bytes >= peak
    wider = replace(run.shape, vocabulary=run.shape.vocabulary + more)
    assert account(replace(run, shape=wider)).peak_bytes >= peak
    if run.schedule is None:
        assert account(replace(run, batch=run.batch + more)).peak_bytes > peak


@given(RUN)
def test_components_add_up_to_the_peak(run):
    told = account(run)
    assert sum(told.components.values()) == told.peak_bytes
    assert all(held > 0 for held in told.components.values())


def test_four_bits_take_less_than_sixteen_and_these_less_than_training_all():
    peaks = [account(Run(read_shape("Qwen3-8B"), method, 2_000)).peak_bytes for method in ("qlora", "lora", "full")]
    assert peaks == sorted(peaks)


@pytest.mark.parametrize(("master_weights", "width"), [(False, 12), (True, 16)])
def test_training_all_weights_takes_twelve_or_sixteen_bytes_each(master_weights, width):
    shape = read_shape("Llama-3.1-8B")
    run = Run(shape, "full", 100, optimizer="adamw", master_weights=master_weights)
    components = account(run).components
    held = sum(components.values()) - components[WORKING] - components[KEPT]
    assert held == pytest.approx(width * shape.parameters, rel=0.002)


def test_the_published_case_fits():
    """Qwen3-8B by QLoRA, 20,000 tokens, a 16 GB card, the vocabulary cut from 151,936 to some 100,000."""
    for vocabulary in (151_936, 100_000):
        shape = replace(read_shape("Qwen3-8B"), vocabulary=vocabulary)
        run = Run(shape, "qlora", 20_000, schedule=LEAN)
        assert account(run).peak_bytes < 6.5 * (1 << 30)
        assert account(replace(run, tokens=200_000)).peak_bytes < 14 << 30


@pytest.mark.parametrize(
    "wrong", [{"tokens": 0}, {"batch": 0}, {"schedule": LEAN, "batch": 2}, {"schedule": LEAN, "method": "full"}]
)
def test_what_cannot_be_run_is_no_run(wrong):
    with pytest.raises(ValueError):
        Run(**{"shape": SMALL, "method": "qlora", "tokens": 100, **wrong})


def test_it_asks_for_no_torch():
    probe = "import sys, pipeline.memory.account; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True).stdout.strip() == "False"
