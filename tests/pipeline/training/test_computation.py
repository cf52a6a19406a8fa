"""Long examples are computed in parts, short ones are not, and a whole run comes to the same end either way."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from pipeline.records import Base
from pipeline.settings import Training
from pipeline.storage import Workspace
from pipeline.training import TrainDocument, load_trained, train
from pipeline.training.computation import computation_of
from pipeline.training.encode import Encoded
from pipeline.training.model import add_lora, load_base
from tests.pipeline.training.conftest import SETTINGS, make_examples

IN_PARTS = {"in_parts": "always", "tile_tokens": 48, "loss_tokens": 16, "keep_every": 2}


def trained(base: Base, folder: Path, settings: Training) -> tuple[TrainDocument, dict[str, torch.Tensor], list[float]]:
    """A whole run: what it tells, the adapter's weights, and the loss of each step."""
    workspace = Workspace(folder)
    adapter = train(make_examples(base, workspace), base, workspace, settings)
    log = (folder / "runs" / adapter.run / "log.jsonl").read_text("utf-8").splitlines()
    weights = load_file(Path(adapter.path) / "adapter_model.safetensors")
    return load_trained(workspace, adapter.run)[1], weights, [json.loads(line)["loss"] for line in log]


@pytest.mark.slow
def test_a_hundred_steps_in_parts_end_where_whole_ones_do(base: Base, tmp_path: Path) -> None:
    settings = SETTINGS.model_copy(update={"epochs": 23, "learning_rate": 0.005, "in_parts": "never"})
    whole, weights, losses = trained(base, tmp_path / "whole", settings)
    told, same_weights, same_losses = trained(base, tmp_path / "parts", settings.model_copy(update=IN_PARTS))
    assert (whole.in_parts, whole.schedule) == (0, None) and whole.steps == told.steps > 100
    assert told.in_parts == 9 and told.schedule is not None and told.schedule["tile_tokens"] == 48
    assert losses[0] > losses[-1] + 0.5, "nothing was learnt"
    # What rounding moves in one step, the next hundred make larger, as they do between two machines.
    assert same_losses == pytest.approx(losses, rel=0.01)
    assert same_losses[-1] == pytest.approx(losses[-1], rel=1e-3)
    for name, matrix in weights.items():
        assert (same_weights[name] - matrix).norm() < 0.05 * matrix.norm(), name


def test_only_examples_beyond_the_limit_are_computed_in_parts(base: Base, tmp_path: Path) -> None:
    settings = SETTINGS.model_copy(update={"epochs": 1, "in_parts_from_tokens": 0})
    workspace = Workspace(tmp_path)
    examples = make_examples(base, workspace)
    longest = load_trained(workspace, train(examples, base, workspace, settings).run)[1].longest_tokens
    settings = settings.model_copy(update={"in_parts_from_tokens": longest - 1})
    told = load_trained(workspace, train(examples, base, workspace, settings).run)[1]
    assert 1 <= told.in_parts < 9
    settings = settings.model_copy(update={"in_parts_from_tokens": longest})
    assert load_trained(workspace, train(examples, base, workspace, settings).run)[1].schedule is None


def test_a_model_that_cannot_be_is_computed_whole_and_told(base: Base) -> None:
    model = add_lora(load_base(base)[0], SETTINGS)
    model.get_base_model().model.layers[0].self_attn.attention_dropout = 0.1
    warnings: list[str] = []
    settings = SETTINGS.model_copy(update=IN_PARTS)
    computation = computation_of(model, settings, 300, warnings.append)
    assert not computation.in_parts(Encoded(list(range(300)), 200))
    (warning,) = warnings
    assert "dropout" in warning and "not computed in parts" in warning


def test_as_many_inputs_are_kept_as_the_host_has_room_for(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    model = add_lora(load_base(base)[0], SETTINGS)  # 2 layers of 64 channels in float32: 512 bytes a token
    settings = SETTINGS.model_copy(update={**IN_PARTS, "keep_every": 0})

    def kept_every(free_bytes: int) -> int:
        monkeypatch.setattr("psutil.virtual_memory", lambda: type("Memory", (), {"available": free_bytes}))
        schedule = computation_of(model, settings, 1000, pytest.fail).schedule
        assert schedule is not None
        return schedule.keep_every

    assert kept_every(10_000_000) == 1
    assert kept_every(500_000) == 2
