"""Which examples a run sees, and in which order. Pure functions of ids, seed and place: a resumed run sees the same."""

import math
import random
from collections import defaultdict
from collections.abc import Sequence

from pipeline.records import Example, digest


def choose(examples: Sequence[Example], most: int) -> list[Example]:
    """At most `most` examples (0: all), the languages in equal parts, chosen by content and not by place."""
    by_language: dict[str | None, list[Example]] = defaultdict(list)
    for example in sorted(examples, key=lambda e: digest(["choose", e.id])):
        by_language[example.language].append(example)
    rounds = [
        (place, str(language), example)
        for language, group in by_language.items()
        for place, example in enumerate(group)
    ]
    rounds.sort(key=lambda entry: entry[:2])
    return [example for _, _, example in rounds][: most or None]


def schedule(count: int, epochs: float, seed: int) -> list[int]:
    """Indices of the examples in training order: each epoch is a permutation of its own, the last may be cut."""
    total = max(1, round(count * epochs))
    order: list[int] = []
    for epoch in range(math.ceil(total / count)):
        permutation = list(range(count))
        random.Random(f"{seed}/{epoch}").shuffle(permutation)
        order += permutation
    return order[:total]


def learning_rate(step: int, steps: int, highest: float, warmup_share: float) -> float:
    """Linear warm-up from 0, then a cosine down to 0 (Loshchilov & Hutter, "SGDR", 2016, without restarts).

    Args:
        step: steps done, 0 <= step < steps.
    """
    warmup = round(steps * warmup_share)
    if step < warmup:
        return highest * (step + 1) / (warmup + 1)
    return highest * 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, steps - warmup)))
