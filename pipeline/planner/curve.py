"""The peak of a run against the length of its longest example, computed whole and in parts: what pictures draw."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pipeline.memory.account import account
from pipeline.memory.run import Run
from pipeline.planner.plan import Plan
from pipeline.planner.rungs import inputs_bytes, of_length
from pipeline.training.schedule import schedule_of

LENGTHS = 40
_LEAST_TOKENS = 8_192
_ROOM = 1.2


@dataclass(frozen=True)
class Curve:
    """One way to compute: its name, and bytes at the peak by tokens of the longest example, in ascending order."""

    name: str
    points: tuple[tuple[int, int], ...]


def curves(plan: Plan) -> list[Curve]:
    """Whole, and in parts; where a run as asked cannot be in parts, what the ladder leads to."""
    run, training = plan.run, plan.ground.settings.training
    drawn = [Curve("computed whole", tuple(_points(plan, replace(run, schedule=None))))]
    if run.batch == 1 and run.method != "full":
        inputs = inputs_bytes(run.shape, run.tokens)
        schedule = run.schedule or schedule_of(training, inputs, plan.ground.host_free_bytes)
        drawn.append(Curve("computed in parts", tuple(_points(plan, replace(run, schedule=schedule)))))
    elif plan.final and not plan.fits:
        drawn.append(Curve("after the changes", tuple(_points(plan, plan.final))))
    return drawn


def longest_drawn(plan: Plan) -> int:
    """Tokens at the right end: twice what is asked, so that a person sees what more would take."""
    return max(_LEAST_TOKENS, 2 * plan.run.tokens)


def highest_drawn(plan: Plan) -> int:
    """Bytes at the upper end: somewhat more than the asked run and the usable memory; curves may leave the picture."""
    return max(1, round(_ROOM * max(plan.memory.usable_bytes, plan.account.peak_bytes)))


def ticks(end: float, most: int = 6) -> list[int]:
    """Round values from 0 up to `end`, no more than `most` steps: multiples of 1, 2 or 5 times a power of ten."""
    step = next(s for power in range(19) for s in (10**power, 2 * 10**power, 5 * 10**power) if end / s <= most)
    return list(range(0, int(end) + 1, step))


def _points(plan: Plan, run: Run) -> Iterator[tuple[int, int]]:
    for place in range(1, LENGTHS + 1):
        tokens = longest_drawn(plan) * place // LENGTHS
        yield tokens, account(of_length(run, tokens, plan.ground)).peak_bytes
