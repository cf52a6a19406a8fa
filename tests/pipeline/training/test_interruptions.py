"""Whatever is random, wherever it was cut off: a run gone on with ends as the undisturbed one, bit for bit."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from pipeline.progress import silent
from pipeline.records import Base, Example
from pipeline.settings import Training
from pipeline.storage import Workspace
from pipeline.training import attempts, computation, load_trained, loop, train
from pipeline.training.loop import Loop
from pipeline.training.model import target_loss
from pipeline.training.runs import run_key
from tests.pipeline.training.conftest import SETTINGS, make_examples

# Looks at steps 2, 4, 6, 8 and 9; the learning rate is so high that the second is clearly worse than the first.
LOOKING = SETTINGS.model_copy(
    update={"evaluate_every_steps": 2, "checkpoint_every_steps": 3, "learning_rate": 0.05, "seed": 1}
)
PATIENT = LOOKING.model_copy(update={"patience": 1})


class Cut(Exception):
    """As if the process had been killed."""


@pytest.fixture(autouse=True)
def noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loss that draws from both generators while training, as dropout would."""

    def noisy(model: torch.nn.Module, input_ids: list[int], target_start: int) -> torch.Tensor:
        loss = target_loss(model, input_ids, target_start)
        return loss * (0.5 + torch.rand(()) + random.random()) if model.training else loss

    monkeypatch.setattr(computation, "target_loss", noisy)


def ended(workspace: Workspace, base: Base, settings: Training) -> tuple[dict[str, Any], list[float | None], Any]:
    """A run taken to its end: weights, held-out losses by step, and the document."""
    random.seed(1)
    adapter = train(make_examples(base, workspace), base, workspace, settings)
    lines = (workspace.root / "runs" / adapter.run / "log.jsonl").read_text().splitlines()
    weights = load_file(Path(adapter.path) / "adapter_model.safetensors")
    return weights, [json.loads(line)["held_out"] for line in lines], load_trained(workspace, adapter.run)[1]


def equal(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


@pytest.fixture(scope="module")
def undisturbed(base: Base, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Training], Any]:
    known: dict[str, Any] = {}

    def of(settings: Training) -> Any:
        name = run_key(base, "", settings)
        if name not in known:
            known[name] = ended(Workspace(tmp_path_factory.mktemp("undisturbed")), base, settings)
        return known[name]

    return of


@pytest.mark.parametrize("settings", [pytest.param(LOOKING, marks=pytest.mark.slow), PATIENT], ids=["whole", "early"])
def test_cut_off_at_any_step_the_same_call_ends_at_the_same_weights(
    settings: Training, base: Base, tmp_path: Path, undisturbed: Callable[[Training], Any]
) -> None:
    weights, looks, document = undisturbed(settings)
    for fatal in range(1, document.steps + 1):
        workspace = Workspace(tmp_path / str(fatal))
        examples = make_examples(base, workspace)

        def cut(done: int, total: int, note: str = "", fatal: int = fatal) -> None:
            if done == fatal:
                raise Cut

        random.seed(1)
        if fatal < document.steps:
            with pytest.raises(Cut):
                train(examples, base, workspace, settings, cut)
        again, looks_again, told = ended(workspace, base, settings)
        assert equal(again, weights) and looks_again == looks, fatal
        assert (told.loss, told.best_step, told.steps) == (document.loss, document.best_step, document.steps), fatal


def test_the_probe_of_the_longest_changes_nothing(
    base: Base, workspace: Workspace, undisturbed: Callable[[Training], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    probed: list[str] = []
    monkeypatch.setattr(Loop, "_try_longest", lambda self: probed.append("left out"))
    weights, looks, _ = ended(workspace, base, LOOKING)
    assert probed == ["left out"]
    assert equal(weights, undisturbed(LOOKING)[0]) and looks == undisturbed(LOOKING)[1]


def test_the_best_look_is_the_adapter_and_patience_ends_the_run(undisturbed: Callable[[Training], Any]) -> None:
    weights, looks, whole = undisturbed(LOOKING)
    assert whole.steps == len(looks) == 9 and [i for i, loss in enumerate(looks, 1) if loss is None] == [1, 3, 5, 7]
    by_step = {step: loss for step, loss in enumerate(looks, 1) if loss is not None}
    assert whole.best_step == min(by_step, key=by_step.__getitem__) and whole.loss.held_out == min(by_step.values())
    shorter, looks, stopped = undisturbed(PATIENT)
    assert stopped.stopped_early and not whole.stopped_early
    assert stopped.steps < 9 and stopped.steps == len(looks)
    assert stopped.best_step == stopped.steps - 2 and looks[-1] > looks[-3]  # one look without a better loss
    assert stopped.loss.held_out == looks[-3]
    assert equal(shorter, weights) == (stopped.best_step == whole.best_step)


def test_the_weights_kept_are_those_of_the_best_step(
    base: Base, workspace: Workspace, undisturbed: Callable[[Training], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The adapter of a run that stopped early is what the model held when the best look was taken."""
    weights, _, document = undisturbed(PATIENT)
    held: dict[int, dict[str, torch.Tensor]] = {}
    step = Loop._step

    def watched(self: Loop, done: int) -> Any:
        line = step(self, done)
        held[line.step] = {n.replace(".default", ""): p.detach().clone() for n, p in _trained(self.model)}
        return line

    monkeypatch.setattr(Loop, "_step", watched)
    ended(workspace, base, PATIENT)
    assert equal(weights, held[document.best_step]) and not equal(weights, held[document.steps])


def _trained(model: torch.nn.Module) -> list[tuple[str, torch.nn.Parameter]]:
    return [(name, parameter) for name, parameter in model.named_parameters() if parameter.requires_grad]


def test_the_probe_is_of_the_longest_and_comes_before_the_first_step(base: Base, workspace: Workspace) -> None:
    told: list[str] = []
    examples = make_examples(base, workspace)
    seen: list[int] = []

    def progress(done: int, total: int, note: str = "") -> None:
        seen.append(done)
        assert [line for line in told if line.startswith("Probe:")], "a step came first"

    adapter = train(examples, base, workspace, SETTINGS, progress, told.append)
    document = load_trained(workspace, adapter.run)[1]
    assert told[0].startswith(f"Probe: the longest example, {document.longest_tokens} tokens, took ")
    assert told[0].endswith("the whole run takes about 1 min.") and seen == list(range(10))


def test_what_the_probe_after_training_finds_is_a_warning_and_no_failure(base: Base, workspace: Workspace) -> None:
    told: list[str] = []
    adapter = train(make_examples(base, workspace), base, workspace, SETTINGS, silent, told.append)
    document = load_trained(workspace, adapter.run)[1]
    assert document.probe and document.probe.loops  # random weights say one thing for ever
    assert document.warnings == document.probe.faults
    assert [line for line in told if line.startswith("Warning: ")] == [f"Warning: {f}" for f in document.warnings]


def test_a_held_out_loss_that_is_not_finite_stops_the_run(
    base: Base, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    losses = [6.0, float("nan")]
    monkeypatch.setattr(loop, "mean_loss", lambda *_: losses.pop(0))
    with pytest.raises(Exception, match="the held-out loss at step 2 is nan"):
        train(make_examples(base, workspace), base, workspace, LOOKING)


def test_a_run_asks_for_the_examples_that_are_watched_alone(base: Base, workspace: Workspace) -> None:
    run = attempts.Run("k", make_examples(base, workspace), base, workspace, SETTINGS, lambda line: None)
    watched: list[Example] = run.watched
    assert len(watched) == attempts.WATCHED and not {e.id for e in watched} & {e.id for e in run.chosen}
