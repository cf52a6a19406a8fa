"""The techniques, added one at a time, and how far each takes cards of a size. No torch: workers import it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.memory.simulate import Recipe

GIB = 1 << 30
LENGTHS = (4_096, 8_192, 20_000, 40_000, 80_000, 140_000, 200_000)
CARDS_GIB = (8, 12, 16, 24)
TO_SPARE_GIB = 1.0
GOALS = {8: 20_000, 12: 140_000, 16: 200_000}  # tokens, by GiB of the card
RANK = 16
FULL_VOCABULARY, SLICED_VOCABULARY = 151_936, 103_936
TARGETS = 2_048  # tokens whose logits are made at once where all of a section's are
QWEN3_8B = {
    "hidden_size": 4_096,
    "intermediate_size": 12_288,
    "num_hidden_layers": 36,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "tie_word_embeddings": False,
    "max_position_embeddings": 262_144,
}


@dataclass(frozen=True)
class Technique:
    """One row; `recipe` makes what is simulated from the number of tokens."""

    name: str
    recipe: "Callable[[int], Recipe]"


def techniques() -> list[Technique]:
    """From what most guides do to all that we do; each row keeps what the rows above it added, but for the first."""
    from transformers import Qwen3Config

    from pipeline.memory.steps import kbit_recipe, long_recipe, plain_recipe, targets_recipe
    from pipeline.settings import Training
    from pipeline.training.long import Schedule

    full, sliced = (Qwen3Config(vocab_size=rows, **QWEN3_8B) for rows in (FULL_VOCABULARY, SLICED_VOCABULARY))
    settings = Training(rank=RANK)

    def ours(**changed: Any) -> "Callable[[int], Recipe]":
        nothing = {"tile_tokens": None, "inputs": "card", "kv_heads_at_once": None, "embedding": "card"}
        schedule = Schedule(**{**nothing, **changed})
        return lambda tokens: long_recipe(sliced, tokens, settings, schedule)

    keep_all = settings.model_copy(update={"gradient_checkpointing": False})
    inputs: dict[str, Any] = {"inputs": "host"}
    embedding = {**inputs, "embedding": "host"}
    tiles = {**embedding, "tile_tokens": Schedule().tile_tokens}
    return [
        Technique("transformers + peft", lambda tokens: plain_recipe(full, tokens, keep_all)),
        Technique("checkpointing, prepare_model_for_kbit", lambda tokens: kbit_recipe(full, tokens, settings)),
        Technique("checkpointing, nothing in float32", lambda tokens: plain_recipe(full, tokens, settings)),
        Technique("+ sliced vocabulary", lambda tokens: plain_recipe(sliced, tokens, settings)),
        Technique(f"+ logits of {TARGETS:,} targets", lambda tokens: targets_recipe(sliced, tokens, settings, TARGETS)),
        Technique("+ layers by hand, loss in parts", ours()),
        Technique("+ layers' inputs on the host", ours(**inputs)),
        Technique("+ embedding on the host", ours(**embedding)),
        Technique("+ tiles", ours(**tiles)),
        Technique("+ attention by key-value head", ours(**tiles, kv_heads_at_once=Schedule().kv_heads_at_once)),
    ]


def simulated(job: tuple[int, int]) -> dict[str, Any]:
    """Simulate the technique of this number at this length: a row of the results."""
    import torch

    from pipeline.memory.simulate import simulate

    torch.set_num_threads(1)
    number, tokens = job
    technique = techniques()[number]
    found = simulate(technique.recipe(tokens))
    return {
        "technique": technique.name,
        "tokens": tokens,
        "static_bytes": found.static_bytes,
        "peak_bytes": found.peak_bytes,
        "host_bytes": found.host_bytes,
        "components": found.components,
        "at_peak": found.at_peak,
    }


def longest_tokens(peaks: Mapping[int, int], usable_bytes: float) -> int | None:
    """The most tokens whose peak is usable, by bisection on lines through the simulated lengths.

    Args:
        peaks: bytes by tokens, rising. Beyond the last length the last line goes on.

    Returns:
        None if not even the first length fits.
    """
    points = sorted(peaks.items())

    def peak(tokens: int) -> float:
        after = next((i for i, (length, _) in enumerate(points) if i and length >= tokens), len(points) - 1)
        (left, low), (right, high) = points[after - 1], points[after]
        return low + (high - low) * (tokens - left) / (right - left)

    fits, too_long = points[0][0], 1 << 30
    if points[0][1] > usable_bytes:
        return None
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        fits, too_long = (middle, too_long) if peak(middle) <= usable_bytes else (fits, middle)
    return fits


@dataclass(frozen=True)
class Goal:
    """So many tokens on a card of so many GiB, and what was found of the last technique."""

    card_gib: int
    tokens: int
    peak_gib: float
    usable_gib: float

    @property
    def met(self) -> bool:
        return self.peak_gib <= self.usable_gib


def goals_of(rows: Sequence[Mapping[str, Any]]) -> list[Goal]:
    """The goals, held against all techniques together."""
    last = {row["tokens"]: row["peak_bytes"] / GIB for row in rows if row["technique"] == rows[-1]["technique"]}
    return [Goal(card, tokens, last[tokens], card - TO_SPARE_GIB) for card, tokens in GOALS.items()]
