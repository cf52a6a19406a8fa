"""Will it fit? What a training step holds at its peak, by kind, in milliseconds: `simulate`'s answer to within 3%.

Run ──> account ──> weights, adapter, gradients, optimiser, kept activations, working set; host memory
"""

from dataclasses import dataclass

from pipeline.memory import tiles, whole
from pipeline.memory.parts import static_parts
from pipeline.memory.run import Run

KEPT, WORKING = "kept activations", "working set"


@dataclass(frozen=True)
class Account:
    """What a step holds, in bytes. Not in it: the CUDA context, and gaps between the allocator's blocks."""

    components: dict[str, int]
    """On the card at the peak, by kind, as `Simulated.components` names them."""
    peak_bytes: int
    """Their sum."""
    host_bytes: int
    """In host memory, of what would otherwise be on the card."""


def account(run: Run) -> Account:
    """The peak of a training step, in the midst of a run, when gradients and the optimiser's state exist."""
    kept, working, on_host = _step(run)
    parts = {**static_parts(run), KEPT: kept, WORKING: working}
    components = {name: held for name, held in parts.items() if held}
    return Account(components, sum(components.values()), on_host)


def _step(run: Run) -> tuple[int, int, int]:
    """Bytes that the step keeps, works with, and has in host memory."""
    schedule = run.schedule
    if schedule is None:
        return round(whole.kept_bytes(run)), round(whole.working_bytes(run)), 0
    kept, working = tiles.kept_bytes(run, schedule), tiles.working_bytes(run, schedule)
    return round(kept), round(working), tiles.host_bytes(run, schedule)
