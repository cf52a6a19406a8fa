"""Looks at the held-out loss while a run goes on: the best weights so far, and when more steps are of no use.

step      10     20     30     40     50
loss     2.9    2.6    2.5    2.6    2.6      patience 2: stop at 50, and keep the weights of step 30
                        ^ best  1      2
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from pipeline.training.attention import refuse_quadratic
from pipeline.training.computation import Computation
from pipeline.training.encode import Encoded


def mean_loss(computation: Computation, encoded: Sequence[Encoded]) -> float:
    """Mean cross-entropy over all target tokens, in nats. The model is judged as it is: set it to `eval` before."""
    total = 0.0
    for example in encoded:
        with refuse_quadratic(len(example.input_ids)):
            total += computation.loss(example)
    return total / sum(len(example.targets) for example in encoded)


@dataclass
class HeldOut:
    """The looks of a run.

    `before` is the loss before the first step (None: not looked at yet), `weights` are the adapter's at the best look,
    on the host.
    """

    patience: int
    before: float | None = None
    looks: list[tuple[int, float]] = field(default_factory=list)
    weights: dict[str, Tensor] = field(default_factory=dict)

    @property
    def best(self) -> tuple[int, float]:
        """Step and loss of the best look; of equal ones the first."""
        return min(self.looks, key=lambda look: look[1])

    @property
    def exhausted(self) -> bool:
        """Were the last `patience` looks all without a better loss?"""
        if not self.patience or not self.looks:
            return False
        return len(self.looks) - 1 - self.looks.index(self.best) >= self.patience

    def add(self, step: int, loss: float, weights: dict[str, Tensor]) -> None:
        """One more look, with the weights that it was of: copied if there was no better one."""
        self.looks.append((step, loss))
        if self.best == (step, loss):
            self.weights = {name: tensor.detach().cpu().clone() for name, tensor in weights.items()}

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {"before": self.before, "looks": self.looks, "weights": self.weights}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what a checkpoint kept."""
        self.before, self.weights = state["before"], state["weights"]
        self.looks = [(step, loss) for step, loss in state["looks"]]
