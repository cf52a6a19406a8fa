"""Checkpoints and the log: what a killed run finds again."""

import json
from pathlib import Path

import pytest
import torch
from peft import PeftModel

from pipeline.records import Base
from pipeline.settings import Training
from pipeline.training.checkpoint import drop_checkpoints, load_checkpoint, save_checkpoint
from pipeline.training.log import Log, Step, _smooth, draw_curve
from pipeline.training.model import add_lora, load_base, target_loss
from pipeline.training.optimizer import Named, make_optimizer

IDS = list(range(100, 140))


def begun(base: Base, name: Named) -> tuple[PeftModel, torch.optim.Optimizer]:
    model = add_lora(load_base(base)[0], Training(rank=4))
    return model, make_optimizer(name, model.parameters(), 1e-2)


def step(model: PeftModel, optimizer: torch.optim.Optimizer) -> float:
    loss = target_loss(model, IDS, 10)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


@pytest.mark.parametrize("name", ["adamw", "paged_adamw_8bit"])
def test_going_on_from_a_checkpoint_is_as_if_nothing_had_been(base: Base, name: Named, tmp_path: Path) -> None:
    model, optimizer = begun(base, name)
    for _ in range(3):
        step(model, optimizer)
    save_checkpoint(tmp_path, 3, model, optimizer)
    undisturbed = [step(model, optimizer) for _ in range(3)]
    model, optimizer = begun(base, name)
    assert load_checkpoint(tmp_path, model, optimizer) == 3
    assert [step(model, optimizer) for _ in range(3)] == undisturbed


def test_two_checkpoints_are_kept_and_the_newest_is_taken(base: Base, tmp_path: Path) -> None:
    model, optimizer = begun(base, "adamw")
    assert load_checkpoint(tmp_path, model, optimizer) == 0
    for done in (8, 9, 10, 1_000_000):
        save_checkpoint(tmp_path, done, model, optimizer)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "checkpoint-000010.pt",
        "checkpoint-1000000.pt",
    ]
    assert load_checkpoint(tmp_path, model, optimizer) == 1_000_000
    drop_checkpoints(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("damage", [b"", b"torn", None])
def test_a_broken_checkpoint_gives_way_to_the_one_before(
    damage: bytes | None, base: Base, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    model, optimizer = begun(base, "adamw")
    for done in (2, 4):
        save_checkpoint(tmp_path, done, model, optimizer)
    newest = tmp_path / "checkpoint-000004.pt"
    newest.write_bytes(newest.read_bytes()[:2000] if damage is None else damage)
    assert load_checkpoint(tmp_path, model, optimizer) == 2
    assert "checkpoint-000004.pt cannot be read" in caplog.text


def line(number: int) -> Step:
    return Step(number, 1 / number, 1e-3, 0.5, 100, 0.25)


def test_the_log_forgets_the_steps_after_the_checkpoint_and_a_torn_line(tmp_path: Path) -> None:
    log = Log(tmp_path, 0)
    for number in (1, 2, 3):
        log.add(line(number))
    with open(tmp_path / "log.jsonl", "a") as file:
        file.write('{"step": 4, "lo')
    again = Log(tmp_path, 2)
    assert again.steps == [line(1), line(2)]
    again.add(line(3))
    lines = (tmp_path / "log.jsonl").read_text().splitlines()
    assert [json.loads(text)["step"] for text in lines] == [1, 2, 3]


def test_a_log_from_before_the_first_checkpoint_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text('{"step": 1, "lo')
    assert Log(tmp_path, 0).steps == []
    assert (tmp_path / "log.jsonl").read_text() == ""


def test_the_smoothed_curve_is_a_mean_without_pull_towards_zero() -> None:
    assert _smooth([3.0, 3.0, 3.0]) == pytest.approx([3, 3, 3])
    assert _smooth([1.0, 0.0]) == pytest.approx([1, 0.8 / 1.8])


def test_the_curve_is_a_picture_also_of_a_single_step(tmp_path: Path) -> None:
    draw_curve([line(1)], (2.0, 1.0), tmp_path / "loss.png")
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG")
