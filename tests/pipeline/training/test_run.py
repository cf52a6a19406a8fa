"""Whole runs: exact through any interruption, done once, and stopped by what would spoil them."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from pipeline.corpus import describe_examples, load_examples
from pipeline.errors import FatalError, UserError
from pipeline.records import Adapter, Base, short
from pipeline.settings import Training
from pipeline.storage import Workspace, file_sha256
from pipeline.training import attempts, computation, load_trained, train
from pipeline.training.computation import Computation
from pipeline.training.encode import encode
from pipeline.training.held_out import mean_loss
from pipeline.training.model import add_lora, attach_adapter, load_base, target_loss
from pipeline.training.order import choose, learning_rate, schedule
from pipeline.training.runs import TrainDocument, run_key
from tests.pipeline.training.conftest import SETTINGS, make_examples

KILLED = """
import os, sys
from pathlib import Path
import torch
from pipeline.records import Base
from pipeline.settings import Training
from pipeline.storage import Workspace
from pipeline.training import train

torch.set_num_threads(1)
root, examples, base, settings, fatal = sys.argv[1:]

def progress(done, total, note=""):
    if done == int(fatal):
        os.kill(os.getpid(), 9)

of_run = Training.model_validate_json(settings)
train(examples, Base.model_validate_json(base), Workspace(root), of_run, progress)
"""


def trained(
    workspace: Workspace, base: Base, settings: Training
) -> tuple[Adapter, TrainDocument, list[dict[str, Any]]]:
    """A run through all its steps: adapter, document, and the lines of the log."""
    examples = make_examples(base, workspace)
    adapter = train(examples, base, workspace, settings)
    key = run_key(base, examples, settings)
    lines = (workspace.root / "runs" / key / "log.jsonl").read_text().splitlines()
    return adapter, load_trained(workspace, key)[1], [json.loads(line) for line in lines]


def without_time(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The lines but for what differs from one run of the same to the next."""
    left_out = {"seconds", "tokens_per_second", "card_peak_bytes", "resident_peak_bytes"}
    return [{name: value for name, value in line.items() if name not in left_out} for line in lines]


@pytest.fixture(scope="module")
def undisturbed(
    base: Base, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Workspace, Adapter, TrainDocument, list[dict[str, Any]]]:
    workspace = Workspace(tmp_path_factory.mktemp("undisturbed"))
    return workspace, *trained(workspace, base, SETTINGS)


def test_a_run_learns_and_tells_what_it_did(base: Base, undisturbed: Any) -> None:
    workspace, adapter, document, lines = undisturbed
    assert [line["step"] for line in lines] == list(range(1, 10)) and document.steps == 9
    assert document.loss.last < document.loss.first - 0.2
    assert (document.loss.first, document.loss.last) == (lines[0]["loss"], lines[-1]["loss"])
    assert [line["learning_rate"] for line in lines] == [learning_rate(s, 9, 0.02, 0.2) for s in range(9)]
    assert document.optimizer == "adamw" and document.peak_bytes > 0 and document.tokens_per_second > 0
    assert document.adapter == adapter.id and adapter.base == base.id
    assert adapter.weights_sha256 == file_sha256(Path(adapter.path) / "adapter_model.safetensors")
    assert adapter.windows == describe_examples(workspace, adapter.examples).windows
    run = workspace.root / "runs" / adapter.run
    assert sorted(file.name for file in run.iterdir()) == ["log.jsonl", "loss.png", "run.json", "tensorboard"]


def test_the_adapter_as_saved_is_the_adapter_as_trained(base: Base, undisturbed: Any) -> None:
    workspace, adapter, document, _ = undisturbed
    model, tokenizer = load_base(base)
    watched = choose(load_examples(workspace, adapter.examples).held_out, attempts.WATCHED)
    encoded = [encode(tokenizer, example) for example in watched]
    before = mean_loss(Computation(model, None, 0), encoded)
    after = mean_loss(Computation(attach_adapter(model, adapter), None, 0), encoded)
    assert before == pytest.approx(document.loss.held_out_before, rel=1e-6)
    assert after == pytest.approx(document.loss.held_out, rel=1e-6) and after < before


