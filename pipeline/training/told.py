"""What a finished run leaves beside its adapter's weights."""

from pipeline.records import Record

ADAPTER, TOLD = "adapter.json", "training.json"


class Loss(Record):
    """Nats per target token: of the first and last step, and on held-out examples after training."""

    first: float
    last: float
    held_out: float


class TrainDocument(Record):
    """What a run tells of itself, and `memoria train --json` prints."""

    adapter: str
    steps: int
    loss: Loss
    optimizer: str
    peak_bytes: int
    tokens_per_second: float
