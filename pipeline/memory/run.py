"""What is trained, and how: all that decides how much memory a training step takes."""

from dataclasses import dataclass
from typing import Literal

from pipeline.memory.shape import Shape
from pipeline.training.schedule import Schedule

Method = Literal["qlora", "lora", "full"]
Optimizer = Literal["adamw", "adamw_8bit", "paged_adamw_8bit"]


@dataclass(frozen=True)
class Run:
    """One kind of training step.

    Raises:
        ValueError: a size below 1, or something that is asked for together and cannot be: in parts, examples are
            computed one at a time, and only an adapter is trained.
    """

    shape: Shape
    method: Method
    """qlora: an adapter over a base in NF4; lora: over a base in bfloat16; full: all weights in bfloat16."""
    tokens: int
    """Length of the longest example, prompt and target together."""
    batch: int = 1
    """Examples of that length that are computed at once."""
    rank: int = 16
    """Of the adapter on all linear projections; of no meaning where all weights are trained."""
    targets: int | None = None
    """Last tokens of an example for which logits are made; None: all, as transformers does it for labels."""
    checkpointing: bool = True
    """Whole: each layer's input is kept, and the rest computed again. In parts it is always so."""
    schedule: Schedule | None = None
    """How an example is computed in parts; None: whole, by transformers."""
    optimizer: Optimizer = "paged_adamw_8bit"
    master_weights: bool = False
    """Where all weights are trained: whether a copy in float32 is kept, as mixed precision has it."""

    def __post_init__(self) -> None:
        sizes = (self.tokens, self.batch, self.rank, self.targets)
        if any(size is not None and size < 1 for size in sizes):
            raise ValueError(f"sizes are at least 1: {self}")
        if self.schedule is not None and self.batch > 1:
            raise ValueError("in parts, examples are computed one at a time: batch is 1")
        if self.schedule is not None and self.method == "full":
            raise ValueError("in parts, only an adapter is trained: method is qlora or lora")