@pytest.mark.slow
@pytest.mark.parametrize("fatal_step", [1, 3, 9])  # before the first checkpoint, after one, at the end
def test_killed_in_the_middle_the_same_call_ends_at_the_same_weights(
    fatal_step: int, base: Base, workspace: Workspace, undisturbed: Any
) -> None:
    _, adapter, document, lines = undisturbed
    examples = make_examples(base, workspace)
    said = [
        str(workspace.root),
        examples,
        base.model_dump_json(),
        SETTINGS.model_dump_json(),
        str(fatal_step),
    ]
    assert subprocess.run([sys.executable, "-c", KILLED, *said]).returncode == -signal.SIGKILL
    run = workspace.root / "runs" / run_key(base, examples, SETTINGS)
    assert len((run / "log.jsonl").read_text().splitlines()) == fatal_step
    newest = fatal_step - fatal_step % 2
    assert {f.name for f in run.glob("*.pt")} == {f"checkpoint-{n:06d}.pt" for n in (newest - 2, newest) if n > 0}
    assert workspace.keys("adapters") == []
    with open(run / "log.jsonl", "a") as file:
        file.write('{"step": 99, "loss": 1.2')  # the line that the kill tore

    again, told, more = trained(workspace, base, SETTINGS)
    assert (told.loss, told.steps, told.adapter) == (document.loss, document.steps, document.adapter)
    assert without_time(more) == without_time(lines)
    weights = [load_file(Path(a.path) / "adapter_model.safetensors") for a in (again, adapter)]
    assert weights[0].keys() == weights[1].keys()
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
    assert again.id == adapter.id and again.weights_sha256 == adapter.weights_sha256


