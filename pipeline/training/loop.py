"""One training run: from a base and examples to an Adapter, through any number of interruptions.

    for each step:  examples of the step, one at a time ── loss on targets ── backward
                    clip ── learning rate of the step ── optimiser ── log ── (checkpoint)

The same run started again goes on from its last checkpoint and ends at the same weights.
"""

import math
import time
from collections.abc import Sequence
from datetime import UTC, datetime

import torch
from peft import PeftModel

from pipeline.corpus import describe_examples, load_examples
from pipeline.errors import FatalError, UserError
from pipeline.progress import Progress
from pipeline.records import Adapter, Base, Example, digest, short
from pipeline.settings import Training
from pipeline.storage import Workspace, file_sha256, write_json
from pipeline.training.checkpoint import drop_checkpoints, load_checkpoint, save_checkpoint
from pipeline.training.encode import Encoded, encode
from pipeline.training.log import Log, Step, draw_curve
from pipeline.training.model import add_lora, load_base, target_loss
from pipeline.training.optimizer import make_optimizer, resolve_optimizer
from pipeline.training.order import choose, learning_rate, schedule
from pipeline.training.told import ADAPTER, TOLD, Loss, TrainDocument

_WATCHED = 6  # held-out examples whose loss is measured before and after


class Run:
    """A run in progress. Its folder grows in place, so that a crash loses no more than the last few steps."""

    def __init__(self, key: str, examples_key: str, base: Base, workspace: Workspace, settings: Training) -> None:
        self.key, self.examples_key, self.base, self.settings, self.workspace = (
            key,
            examples_key,
            base,
            settings,
            workspace,
        )
        self.folder = workspace.path("runs", key)
        self.folder.mkdir(exist_ok=True)
        examples = load_examples(workspace, examples_key)
        self.chosen = choose(examples.train, settings.most_examples)
        self.watched = choose(examples.held_out, _WATCHED)
        self.order = schedule(len(self.chosen), settings.epochs, settings.seed)
        self.steps = -(-len(self.order) // settings.gradient_accumulation)

    def go(self, progress: Progress) -> None:
        write_json(
            self.folder / "run.json",
            {"base": self.base.id, "examples": self.examples_key, "settings": self.settings.model_dump()},
        )
        base_model, tokenizer = load_base(self.base)
        encoded = [encode(tokenizer, example) for example in self.chosen]
        watched = [encode(tokenizer, example) for example in self.watched]
        _require_fit(self.chosen, encoded, self.settings.longest_tokens)
        before = mean_loss(base_model, watched)
        model = add_lora(base_model, self.settings)
        optimizer_name = resolve_optimizer(self.settings.optimizer)
        optimizer = make_optimizer(optimizer_name, model.parameters(), self.settings.learning_rate)
        done = load_checkpoint(self.folder, model, optimizer)
        log = Log(self.folder, done)
        for step in range(done, self.steps):
            progress(step, self.steps, f"loss {log.steps[-1].loss:.3f}" if log.steps else "")
            log.add(self._step(step, model, optimizer, encoded))
            if (step + 1) % self.settings.checkpoint_every_steps == 0:
                save_checkpoint(self.folder, step + 1, model, optimizer)
        progress(self.steps, self.steps, f"loss {log.steps[-1].loss:.3f}")
        after = mean_loss(model.eval(), watched)
        draw_curve(log.steps, (before, after), self.folder / "loss.png")
        self._finish(model, log.steps, after, optimizer_name)
        drop_checkpoints(self.folder)

    def _step(self, step: int, model: PeftModel, optimizer: torch.optim.Optimizer, encoded: Sequence[Encoded]) -> Step:
        """One step of the optimiser over the next few examples, each token of their targets weighing the same."""
        began = time.monotonic()
        size = self.settings.gradient_accumulation
        places = self.order[step * size : (step + 1) * size]
        targets = sum(len(encoded[i].input_ids) - encoded[i].target_start for i in places)
        total = 0.0
        for i in places:
            loss = target_loss(model, encoded[i].input_ids, encoded[i].target_start) / targets
            if not torch.isfinite(loss):
                raise FatalError(f"the loss at step {step + 1} is {loss.item()}", where=f"example {self.chosen[i].id}")
            loss.backward()
            total += loss.item()
        trained = [p for p in model.parameters() if p.requires_grad]
        norm = torch.nn.utils.clip_grad_norm_(trained, self.settings.clip_norm).item()
        if not math.isfinite(norm):  # a finite loss may still have a gradient that would spoil the adapter
            ids = ", ".join(self.chosen[i].id for i in places)
            raise FatalError(f"the gradient at step {step + 1} is {norm}", where=f"one of the examples {ids}")
        rate = learning_rate(step, self.steps, self.settings.learning_rate, self.settings.warmup_share)
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        tokens = sum(len(encoded[i].input_ids) for i in places)
        return Step(step + 1, total, rate, norm, tokens, time.monotonic() - began)

    def _finish(self, model: PeftModel, steps: list[Step], held_out: float, optimizer_name: str) -> None:
        note = {"run": self.key, "base": self.base.id, "examples": self.examples_key}
        with self.workspace.build("adapters", self.key, note) as folder:
            model.save_pretrained(str(folder))
            adapter = Adapter(
                base=self.base.id,
                base_path=self.base.path,
                examples=self.examples_key,
                windows=describe_examples(self.workspace, self.examples_key).windows,
                settings=digest(self.settings.model_dump(mode="json")),
                run=self.key,
                weights_sha256=file_sha256(folder / "adapter_model.safetensors"),
                path=str(self.workspace.root / "adapters" / self.key),
                created=datetime.now(UTC).isoformat(timespec="seconds"),
            )
            document = TrainDocument(
                adapter=adapter.id,
                steps=len(steps),
                loss=Loss(first=steps[0].loss, last=steps[-1].loss, held_out=held_out),
                optimizer=optimizer_name,
                peak_bytes=peak_bytes(),
                tokens_per_second=sum(s.tokens for s in steps) / sum(s.seconds for s in steps),
            )
            write_json(folder / ADAPTER, adapter.model_dump(mode="json"))
            write_json(folder / TOLD, document.model_dump(mode="json"))


def mean_loss(model: torch.nn.Module, encoded: Sequence[Encoded]) -> float:
    """Mean cross-entropy over all target tokens, in nats."""
    with torch.inference_mode():
        total = sum(target_loss(model, e.input_ids, e.target_start).item() for e in encoded)
    return total / sum(len(e.input_ids) - e.target_start for e in encoded)


def peak_bytes() -> int:
    """The most memory this process has held: on the card if there is one, else resident."""
    if torch.cuda.is_available():
        return torch.cuda.max_memory_reserved()
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _require_fit(examples: Sequence[Example], encoded: Sequence[Encoded], longest: int) -> None:
    too_long = [short(x.section) for x, e in zip(examples, encoded, strict=True) if len(e.input_ids) > longest]
    if too_long:
        raise UserError(
            f"{len(too_long)} examples are longer than {longest} tokens (sections {', '.join(too_long[:5])})",
            fix="raise training.longest_tokens, or lower windows.budget_tokens or corpus.longest_target_tokens",
        )
