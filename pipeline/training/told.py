"""What a finished run leaves beside its adapter's weights."""

from typing import Any

from pipeline.records import Record
from pipeline.training.ladder import Change

ADAPTER, TOLD = "adapter.json", "training.json"


class Loss(Record):
    """Nats per target token: of the first and last step, and on held-out examples, before and after training."""

    first: float
    last: float
    held_out_before: float
    held_out: float


class Probe(Record):
    """What the trained adapter does at the length of whole examples; `faults` is empty where nothing is wrong.

    `nats_by_position` are mean losses a token in equal parts of a sequence, the first part first (None: not finite).
    The rest is of one text, written by always taking the likeliest token.
    """

    nats_by_position: tuple[float | None, ...]
    prompt_tokens: int
    written_tokens: int
    distinct_4_grams: float
    loops: bool
    faults: tuple[str, ...]


class TrainDocument(Record):
    """What a run tells of itself, and `memoria train --json` prints.

    `steps` were done; `best_step` is the one whose weights were kept. `longest_tokens` is the longest example's;
    `in_parts` examples were computed in parts, by `schedule` (None: there were none).
    `warnings` are those that were told since the run was last begun or gone on with.
    """

    adapter: str
    steps: int
    best_step: int
    stopped_early: bool
    loss: Loss
    optimizer: str
    attention: str
    kernels: str
    adapted: tuple[Change, ...]
    longest_tokens: int
    in_parts: int
    schedule: dict[str, Any] | None
    probe: Probe | None
    warnings: tuple[str, ...]
    peak_bytes: int
    tokens_per_second: float