def test_a_finished_run_is_not_done_twice(base: Base, undisturbed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace, adapter, *_ = undisturbed
    monkeypatch.setattr(attempts, "load", lambda *_: pytest.fail("trained again"))
    assert train(adapter.examples, base, workspace, SETTINGS) == adapter
    with pytest.raises(pytest.fail.Exception):  # another setting is another run
        train(adapter.examples, base, workspace, SETTINGS.model_copy(update={"seed": 1}))


def test_accumulation_weighs_every_target_token_alike(base: Base, workspace: Workspace) -> None:
    """One step over n examples, one at a time, is one step over their whole batch."""
    settings = SETTINGS.model_copy(
        update={
            "gradient_accumulation": 9,
            "epochs": 1.0,
            "warmup_share": 0.0,
            "gradient_checkpointing": False,
        }
    )
    adapter, document, lines = trained(workspace, base, settings)
    bare, tokenizer = load_base(base)
    examples = choose(load_examples(workspace, adapter.examples).train, 0)
    encoded = [encode(tokenizer, example) for example in examples]
    model = add_lora(bare, settings)
    targets = sum(len(e.input_ids) - e.target_start for e in encoded)
    losses = [target_loss(model, e.input_ids, e.target_start) for e in encoded]
    loss = torch.stack(losses).sum() / targets
    loss.backward()
    trained_ = {name: p for name, p in model.named_parameters() if p.requires_grad}
    norm = torch.nn.utils.clip_grad_norm_(trained_.values(), settings.clip_norm)
    torch.optim.AdamW(trained_.values(), lr=0.02, weight_decay=0.0).step()
    assert (lines[0]["loss"], lines[0]["gradient_norm"]) == pytest.approx((loss.item(), norm.item()), rel=1e-5)
    assert lines[0]["tokens"] == sum(len(e.input_ids) for e in encoded) and len(lines) == 1
    saved = load_file(Path(adapter.path) / "adapter_model.safetensors")
    for name, parameter in trained_.items():
        torch.testing.assert_close(saved[name.replace(".default", "")], parameter.data, rtol=1e-3, atol=1e-4)
    assert document.steps == 1


def test_each_step_is_taken_at_its_own_rate(base: Base, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[float] = []

    class Recording(torch.optim.AdamW):
        def step(self, closure: Any = None) -> Any:
            taken.append(self.param_groups[0]["lr"])
            return super().step(closure)

    def recording(_: str, parameters: Any, rate: float) -> torch.optim.Optimizer:
        return Recording([p for p in parameters if p.requires_grad], lr=rate, weight_decay=0.0)

    monkeypatch.setattr(attempts, "make_optimizer", recording)
    _, _, lines = trained(workspace, base, SETTINGS.model_copy(update={"seed": 3}))
    assert taken == [line["learning_rate"] for line in lines] == [learning_rate(s, 9, 0.02, 0.2) for s in range(9)]


def test_the_last_step_takes_what_is_left(base: Base, workspace: Workspace) -> None:
    settings = SETTINGS.model_copy(update={"gradient_accumulation": 4, "epochs": 1.0})
    _, document, lines = trained(workspace, base, settings)
    assert document.steps == 3 and lines[2]["tokens"] < lines[0]["tokens"] / 2  # 4, 4 and 1 of 9


def test_an_example_that_is_too_long_is_named_and_nothing_is_cut(base: Base, workspace: Workspace) -> None:
    examples = make_examples(base, workspace)
    _, tokenizer = load_base(base)
    lengths = {x.section: len(encode(tokenizer, x).input_ids) for x in load_examples(workspace, examples).train}
    longest = max(lengths, key=lengths.__getitem__)
    limit = lengths[longest] - 1
    with pytest.raises(
        UserError, match=f"longer than {limit} tokens .*{short(longest)}.*Raise training.longest_tokens"
    ):
        train(examples, base, workspace, SETTINGS.model_copy(update={"longest_tokens": limit}))
    settings = SETTINGS.model_copy(update={"longest_tokens": limit + 1, "epochs": 0.2})
    assert train(examples, base, workspace, settings).base == base.id


@pytest.mark.parametrize("what", ["loss", "gradient"])
def test_what_is_not_finite_stops_the_run_with_the_examples_id(
    what: str, base: Base, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = make_examples(base, workspace)
    chosen = choose(load_examples(workspace, examples).train, 0)
    culprit = chosen[schedule(len(chosen), SETTINGS.epochs, SETTINGS.seed)[4]]  # in the third step
    _, tokenizer = load_base(base)
    bad = encode(tokenizer, culprit).input_ids

    def spoilt(model: torch.nn.Module, input_ids: list[int], target_start: int) -> torch.Tensor:
        loss = target_loss(model, input_ids, target_start)
        if input_ids != bad or not model.training:
            return loss
        if what == "gradient":
            return loss + (loss - loss.detach()).abs().sqrt()  # finite, with an infinite slope
        return loss * float("nan")

    monkeypatch.setattr(computation, "target_loss", spoilt)
    with pytest.raises(FatalError, match=f"the {what} at step 3 is (nan|inf)") as caught:
        train(examples, base, workspace, SETTINGS)
    assert culprit.id in str(caught.value.where)
    assert workspace.keys("adapters") == []


def test_a_full_disk_in_the_middle_of_a_run_is_one_clear_line(
    base: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("a file system of its own can be mounted by root only")
    try:
        workspace = Workspace(disk)
        examples = make_examples(base, workspace)
        (disk / "ballast").write_bytes(bytes((os.statvfs(disk).f_bavail - 30) * os.statvfs(disk).f_bsize))
        with pytest.raises(UserError, match=r"the disk is full\. Free some space, then run the same again"):
            train(examples, base, workspace, SETTINGS)
        (disk / "ballast").unlink()
        assert train(examples, base, workspace, SETTINGS.model_copy(update={"epochs": 0.2})).base == base.id
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_run_waits_for_the_same_run_of_another(base: Base, workspace: Workspace) -> None:
    examples = make_examples(base, workspace)
    held = workspace.lock(f"run-{run_key(base, examples, SETTINGS)}")
    with held, pytest.raises(TimeoutError):
        workspace.lock(f"run-{run_key(base, examples, SETTINGS)}").acquire(timeout=0)
