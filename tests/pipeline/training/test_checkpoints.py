"""Checkpoints: what a killed run finds again."""

import random
from pathlib import Path

import pytest
import torch
from peft import PeftModel

from pipeline.records import Base
from pipeline.settings import Training
from pipeline.training.checkpoint import drop_checkpoints, load_checkpoint, save_checkpoint, trained_weights
from pipeline.training.held_out import HeldOut
from pipeline.training.model import add_lora, load_base, target_loss
from pipeline.training.optimizer import Named, make_optimizer

IDS = list(range(100, 140))


def begun(base: Base, name: Named) -> tuple[PeftModel, torch.optim.Optimizer]:
    model = add_lora(load_base(base)[0], Training(rank=4))
    return model, make_optimizer(name, model.parameters(), 1e-2)


def save(folder: Path, done: int, model: PeftModel, optimizer: torch.optim.Optimizer) -> None:
    save_checkpoint(folder, done, model, optimizer, HeldOut(0))


def load(folder: Path, model: PeftModel, optimizer: torch.optim.Optimizer) -> int:
    return load_checkpoint(folder, model, optimizer, HeldOut(0))


def step(model: PeftModel, optimizer: torch.optim.Optimizer) -> float:
    loss = target_loss(model, IDS, 10)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


@pytest.mark.parametrize("name", ["adamw", "adamw_8bit"])
def test_going_on_from_a_checkpoint_is_as_if_nothing_had_been(base: Base, name: Named, tmp_path: Path) -> None:
    model, optimizer = begun(base, name)
    for _ in range(3):
        step(model, optimizer)
    save(tmp_path, 3, model, optimizer)
    undisturbed = [step(model, optimizer) for _ in range(3)]
    model, optimizer = begun(base, name)
    assert load(tmp_path, model, optimizer) == 3
    assert [step(model, optimizer) for _ in range(3)] == undisturbed


def test_two_checkpoints_are_kept_and_the_newest_is_taken(base: Base, tmp_path: Path) -> None:
    model, optimizer = begun(base, "adamw")
    assert load(tmp_path, model, optimizer) == 0
    for done in (8, 9, 10, 1_000_000):
        save(tmp_path, done, model, optimizer)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "checkpoint-000010.pt",
        "checkpoint-1000000.pt",
    ]
    assert load(tmp_path, model, optimizer) == 1_000_000
    drop_checkpoints(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damage", [b"", b"torn", None])
def test_a_broken_checkpoint_gives_way_to_the_one_before(
    damage: bytes | None, base: Base, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model, optimizer = begun(base, "adamw")
    for done in (2, 4):
        save(tmp_path, done, model, optimizer)
    newest = tmp_path / "checkpoint-000004.pt"
    newest.write_bytes(newest.read_bytes()[:2000] if damage is None else damage)
    assert load(tmp_path, model, optimizer) == 2
    assert "checkpoint-000004.pt cannot be read" in caplog.text


def test_random_generators_and_the_looks_go_on_where_they_were(base: Base, tmp_path: Path) -> None:
    model, optimizer = begun(base, "adamw")
    held_out = HeldOut(2, before=4.0)
    held_out.add(3, 2.5, trained_weights(model))
    save_checkpoint(tmp_path, 3, model, optimizer, held_out)
    undisturbed = random.random(), torch.rand(3)
    step(model, optimizer)  # what is kept of the best look is a copy
    model, optimizer = begun(base, "adamw")
    again = HeldOut(2)
    load_checkpoint(tmp_path, model, optimizer, again)
    assert random.random() == undisturbed[0] and torch.equal(torch.rand(3), undisturbed[1])
    assert (again.before, again.looks, again.best) == (4.0, [(3, 2.5)], (3, 2.5))
    assert again.weights.keys() == trained_weights(model).keys()
    assert all(torch.equal(again.weights[name], value) for name, value in trained_weights(model).items())
