"""The peak of a training step on a card, from the model's config alone: the real code runs on fake tensors.

    config ── fake_base ──> base ── prepare ──> base with adapter ── step(model, ids, targets) ── Live ──> events
                                                                                                              │
    static: weights, adapter, its gradients, optimiser, workspace ──────────────────────────────┐             ▼
    peak:   static, and what the step keeps and works with ─────────────────────────────────────┴───────> Simulated

All layers of a decoder are alike. So the step is run on two models of a few layers; what is alive at the peak of each
layer's work is a straight line in the number of layers, and the highest of these lines, at the true number, is the peak
to the byte.
"""

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily

from pipeline.memory.fake import fake_base, fake_mode
from pipeline.memory.live import Live, Memory, Scratch
from pipeline.memory.parts import WORKSPACE_BYTES
from pipeline.memory.run import Optimizer
from pipeline.memory.scratch import cuda_scratch
from pipeline.memory.static import hold_optimizer, make_gradients, name_parts
from pipeline.memory.trace import Alive, Trace

if TYPE_CHECKING:
    from peft import PeftModel
    from transformers import PretrainedConfig, PreTrainedModel

Prepare = Callable[["PreTrainedModel", Live], "PeftModel"]
Step = Callable[["PeftModel", torch.Tensor, torch.Tensor, Live], None]
Moment = tuple[str, int, int]


@dataclass(frozen=True)
class Simulated:
    """What a training step holds, in bytes. Not in it: the CUDA context, and gaps between the allocator's blocks."""

    static_bytes: int
    """On the card throughout: weights, adapter, gradients, optimiser, workspace."""
    peak_bytes: int
    """On the card at once, at most."""
    host_bytes: int
    """In host memory at once, at most, of what would otherwise be on the card."""
    components: dict[str, int]
    """The card's bytes at the peak: the static parts by kind, then `kept activations`, which grow with the number of
    layers, and `working set`, which does not."""
    at_peak: dict[str, int]
    """The step's own bytes at the peak by the place that made them and what they are, most first."""


@dataclass(frozen=True)
class Recipe:
    """What is trained, and how: everything but the number of layers.

    Args:
        config: of a causal language model whose layers are all alike.
        prepare: puts the adapter on the frozen base, and may change both.
        step: adds an example's gradients to the adapter's `.grad`, given the model, ids [tokens], the targets'
            positions (ascending, > 0), and the live bytes, to say what lies in host memory.
        tokens: length of the example.
        targets: how many of its last tokens carry loss; all but the first if None.
        in_4_bits: whether the base's linear weights are in NF4.
        optimizer: whose state is counted.
        master_weights: whether it keeps a copy in float32 of what is trained.
        period: the step treats every so many layers alike (as where it keeps every so many layers' inputs).
        dtype: of what is not in 4 bits, and of the arithmetic.
        scratch: what kernels take beyond what they return; None: nothing, as nearly true of a CPU's.
    """

    config: "PretrainedConfig"
    prepare: Prepare
    step: Step
    tokens: int
    targets: int | None = None
    in_4_bits: bool = True
    optimizer: Optimizer = "paged_adamw_8bit"
    master_weights: bool = False
    period: int = 1
    dtype: torch.dtype = torch.bfloat16
    scratch: Scratch | None = cuda_scratch


@dataclass(frozen=True)
class _Run:
    """What was alive on models of so many layers: before the step, and in each of its moments."""

    layers: int
    static: Alive
    moments: dict[Memory, dict[Moment, Alive]]


def simulate(recipe: Recipe, *, extrapolate: bool = True) -> Simulated:
    """Simulate one example in the midst of a run, when gradients and the optimiser's state exist.

    Args:
        extrapolate: from a few layers to all; else all are run.
    """
    layers = recipe.config.num_hidden_layers
    rest = layers % recipe.period
    few, more = 2 * recipe.period + rest, 3 * recipe.period + rest
    if not extrapolate or more >= layers:
        run = _run(recipe, layers)
        return _simulated(layers, run, run)
    return _simulated(layers, _run(recipe, few), _run(recipe, more))


