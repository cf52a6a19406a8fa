"""The closed formula against the simulation: models, lengths, ranks, vocabularies, schedules; within 3%."""

import subprocess
import sys
from dataclasses import replace

import pytest
from transformers import Qwen3Config

from pipeline.memory.account import account
from pipeline.memory.formula import static_parts
from pipeline.memory.run import Run
from pipeline.memory.shape import Shape
from pipeline.memory.simulate import simulate
from pipeline.memory.steps import long_recipe, plain_recipe, targets_recipe
from pipeline.settings import Training
from pipeline.training.schedule import LEAN, WHOLE

SHAPES = {
    "0.6B": Shape(28, 1024, 3072, 16, 8, 128, 151_936, tied=True),
    "4B": Shape(36, 2560, 9728, 32, 8, 128, 151_936, tied=True),
    "8B": Shape(36, 4096, 12_288, 32, 8, 128, 151_936),
    "8B, sliced": Shape(36, 4096, 12_288, 32, 8, 128, 103_936),
    "14B, sliced": Shape(40, 5120, 17_408, 40, 8, 128, 103_936),
}
SCHEDULES = {
    "whole": WHOLE,
    "loss in parts": replace(WHOLE, loss_tokens=512),
    "inputs on the host": replace(WHOLE, loss_tokens=512, inputs="host"),
    "tiles": replace(LEAN, kv_heads_at_once=None),
    "lean": LEAN,
}
QUICK = {"whole", "inputs on the host"}
FEW = (
    "0.6B",
    "8B, sliced",
)  # tied and not: a simulation takes seconds: put all of SHAPES here when the formula changes


def config(shape: Shape) -> Qwen3Config:
    return Qwen3Config(
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        intermediate_size=shape.ffn,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        head_dim=shape.head_dim,
        tie_word_embeddings=shape.tied,
    )


@pytest.mark.slow
@pytest.mark.parametrize("targets", [None, 1500])
@pytest.mark.parametrize("model", FEW)
def test_whole_by_transformers_and_peft(model, targets):
    shape, tokens = SHAPES[model], 5000 if targets else 900
    for rank, length in ((8, tokens), (64, 20 * tokens)):
        settings = Training(rank=rank)
        recipe = (
            targets_recipe(config(shape), length, settings, targets)
            if targets
            else plain_recipe(config(shape), length, settings)
        )
        found = account(Run(shape, "qlora", length, rank=rank, targets=targets)).peak_bytes
        assert found == pytest.approx(simulate(recipe).peak_bytes, rel=0.03)


@pytest.mark.parametrize("model", FEW)
@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in SCHEDULES])
def test_in_parts(model, name):
    shape, schedule = SHAPES[model], SCHEDULES[name]
    for rank, length in ((8, 3000), (64, 11_000)) if name in QUICK else ((8, 5000),):
        simulated = simulate(long_recipe(config(shape), length, Training(rank=rank), schedule))
        assert account(Run(shape, "qlora", length, rank=rank, schedule=schedule)).peak_bytes == pytest.approx(
            simulated.peak_bytes, rel=0.03
        )


@pytest.mark.slow
def test_in_parts_with_every_third_layers_input_on_the_card():
    shape, schedule = SHAPES["8B, sliced"], replace(LEAN, inputs="card", keep_every=3)
    simulated = simulate(long_recipe(config(shape), 8000, Training(rank=16), schedule))
    assert account(Run(shape, "qlora", 8000, schedule=schedule)).peak_bytes == pytest.approx(
        simulated.peak_bytes, rel=0.03
    )


@pytest.mark.parametrize("model", FEW)
def test_static_parts_one_by_one(model):
    shape = SHAPES[model]
    simulated = simulate(plain_recipe(config(shape), 16, Training(rank=16))).components
    for name, held in static_parts(Run(shape, "qlora", 16)).items():
        assert held == pytest.approx(simulated.get(name, 0), rel=0.01), name


def test_it_asks_for_no_torch():
    probe = "import sys, pipeline.memory.account; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True).stdout.strip() == "False"
