"""What a run tells of its steps: a JSON line each, the same for TensorBoard, and a picture of the loss."""

import json
import shutil
import time
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from pipeline.plots import new_figure, png_bytes
from pipeline.storage import clear_disk_errors, write_text


@dataclass(frozen=True)
class Step:
    """One step of the optimiser. `loss` is the mean over its target tokens, in nats.

    The peaks are the most memory held so far, on the card (None: there is none) and by the process in the machine's.
    `held_out` is the loss on held-out examples after the step, where they were looked at.
    """

    step: int
    loss: float
    learning_rate: float
    gradient_norm: float
    tokens: int
    seconds: float
    card_peak_bytes: int | None
    resident_peak_bytes: int
    held_out: float | None = None

    @property
    def tokens_per_second(self) -> float:
        """Tokens of prompts and targets that passed in a second of the step."""
        return self.tokens / self.seconds


class Log:
    """The steps of a run, kept in `log.jsonl` and, for TensorBoard, in `tensorboard/`."""

    def __init__(self, folder: Path, steps_done: int) -> None:
        self._file = folder / "log.jsonl"
        lines = self._file.read_text("utf-8").splitlines() if self._file.exists() else []
        # Steps after the checkpoint will be done again; the last line may be torn.
        self.steps = [self._step(line) for line in lines[:steps_done]]
        write_text(self._file, "".join(self._line(step) for step in self.steps))
        self._events = _Events(folder / "tensorboard", self.steps)

    def add(self, step: Step) -> None:
        """Keep one more step, on disk at once."""
        self.steps.append(step)
        with clear_disk_errors(self._file), open(self._file, "a", encoding="utf-8") as file:
            file.write(self._line(step))
        self._events.add(step)

    def close(self) -> None:
        """Let go of the files."""
        self._events.close()

    @staticmethod
    def _line(step: Step) -> str:
        return json.dumps({**asdict(step), "tokens_per_second": step.tokens_per_second}) + "\n"

    @staticmethod
    def _step(line: str) -> Step:
        told = json.loads(line)
        return Step(**{field.name: told[field.name] for field in fields(Step)})


class _Events:
    """TensorBoard's event file. It is written anew from the log when a run goes on, so that both say the same."""

    def __init__(self, folder: Path, steps: list[Step]) -> None:
        from tensorboardX.event_file_writer import EventsWriter  # not SummaryWriter: its thread dies of a full disk

        self._folder = folder
        with clear_disk_errors(folder):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            self._writer = EventsWriter(str(folder / "events"))
        for step in steps:
            self.add(step)

    def add(self, step: Step) -> None:
        from tensorboardX.proto.event_pb2 import Event
        from tensorboardX.proto.summary_pb2 import Summary

        numbers = {
            "loss/training": step.loss,
            "loss/held_out": step.held_out,
            "learning_rate": step.learning_rate,
            "gradient_norm": step.gradient_norm,
            "tokens_per_second": step.tokens_per_second,
            "peak_gib/card": step.card_peak_bytes and step.card_peak_bytes / 2**30,
            "peak_gib/resident": step.resident_peak_bytes / 2**30,
        }
        values = [Summary.Value(tag=tag, simple_value=number) for tag, number in numbers.items() if number is not None]
        with clear_disk_errors(self._folder):
            self._writer.write_event(Event(wall_time=time.time(), step=step.step, summary=Summary(value=values)))
            self._writer.flush()

    def close(self) -> None:
        self._writer.close()


def draw_curve(steps: list[Step], held_out: list[tuple[int, float]], picture: Path) -> None:
    """A PNG of the loss by step; `held_out` are steps and losses on held-out examples, 0 being before training."""
    figure = new_figure(7, 4)
    axes = figure.add_subplot()
    axes.plot([s.step for s in steps], [s.loss for s in steps], color="#9bbfba", label="training, each step")
    axes.plot([s.step for s in steps], _smooth([s.loss for s in steps]), color="#0f766e", label="training, smoothed")
    axes.plot(*zip(*held_out, strict=True), "o-", color="#b45309", label="held-out reports")
    axes.set(xlabel="step", ylabel="loss (nats per target token)")
    axes.grid(alpha=0.2)
    axes.legend(frameon=False)
    picture.write_bytes(png_bytes(figure))


def _smooth(values: list[float], keep: float = 0.8) -> list[float]:
    """Exponential moving average, without the pull towards its start (Kingma & Ba's bias correction)."""
    smooth, mean = [], 0.0
    for i, value in enumerate(values, 1):
        mean = keep * mean + (1 - keep) * value
        smooth.append(mean / (1 - keep**i))
    return smooth
