"""The steps of a run, from its start or its last checkpoint to the last one or an early stop.

    the longest example, once, for nothing: what does not fit fails here
    for each step:  examples of the step, one at a time ── loss on targets ── backward
                    clip ── learning rate of the step ── optimiser ── (look at held-out loss) ── log ── (checkpoint)

A loop that was killed, made again and run again ends at the same weights.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from peft import PeftModel

from pipeline.card import gib
from pipeline.errors import FatalError
from pipeline.progress import Progress
from pipeline.settings import Training
from pipeline.training.attention import refuse_quadratic
from pipeline.training.checkpoint import (
    load_checkpoint,
    load_weights,
    random_state,
    save_checkpoint,
    set_random_state,
    trained_weights,
)
from pipeline.training.computation import Computation
from pipeline.training.cost import example_flops
from pipeline.training.encode import Encoded
from pipeline.training.held_out import HeldOut, mean_loss
from pipeline.training.log import Log, Step
from pipeline.training.order import learning_rate, schedule
from pipeline.training.voice import Voice
from pipeline.training.watch import Watch, card_peak_bytes, peak_bytes, resident_peak_bytes


@dataclass(frozen=True)
class Lesson:
    """An example as the model meets it, and its id."""

    example: str
    encoded: Encoded


class Loop:
    """Trains an adapter in place; its folder grows in place too, so that a crash loses the last few steps at most.

    Args:
        lessons: what is trained on, `watched` what the held-out loss is of; neither is empty.
    """

    def __init__(
        self,
        model: PeftModel,
        computation: Computation,
        optimizer: torch.optim.Optimizer,
        lessons: Sequence[Lesson],
        watched: Sequence[Encoded],
        settings: Training,
        folder: Path,
        voice: Voice,
    ) -> None:
        self.model, self.computation, self.optimizer = model, computation, optimizer
        self.lessons, self.watched = lessons, watched
        self.settings, self.folder, self.voice = settings, folder, voice
        self.order = schedule(len(lessons), settings.epochs, settings.seed)
        self.steps = -(-len(self.order) // settings.gradient_accumulation)
        self.held_out = HeldOut(settings.patience)
        self._watch = Watch(settings.memory_margin_bytes, voice.warn)

    def train(self, progress: Progress) -> list[Step]:
        """All steps that are left. The model holds the best look's weights then; returns the steps of the whole run.

        Raises:
            FatalError: a loss or a gradient is not finite.
        """
        done = load_checkpoint(self.folder, self.model, self.optimizer, self.held_out)
        log = Log(self.folder, done)
        if self.held_out.before is None:
            self.held_out.before = self._look(0)
        if self._goes_on(done):
            self._try_longest()
        while self._goes_on(done):
            progress(done, self.steps, _note(log.steps))
            log.add(self._step(done))
            done += 1
            self._watch.look(f"step {done}")
            if done % self.settings.checkpoint_every_steps == 0:
                save_checkpoint(self.folder, done, self.model, self.optimizer, self.held_out)
        log.close()
        progress(self.steps, self.steps, _note(log.steps))
        if done < self.steps:
            self.voice.say(
                f"Stopped early at step {done} of {self.steps}: {self.settings.patience} looks without a better "
                f"held-out loss than at step {self.held_out.best[0]}."
            )
        load_weights(self.model, self.held_out.weights)
        return log.steps

    def _goes_on(self, done: int) -> bool:
        return done < self.steps and not self.held_out.exhausted

    def _try_longest(self) -> None:
        """The longest example there and back. Nothing of the run can tell afterwards that this was."""
        longest = max(self.lessons, key=lambda lesson: len(lesson.encoded.input_ids))
        random, began = random_state(), time.monotonic()
        self._learn(longest, 1.0, "the probe")
        self.model.zero_grad(set_to_none=True)
        set_random_state(random)
        tokens, seconds = len(longest.encoded.input_ids), time.monotonic() - began
        self.voice.say(
            f"Probe: the longest example, {tokens:,} tokens, took {seconds:.1f} s and {gib(peak_bytes())}; at this "
            f"rate the whole run takes {_duration(seconds * self._work() / self._flops(longest))}."
        )
        self._watch.look("the probe")

    def _flops(self, lesson: Lesson) -> int:
        return example_flops(self.model.config, len(lesson.encoded.input_ids))

    def _work(self) -> int:
        """Floating-point operations of the whole run, from its first step."""
        return sum(self._flops(self.lessons[i]) for i in self.order)

    def _step(self, done: int) -> Step:
        """One step of the optimiser over the next few examples, each token of their targets weighing the same."""
        began, step, size = time.monotonic(), done + 1, self.settings.gradient_accumulation
        lessons = [self.lessons[i] for i in self.order[done * size : step * size]]
        targets = sum(len(lesson.encoded.targets) for lesson in lessons)
        loss = sum(self._learn(lesson, 1 / targets, f"step {step}") for lesson in lessons) / targets
        norm = torch.nn.utils.clip_grad_norm_(trained_weights(self.model).values(), self.settings.clip_norm).item()
        if not math.isfinite(norm):  # a finite loss may still have a gradient that would spoil the adapter
            ids = ", ".join(lesson.example for lesson in lessons)
            raise FatalError(f"the gradient at step {step} is {norm}", where=f"one of the examples {ids}")
        rate = learning_rate(done, self.steps, self.settings.learning_rate, self.settings.warmup_share)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return Step(
            step=step,
            loss=loss,
            learning_rate=rate,
            gradient_norm=norm,
            tokens=sum(len(lesson.encoded.input_ids) for lesson in lessons),
            seconds=time.monotonic() - began,
            card_peak_bytes=card_peak_bytes(),
            resident_peak_bytes=resident_peak_bytes(),
            held_out=self._look_if_due(step),
        )

    def _learn(self, lesson: Lesson, scale: float, when: str) -> float:
        """Loss of one example (nats, summed over its targets); its gradient, scaled, is added to the adapter's."""
        self.voice.at = f"example {lesson.example}, {len(lesson.encoded.input_ids):,} tokens"
        loss = self._backward(lesson.encoded, scale)
        if not math.isfinite(loss):
            raise FatalError(f"the loss at {when} is {loss}", where=f"example {lesson.example}")
        return loss

    def _backward(self, encoded: Encoded, scale: float) -> float:
        """Add `scale` times the gradient of an example's loss to the adapter's; returns the loss, not scaled."""
        with refuse_quadratic(len(encoded.input_ids)):
            return self.computation.backward(encoded, scale)

    def _look_if_due(self, step: int) -> float | None:
        every = self.settings.evaluate_every_steps
        if step < self.steps and (not every or step % every):
            return None
        loss = self._look(step)
        self.held_out.add(step, loss, trained_weights(self.model))
        return loss

    def _look(self, step: int) -> float:
        """Mean loss on the watched examples; nothing else changes."""
        self.voice.at = f"the held-out examples, up to {max(len(e.input_ids) for e in self.watched):,} tokens"
        self.model.eval()
        loss = mean_loss(self.computation, self.watched)
        self.model.train()
        if not math.isfinite(loss):
            raise FatalError(f"the held-out loss at step {step} is {loss}", where=self.folder)
        return loss


def _duration(seconds: float) -> str:
    """About how long, in words."""
    if seconds < 5400:
        return f"about {max(1, round(seconds / 60))} min"
    return f"about {seconds / 3600:.1f} h"


def _note(steps: Sequence[Step]) -> str:
    return f"loss {steps[-1].loss:.3f}, {steps[-1].tokens_per_second:.0f} tokens/s" if steps else ""
