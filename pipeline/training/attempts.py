"""A run, tried until it fits: from a base and examples to an Adapter.

settings ── load ── encode ── Loop (loop.py) ── probe ── Adapter
   ^                            │
   └── next rung <── out of memory, and `adapt`            what was changed is kept in run.json
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from peft import PeftModel

from pipeline.corpus import describe_examples, load_examples
from pipeline.errors import UserError
from pipeline.progress import Progress
from pipeline.records import Adapter, Base, Example, digest, short
from pipeline.settings import Training
from pipeline.storage import Workspace, file_sha256, read_json, write_json
from pipeline.training.attention import resolve_attention
from pipeline.training.checkpoint import drop_checkpoints
from pipeline.training.computation import computation_of
from pipeline.training.encode import Encoded, encode
from pipeline.training.kernels import add_adapter, load, resolve_kernels
from pipeline.training.ladder import Change, changes, taken
from pipeline.training.log import Step, draw_curve
from pipeline.training.loop import Lesson, Loop
from pipeline.training.optimizer import make_optimizer, resolve_optimizer
from pipeline.training.order import choose
from pipeline.training.probe import probe
from pipeline.training.told import ADAPTER, TOLD, Loss, Probe, TrainDocument
from pipeline.training.voice import Voice
from pipeline.training.watch import free_what_is_unused, is_out_of_memory, peak_bytes, place

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

WATCHED = 6  # held-out examples whose loss is looked at
_RECORD = "run.json"


class Run:
    """A run in its folder, `runs/<key>`, which holds checkpoints, the log and its curve."""

    def __init__(
        self,
        key: str,
        examples_key: str,
        base: Base,
        workspace: Workspace,
        settings: Training,
        say: Callable[[str], None],
    ) -> None:
        self.key, self.examples_key, self.base, self.workspace = key, examples_key, base, workspace
        self.asked = self.settings = settings
        self.adapted: list[Change] = []
        self.voice = Voice(say)
        self.folder = workspace.path("runs", key)
        self.folder.mkdir(exist_ok=True)
        examples = load_examples(workspace, examples_key)
        self.chosen = choose(examples.train, settings.most_examples)
        self.watched = choose(examples.held_out, WATCHED)
        self._reach = describe_examples(workspace, examples_key).windows["budget_tokens"]

    def go(self, progress: Progress) -> None:
        """Train to the end.

        Raises:
            UserError: memory is too little, and the run may not or cannot change anything more by itself.
        """
        self._recall()
        while True:
            try:
                return self._attempt(progress)
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
                change = self._way_out(error)
            self._take(change)  # out of the handler: as long as there was an error, its traceback held the model
            free_what_is_unused()

    def _attempt(self, progress: Progress) -> None:
        """The whole run with the settings in force, from its last checkpoint."""
        settings, self.voice.at = self.settings, "the base model"
        kernels, attention = resolve_kernels(settings.kernels), resolve_attention(settings.attention)
        bare, tokenizer = load(self.base, settings, kernels, attention)
        lessons = [Lesson(example.id, encode(tokenizer, example)) for example in self.chosen]
        watched = [encode(tokenizer, example) for example in self.watched]
        _require_fit(self.chosen, lessons, settings.longest_tokens)
        self._reach = min(self._reach, max(lesson.encoded.target_start for lesson in lessons))
        model = add_adapter(bare, settings, kernels)
        optimizer, why_not_another = resolve_optimizer(settings.optimizer)
        if why_not_another:
            self.voice.warn(why_not_another)
        moments = make_optimizer(optimizer, model.parameters(), settings.learning_rate)
        self.voice.at = "the comparison of examples in parts and whole"
        computation = computation_of(model, settings, max(_lengths(lessons)), self.voice.warn)
        loop = Loop(model, computation, moments, lessons, watched, settings, self.folder, self.voice)
        steps = loop.train(progress)
        means = {"optimizer": optimizer, "attention": bare.config._attn_implementation, "kernels": kernels}
        self._finish(loop, steps, self._probe(model, tokenizer, watched), means)
        drop_checkpoints(self.folder)

    def _probe(
        self, model: PeftModel, tokenizer: "PreTrainedTokenizerBase", watched: Sequence[Encoded]
    ) -> Probe | None:
        """What the trained adapter does at full length; None where that does not fit, for the adapter is there."""
        try:
            told = probe(model.eval(), tokenizer, watched)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            self.voice.warn("the trained adapter could not be tried at full length: out of memory")
            return None
        for fault in told.faults:
            self.voice.warn(fault)
        return told

    def _finish(self, loop: Loop, steps: list[Step], probed: Probe | None, means: dict[str, str]) -> None:
        held_out = loop.held_out
        assert held_out.before is not None
        draw_curve(steps, [(0, held_out.before), *held_out.looks], self.folder / "loss.png")
        note = {"run": self.key, "base": self.base.id, "examples": self.examples_key}
        with self.workspace.build("adapters", self.key, note) as folder:
            loop.model.save_pretrained(str(folder))
            adapter = Adapter(
                base=self.base.id,
                base_path=self.base.path,
                examples=self.examples_key,
                windows=describe_examples(self.workspace, self.examples_key).windows,
                settings=digest(self.settings.identity()),
                run=self.key,
                weights_sha256=file_sha256(folder / "adapter_model.safetensors"),
                path=str(self.workspace.root / "adapters" / self.key),
                created=datetime.now(UTC).isoformat(timespec="seconds"),
            )
            best_step, best = held_out.best
            document = TrainDocument(
                adapter=adapter.id,
                steps=len(steps),
                best_step=best_step,
                stopped_early=len(steps) < loop.steps,
                loss=Loss(first=steps[0].loss, last=steps[-1].loss, held_out_before=held_out.before, held_out=best),
                adapted=tuple(self.adapted),
                longest_tokens=max(_lengths(loop.lessons)),
                in_parts=sum(loop.computation.in_parts(lesson.encoded) for lesson in loop.lessons),
                schedule=asdict(loop.computation.schedule) if loop.computation.schedule else None,
                probe=probed,
                warnings=tuple(self.voice.warnings),
                peak_bytes=peak_bytes(),
                tokens_per_second=sum(s.tokens for s in steps) / sum(s.seconds for s in steps),
                **means,
            )
            write_json(folder / ADAPTER, adapter.model_dump(mode="json"))
            write_json(folder / TOLD, document.model_dump(mode="json"))

    def _recall(self) -> None:
        """Make the changes again that an earlier start of this run had to make, and note what the run is."""
        record = self.folder / _RECORD
        if record.exists():
            kept = read_json(record, fix="delete its folder, and train again")
            for change in map(Change.model_validate, kept["adapted"]):
                self.adapted.append(change)
                self.settings = taken(change, self.settings)
                self.voice.say(f"Adapted at an earlier start: {change.line}.")
        self._note()

    def _note(self) -> None:
        note = {"base": self.base.id, "examples": self.examples_key, "settings": self.asked.model_dump()}
        write_json(self.folder / _RECORD, {**note, "adapted": [change.model_dump() for change in self.adapted]})

    def _way_out(self, error: BaseException) -> Change:
        """The next change that the run may make by itself.

        Raises:
            UserError: there is none; it names the next rung.
        """
        whole = any(example.section is None for example in self.chosen)
        rungs = list(changes(self.settings, self.base, self._reach, whole_reports=whole))
        own = [change for change in rungs if change.own]
        if self.settings.adapt and own:
            return own[0]
        fix = f"set {rungs[0].line}"
        if own:
            by_itself = "do so" if own[0] == rungs[0] else f"itself set {own[0].line}"
            fix += f"; or let the run {by_itself}: memoria train --adapt"
        raise UserError(f"out of memory on the {place()}", where=self.voice.at, fix=fix) from error

    def _take(self, change: Change) -> None:
        self.voice.say(f"Out of memory on the {place()} ({self.voice.at}). Adapted: {change.line}; the run goes on.")
        self.adapted.append(change)
        self.settings = taken(change, self.settings)
        if change.setting == "training.rank":  # an adapter of another shape
            drop_checkpoints(self.folder)
        self._note()


def _lengths(lessons: Sequence[Lesson]) -> list[int]:
    return [len(lesson.encoded.input_ids) for lesson in lessons]


def _require_fit(examples: Sequence[Example], lessons: Sequence[Lesson], longest: int) -> None:
    too_long = [example for example, length in zip(examples, _lengths(lessons), strict=True) if length > longest]
    if too_long:
        names = [f"section {short(e.section)}" if e.section else f"report {short(e.report)}" for e in too_long[:5]]
        windows = "lower windows.budget_tokens or corpus.longest_target_tokens"
        shorten = windows if too_long[0].section else "set corpus.whole_reports to false"
        raise UserError(
            f"{len(too_long)} examples are longer than {longest} tokens ({', '.join(names)})",
            fix=f"raise training.longest_tokens, or {shorten}",
        )
