"""Out of memory: the run says where and what would help, or changes what it can by itself and goes on."""

import json
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from typer.testing import CliRunner

from pipeline.errors import UserError
from pipeline.progress import silent
from pipeline.records import Base, digest
from pipeline.settings import Settings, Training
from pipeline.storage import Workspace
from pipeline.training import attempts, ladder, load_trained, train
from pipeline.training.encode import Encoded
from pipeline.training.loop import Loop
from pipeline.training.runs import run_key
from tests.pipeline.training.conftest import SETTINGS, make_examples

HUNGRY = SETTINGS.model_copy(update={"gradient_checkpointing": False, "rank": 16, "tile_tokens": 512})
ADAPTING = HUNGRY.model_copy(update={"adapt": True})

Fits = Callable[[Training, int], bool]


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Callable[[Fits], None]:
    """Torch really fails to allocate in the n-th backward of a loop, unless it fits."""
    backward = Loop._backward

    def limited_to(fits: Fits) -> None:
        def limited(self: Loop, encoded: Encoded, scale: float) -> float:
            done = self.__dict__["backwards"] = self.__dict__.get("backwards", 0) + 1
            if not fits(self.settings, done):
                torch.empty(1 << 50)
            return backward(self, encoded, scale)

        monkeypatch.setattr(Loop, "_backward", limited)

    return limited_to


def record(workspace: Workspace, key: str) -> dict[str, Any]:
    return json.loads((workspace.root / "runs" / key / "run.json").read_text())


def test_the_run_climbs_down_until_it_fits_and_its_record_says_how(
    base: Base, workspace: Workspace, memory: Callable[[Fits], None]
) -> None:
    memory(lambda settings, done: settings.gradient_checkpointing and settings.rank <= 8)
    told: list[str] = []
    adapter = train(make_examples(base, workspace), base, workspace, ADAPTING, silent, told.append)
    document = load_trained(workspace, adapter.run)[1]
    changes = [("training.gradient_checkpointing", True), ("training.in_parts", "always"), ("training.rank", 8)]
    assert [(change.setting, change.value) for change in document.adapted] == changes
    kept = record(workspace, adapter.run)
    assert [(change["setting"], change["value"]) for change in kept["adapted"]] == changes
    assert kept["settings"]["rank"] == 16  # what was asked for
    assert json.loads((Path(adapter.path) / "adapter_config.json").read_text())["r"] == 8
    in_force = ADAPTING.model_copy(update={"gradient_checkpointing": True, "in_parts": "always", "rank": 8})
    assert adapter.settings == digest(in_force.identity()) and document.steps == 9
    first, _, last = (line for line in told if line.startswith("Out of memory on the machine (example "))
    assert "tokens). Adapted: training.gradient_checkpointing = true" in first and "training.rank = 8" in last


def test_an_adapted_run_is_the_run_that_had_these_settings_from_the_start(
    base: Base, tmp_path: Path, memory: Callable[[Fits], None]
) -> None:
    memory(lambda settings, done: settings.rank <= 8 or done < 6)  # the probe and some steps fit, checkpoints included
    in_force = ADAPTING.model_copy(update={"gradient_checkpointing": True, "in_parts": "always", "rank": 8})
    adapters = []
    for name, settings in (("adapted", ADAPTING), ("asked", in_force)):
        workspace = Workspace(tmp_path / name)
        adapters.append(train(make_examples(base, workspace), base, workspace, settings))
    one, other = (load_file(Path(adapter.path) / "adapter_model.safetensors") for adapter in adapters)
    assert one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)
    assert adapters[0].settings == adapters[1].settings


def test_a_change_that_keeps_the_adapters_shape_goes_on_from_the_checkpoint(
    base: Base, workspace: Workspace, memory: Callable[[Fits], None]
) -> None:
    memory(lambda settings, done: settings.gradient_checkpointing or done < 10)  # 1 of the probe, 8 of four steps
    seen: list[int] = []
    adapter = train(
        make_examples(base, workspace), base, workspace, ADAPTING, lambda done, total, note="": seen.append(done)
    )
    assert seen == [0, 1, 2, 3, 4, *range(4, 10)]
    assert [change.setting for change in load_trained(workspace, adapter.run)[1].adapted] == [
        "training.gradient_checkpointing"
    ]


def test_without_leave_the_run_names_the_place_and_the_next_rung(
    base: Base, workspace: Workspace, memory: Callable[[Fits], None]
) -> None:
    memory(lambda settings, done: False)
    examples = make_examples(base, workspace)
    with pytest.raises(UserError) as caught:
        train(examples, base, workspace, HUNGRY)
    line = caught.value.line
    assert line.startswith("example ") and " 282 tokens: out of memory on the machine. Set training.gradient_c" in line
    assert line.endswith("or let the run do so: memoria train --adapt")
    assert record(workspace, run_key(base, examples, HUNGRY))["adapted"] == []


