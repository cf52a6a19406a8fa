"""How long a training run takes, and what electricity: operations counted, utilisation assumed and said.

    seconds = operations / (the card's dense bfloat16 rate x utilisation)
    energy  = seconds x the card's full power, which it seldom takes all the time

The head is counted where it makes logits of many tokens: with 150,000 rows it is a quarter of a small model's work.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.memory.shape import Shape
from pipeline.planner.cards import ListedCard
from pipeline.training.cost import decoder_flops

UTILISATION = 0.35
"""Share of a card's rate that a run gets. Well-tuned ones get 38-43% (Llama 3, arXiv 2407.21783, table 4) to 46% (PaLM,
arXiv 2204.02311); here 4-bit weights are unpacked as well, and small cards wait for their memory. A probe measures."""


@dataclass(frozen=True)
class RunCost:
    """What one run takes on one card."""

    card: ListedCard
    flops: float
    utilisation: float
    hours: float
    kilowatt_hours: float

    @property
    def sentence(self) -> str:
        """What was assumed."""
        return (
            f"{self.flops / 1e15:,.1f} PFLOP at {self.utilisation:.0%} of the {self.card.name}'s "
            f"{self.card.bf16_tflops:g} TFLOP/s, at its full {self.card.power_watts:g} W."
        )


def forwards(*, checkpointing: bool = True, keep_every: int = 1) -> float:
    """How often each layer is computed in one example's forward and backward.

    Args:
        checkpointing: whether layers are computed again in backward.
        keep_every: of every so many layers one input is kept; the others are first computed again, and so their layers.
    """
    return 2 + (keep_every - 1) / keep_every if checkpointing else 1


def run_flops(
    shape: Shape,
    lengths: Iterable[int],
    *,
    epochs: float = 1,
    forwards: float = 2,
    train_weights: bool = False,
    targets: int = 0,
) -> float:
    """Floating-point operations of a run.

    Args:
        lengths: tokens of each example, prompt and target together.
        epochs: passes over them.
        forwards: how often each layer is computed (`forwards`).
        train_weights: whether all weights are trained, or an adapter.
        targets: tokens of each example for which logits are made (all that it has, if it has fewer).
    """
    head = (2 + train_weights) * 2 * shape.hidden * shape.vocabulary
    each = (
        decoder_flops(shape, tokens, forwards=forwards, train_weights=train_weights) + head * min(targets, tokens)
        for tokens in lengths
    )
    return epochs * sum(each)


def run_cost(flops: float, card: ListedCard, *, utilisation: float = UTILISATION) -> RunCost | None:
    """Time and energy of a run on a card; None: the card has no bfloat16, which training computes in.

    Args:
        utilisation: share of the card's rate that the run gets, above 0 and at most 1.
    """
    if not 0 < utilisation <= 1:
        raise ValueError(f"utilisation is a share, not {utilisation}")
    if card.flops_per_second is None:
        return None
    hours = flops / (card.flops_per_second * utilisation) / 3600
    return RunCost(card, flops, utilisation, hours, hours * card.power_watts / 1000)