def _run(recipe: Recipe, layers: int) -> _Run:
    live = Live(recipe.scratch)
    with fake_mode(), live:
        base = fake_base(_with_layers(recipe.config, layers), recipe.dtype, in_4_bits=recipe.in_4_bits)
        model = recipe.prepare(base, live)
        make_gradients(model, live)
        hold_optimizer(recipe.optimizer, model, live, master_weights=recipe.master_weights)
        live.hold(WORKSPACE_BYTES, "workspace of matrix products")
        with unset_fake_temporarily(), live.placing("token ids"):
            ids = torch.zeros(recipe.tokens, dtype=torch.int64)
            first = max(1, recipe.tokens - recipe.targets) if recipe.targets else 1
            targets = torch.arange(first, recipe.tokens)
        name_parts(model, live)
        static = live.begin().at_end()
        recipe.step(model, ids, targets, live)
    trace = live.trace()
    moments: dict[Memory, dict[Moment, Alive]] = {
        "card": _moments(trace, "card", layers, recipe.period),
        "host": _moments(trace, "host", layers, recipe.period),
    }
    return _Run(layers, static, moments)


def _with_layers(config: "PretrainedConfig", layers: int) -> "PretrainedConfig":
    fewer = deepcopy(config)
    fewer.num_hidden_layers = layers
    if getattr(fewer, "layer_types", None):
        fewer.layer_types = fewer.layer_types[:layers]
    return fewer


def _moments(trace: Trace, memory: Memory, layers: int, period: int) -> dict[Moment, Alive]:
    """What was alive at the peak of each layer's work, by (counted from which end, how far from it, which time).

    Only the first period's layers count, and the last's with the rest that fills none: what is alive during the work of
    those between lies between what is alive during theirs.
    """
    found: dict[Moment, Alive] = {}
    for layer, time, alive in trace.at_peaks(memory):
        if layer is None or layer < 0:
            found["no layer", layer or 0, time] = alive
            continue
        if layer < period:
            found["first", layer, time] = alive
        if layers - layer <= period + layers % period:
            found["last", layers - layer, time] = alive
    return found


def _simulated(layers: int, few: _Run, more: _Run) -> Simulated:
    static = _on_line(layers, few, more, few.static, more.static)
    card, kept = _highest(layers, few, more, "card", static)
    host, _ = _highest(layers, few, more, "host", {})
    step = {place: held for place, held in card.items() if place not in static}
    components: Counter[str] = Counter()
    for place, held in static.items():
        components[place.where] += held
    return Simulated(
        static_bytes=sum(static.values()),
        peak_bytes=sum(card.values()),
        host_bytes=sum(host.values()),
        components={**components, "kept activations": kept, "working set": sum(step.values()) - kept},
        at_peak={f"{p.where}: {p.what}": held for p, held in sorted(step.items(), key=lambda item: -item[1])},
    )


def _highest(layers: int, few: _Run, more: _Run, memory: Memory, static: Alive) -> tuple[Alive, int]:
    """What is alive at the peak, and how much of it beyond the static parts comes of the number of layers."""
    before, after = few.moments[memory], more.moments[memory]
    assert before.keys() == after.keys(), "the step does not treat its layers alike"
    lines = {moment: _on_line(layers, few, more, before[moment], after[moment]) for moment in before}
    highest = max(lines, key=lambda moment: sum(lines[moment].values()))
    grown = sum(held - before[highest].get(place, 0) for place, held in after[highest].items() if place not in static)
    return lines[highest], grown * layers // (more.layers - few.layers) if few is not more else 0


def _on_line(layers: int, few: _Run, more: _Run, before: Alive, after: Alive) -> Alive:
    """What is alive with `layers` layers, if it was `before` with few and `after` with more."""
    if few is more:
        return before
    ahead, apart = layers - more.layers, more.layers - few.layers
    places = [*after, *(place for place in before if place not in after)]
    line = {p: after.get(p, 0) + (after.get(p, 0) - before.get(p, 0)) * ahead // apart for p in places}
    return {place: held for place, held in line.items() if held}