def test_the_next_rung_may_be_the_users_and_one_of_the_runs_own_is_named_beside_it(
    base: Base, workspace: Workspace, memory: Callable[[Fits], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    memory(lambda settings, done: False)
    monkeypatch.setattr(ladder, "_SMALLEST_WINDOW_TOKENS", 10)
    with pytest.raises(UserError) as caught:
        train(make_examples(base, workspace), base, workspace, HUNGRY)
    assert "Set windows.budget_tokens = 30 (" in caught.value.line  # half of the 60 that the windows had
    assert "or let the run itself set training.gradient_checkpointing = true (" in caught.value.line


def test_the_flag_goes_on_with_the_run_that_failed_without_it_and_what_it_changed_is_remembered(
    base: Base, workspace: Workspace, memory: Callable[[Fits], None]
) -> None:
    examples = make_examples(base, workspace)
    memory(lambda settings, done: settings.rank <= 8 or done < 6)  # fails in the third step, after a checkpoint
    with pytest.raises(UserError):
        train(examples, base, workspace, HUNGRY)
    key = run_key(base, examples, ADAPTING)
    assert key == run_key(base, examples, HUNGRY)
    with pytest.raises(KeyboardInterrupt):  # after it has adapted, and begun anew

        def stopped(done: int, total: int, note: str = "") -> None:
            if record(workspace, key)["adapted"][2:] and done == 3:
                raise KeyboardInterrupt

        train(examples, base, workspace, ADAPTING, stopped)
    told: list[str] = []
    adapter = train(examples, base, workspace, HUNGRY, silent, told.append)
    assert told[:3] == [line for line in told if line.startswith("Adapted at an earlier start: ")]
    assert [change.value for change in load_trained(workspace, adapter.run)[1].adapted] == [True, "always", 8]


def test_at_the_foot_of_the_ladder_only_the_user_can_help(
    base: Base, workspace: Workspace, memory: Callable[[Fits], None]
) -> None:
    memory(lambda settings, done: False)
    settings = ADAPTING.model_copy(update={"rank": 4, "in_parts": "always"})
    with pytest.raises(UserError, match=r"Set vocabulary.slice = true \([^;]*$"):
        train(make_examples(base, workspace), base, workspace, settings)


def test_the_model_that_did_not_fit_is_gone_before_the_next_is_loaded(
    base: Base, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    alive: list[weakref.ref[torch.nn.Module]] = []
    load, backward = attempts.load, Loop._backward

    def loading(*said: Any) -> Any:
        assert [model() for model in alive] == [None] * len(alive)
        return load(*said)

    def limited(self: Loop, encoded: Encoded, scale: float) -> float:
        if not self.settings.gradient_checkpointing:
            alive.append(weakref.ref(self.model))
            torch.empty(1 << 50)
        return backward(self, encoded, scale)

    monkeypatch.setattr(attempts, "load", loading)
    monkeypatch.setattr(Loop, "_backward", limited)
    train(make_examples(base, workspace), base, workspace, ADAPTING)
    assert len(alive) == 1


def test_other_errors_are_not_taken_for_want_of_memory(
    base: Base, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> float:
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")

    monkeypatch.setattr(Loop, "_backward", broken)
    with pytest.raises(RuntimeError, match="mat1"):
        train(make_examples(base, workspace), base, workspace, ADAPTING)


def test_a_probe_for_which_memory_is_too_little_costs_no_adapter(
    base: Base, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "probe", lambda *_: torch.empty(1 << 50))
    adapter = train(make_examples(base, workspace), base, workspace, SETTINGS)
    document = load_trained(workspace, adapter.run)[1]
    assert document.probe is None and "out of memory" in document.warnings[0] and document.steps == 9


def test_little_free_memory_is_a_warning(base: Base, workspace: Workspace) -> None:
    told: list[str] = []
    settings = SETTINGS.model_copy(update={"memory_margin_bytes": 1 << 50, "epochs": 0.5})
    adapter = train(make_examples(base, workspace), base, workspace, settings, silent, told.append)
    (line,) = (line for line in told if "nearly used up" in line)
    assert line.startswith("Warning: memory is nearly used up at the probe: ") and "1048576.0 GiB" in line
    assert line.removeprefix("Warning: ") in load_trained(workspace, adapter.run)[1].warnings


def test_a_fallback_of_the_optimiser_is_told_and_recorded(base: Base, workspace: Workspace) -> None:
    told: list[str] = []
    settings = SETTINGS.model_copy(update={"optimizer": "paged_adamw_8bit", "epochs": 0.5})
    adapter = train(make_examples(base, workspace), base, workspace, settings, silent, told.append)
    document = load_trained(workspace, adapter.run)[1]
    assert document.optimizer == "adamw_8bit" and document.warnings[0] in told[0] and "no card" in told[0]


@pytest.mark.parametrize(("words", "adapt"), [(["train", "--adapt"], True), (["train"], False)])
def test_the_flag_is_the_setting(words: list[str], adapt: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from copilot.cli import app

    asked: list[Settings] = []

    def nothing(road: Any) -> None:
        asked.append(road.settings)
        raise UserError("far enough")

    monkeypatch.setattr("pipeline.road.train_candidate", nothing)
    CliRunner().invoke(app, words)
    assert [settings.training.adapt for settings in asked] == [adapt]
