"""What a run tells of itself: one JSON line a step, and a picture of the loss."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline.storage import clear_disk_errors, write_text


@dataclass(frozen=True)
class Step:
    """One step of the optimiser. `loss` is the mean over its target tokens, in nats."""

    step: int
    loss: float
    learning_rate: float
    gradient_norm: float
    tokens: int
    seconds: float


class Log:
    """The steps of a run, kept in `log.jsonl`."""

    def __init__(self, folder: Path, steps_done: int) -> None:
        self._file = folder / "log.jsonl"
        lines = self._file.read_text("utf-8").splitlines() if self._file.exists() else []
        # Steps after the checkpoint will be done again; the last line may be torn.
        self.steps = [Step(**json.loads(line)) for line in lines[:steps_done]]
        write_text(self._file, "".join(self._line(step) for step in self.steps))

    def add(self, step: Step) -> None:
        """Keep one more step, on disk at once."""
        self.steps.append(step)
        with clear_disk_errors(self._file), open(self._file, "a", encoding="utf-8") as file:
            file.write(self._line(step))

    @staticmethod
    def _line(step: Step) -> str:
        return json.dumps(asdict(step)) + "\n"


def draw_curve(steps: list[Step], held_out: tuple[float, float] | None, picture: Path) -> None:
    """A PNG of the loss by step; `held_out` is the loss on held-out examples before and after training."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.plot([s.step for s in steps], [s.loss for s in steps], color="#9bbfba", label="training, each step")
    axes.plot([s.step for s in steps], _smooth([s.loss for s in steps]), color="#0f766e", label="training, smoothed")
    if held_out:
        axes.plot(
            [steps[0].step, steps[-1].step],
            held_out,
            "o",
            color="#b45309",
            label="held-out reports, before and after",
        )
    axes.set(xlabel="step", ylabel="loss (nats per target token)")
    axes.grid(alpha=0.2)
    axes.legend(frameon=False)
    figure.savefig(picture, dpi=120)


def _smooth(values: list[float], keep: float = 0.8) -> list[float]:
    """Exponential moving average, without the pull towards its start (Kingma & Ba's bias correction)."""
    smooth, mean = [], 0.0
    for i, value in enumerate(values, 1):
        mean = keep * mean + (1 - keep) * value
        smooth.append(mean / (1 - keep**i))
    return smooth
