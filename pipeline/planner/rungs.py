"""What to change when a run does not fit, one rung after another, with what each frees of this very run.

    shorter context ── batch of 1 ── 4-bit base ── checkpointing ── in parts ── smaller tiles ── sliced ── smaller
    (if typical                                                                                vocabulary    model
    examples still fit)

Each rung stands on those taken before it. The climb ends with the first combination that fits. A rung that frees
nothing is left out; one that would spoil what is trained is shown, and not taken.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from pipeline.memory.account import account
from pipeline.memory.run import Run
from pipeline.memory.shape import Shape, known_shapes
from pipeline.planner.lengths import Lengths
from pipeline.settings import Settings
from pipeline.training.schedule import in_parts_beyond, schedule_of

TYPICAL_SHARE = 0.95
"""Of the examples: so many have to fit into a shorter context."""

_ROUND_TOKENS = 1_000
_MOST_TOKENS = 1 << 30
_SMALLER_TILE_TOKENS = 512
_SLICED_ROWS = {151_936: 104_064, 152_064: 104_064}  # Qwen's, by `memoria slice` in Latin script

Value = bool | int | str


@dataclass(frozen=True)
class Ground:
    """What a climb starts from besides the run.

    Attributes:
        usable_bytes: of the card.
        host_free_bytes: of the machine's memory.
        lengths: of the user's own examples; None: there are none yet.
        settings: those in force.
    """

    usable_bytes: int
    host_free_bytes: int
    lengths: Lengths | None
    settings: Settings


@dataclass(frozen=True)
class Step:
    """A rung as it applies to a run: the run after it, the settings to paste, why it helps, and what keeps it off."""

    change: str
    run: Run
    settings: dict[str, Value]
    why: str
    not_taken: str = ""


@dataclass(frozen=True)
class Rung:
    """A step with its measure. `gain_bytes` is what it frees at the peak of the run as it was before."""

    step: Step
    peak_bytes: int
    gain_bytes: int
    fits: bool


def climb(run: Run, ground: Ground) -> list[Rung]:
    """The rungs from a run that does not fit up to the first combination that does; all there are if none does."""
    climbed: list[Rung] = []
    for rung in _LADDER:
        for step in rung(run, ground):
            before, after = account(run).peak_bytes, account(step.run).peak_bytes
            if after >= before:
                continue
            climbed.append(Rung(step, after, before - after, after <= ground.usable_bytes))
            if step.not_taken:
                continue
            run = step.run
            if after <= ground.usable_bytes:
                return climbed
    return climbed


def _shorter_context(run: Run, ground: Ground) -> Iterator[Step]:
    tokens = max(longest_tokens(run, ground), run.tokens // 2) // _ROUND_TOKENS * _ROUND_TOKENS
    if not 0 < tokens < run.tokens:
        return
    budget = ground.settings.windows.budget_tokens - (run.tokens - tokens)
    said: dict[str, Value] = {"training.longest_tokens": tokens}
    if budget > 0:
        said["windows.budget_tokens"] = budget
    if run.schedule is not None and tokens <= (in_parts_beyond(ground.settings.training) or 0):
        said["training.in_parts"] = "always"  # left to itself, it would be computed whole
    shorter = of_length(run, tokens, ground)
    why = "memory grows with an example's length"
    yield Step(f"{tokens:,} tokens of context", shorter, said, why, _too_short(tokens, ground))


def _too_short(tokens: int, ground: Ground) -> str:
    """Why a shorter context is not taken; nothing if typical examples fit."""
    if ground.lengths is None:
        return "there are no examples yet to check it by"
    longer = ground.lengths.share_above(tokens)
    return f"{longer:.0%} of your examples are longer" if longer > 1 - TYPICAL_SHARE else ""


def _batch_of_one(run: Run, ground: Ground) -> Iterator[Step]:
    if run.batch > 1:
        said: dict[str, Value] = {"training.gradient_accumulation": run.batch}
        why = "the same step, one example after the other"
        yield Step("one example at a time", replace(run, batch=1), said, why)


def _four_bits(run: Run, ground: Ground) -> Iterator[Step]:
    if run.method != "qlora":
        what = "an adapter over a 4-bit base (QLoRA)"
        yield Step(what, replace(run, method="qlora", master_weights=False), {}, "as Memoria always trains")


def _checkpointing(run: Run, ground: Ground) -> Iterator[Step]:
    if not run.checkpointing:
        said: dict[str, Value] = {"training.gradient_checkpointing": True}
        why = "each layer's input is kept in place of all that it computes; a third more time"
        yield Step("gradient checkpointing", replace(run, checkpointing=True), said, why)


def _in_parts(run: Run, ground: Ground) -> Iterator[Step]:
    if run.schedule is None and run.batch == 1 and run.method != "full":
        schedule = schedule_of(ground.settings.training, inputs_bytes(run.shape, run.tokens), ground.host_free_bytes)
        why = "a layer, a tile and a group of heads at a time, layers' inputs in host memory; the same result"
        said: dict[str, Value] = {"training.in_parts": "always"}
        yield Step("computed in parts", replace(run, schedule=schedule), said, why)


def _smaller_tiles(run: Run, ground: Ground) -> Iterator[Step]:
    if run.schedule is not None and (run.schedule.tile_tokens or run.tokens) > _SMALLER_TILE_TOKENS:
        smaller = replace(run.schedule, tile_tokens=_SMALLER_TILE_TOKENS)
        said: dict[str, Value] = {"training.tile_tokens": _SMALLER_TILE_TOKENS}
        why = "fewer tokens pass through a layer at once; a little slower"
        yield Step(f"tiles of {_SMALLER_TILE_TOKENS} tokens", replace(run, schedule=smaller), said, why)


def _sliced_vocabulary(run: Run, ground: Ground) -> Iterator[Step]:
    rows = sliced_rows(run.shape)
    if rows < run.shape.vocabulary:
        said: dict[str, Value] = {"vocabulary.slice": True}
        sliced = replace(run, shape=replace(run.shape, vocabulary=rows))
        yield Step(f"a vocabulary of {rows:,} rows", sliced, said, "a smaller embedding, head and logits")


def _smaller_model(run: Run, ground: Ground) -> Iterator[Step]:
    sliced = run.shape.vocabulary in _SLICED_ROWS.values()
    for shape in _smaller(run.shape):
        rows = sliced_rows(shape) if sliced else shape.vocabulary
        smaller = _paced(replace(run, shape=replace(shape, vocabulary=rows)), ground)
        yield Step(shape.name, smaller, {"model": shape.name}, "less of everything, and less able")


_LADDER: tuple[Callable[[Run, Ground], Iterator[Step]], ...] = (
    _shorter_context,
    _batch_of_one,
    _four_bits,
    _checkpointing,
    _in_parts,
    _smaller_tiles,
    _sliced_vocabulary,
    _smaller_model,
)


def longest_tokens(run: Run, ground: Ground) -> int:
    """The longest example that fits, all else as in `run`; 0 if none does.

    Of longer examples fewer layers' inputs are kept, as the host's memory has it.
    """

    def peak(tokens: int) -> int:
        return account(of_length(run, tokens, ground)).peak_bytes

    return bisect_right(range(1, _MOST_TOKENS), ground.usable_bytes, key=peak)


def of_length(run: Run, tokens: int, ground: Ground) -> Run:
    """The run with a longest example of so many tokens, as many layers' inputs kept as the host then holds."""
    targets = run.targets if run.targets is None else min(run.targets, tokens)
    return _paced(replace(run, tokens=tokens, targets=targets), ground)


def _paced(run: Run, ground: Ground) -> Run:
    """The run with as many layers' inputs kept as the host holds now that they are smaller."""
    if run.schedule is None:
        return run
    made = schedule_of(ground.settings.training, inputs_bytes(run.shape, run.tokens), ground.host_free_bytes)
    return replace(run, schedule=replace(run.schedule, keep_every=made.keep_every))


def sliced_rows(shape: Shape) -> int:
    """Rows that a model's vocabulary keeps for texts in Latin script; all of them, where that was not measured."""
    return _SLICED_ROWS.get(shape.vocabulary, shape.vocabulary)


def inputs_bytes(shape: Shape, tokens: int) -> int:
    """The inputs of all layers of an example, in bfloat16."""
    return 2 * shape.layers * tokens * shape.hidden


def _smaller(shape: Shape) -> list[Shape]:
    """Smaller models of the same maker and generation, the largest first."""
    family = shape.name.rpartition("/")[2].split("-")[0]
    smaller = [
        known
        for known in known_shapes()
        if known.name.rpartition("/")[2].split("-")[0] == family and known.parameters < 0.9 * shape.parameters
    ]
    return sorted(smaller, key=lambda known: -known.parameters)
