"""The whole answer to "will it fit?": a run and a card become what it holds, and what to change if it does not fit.

    settings, model ── run_of ──> Run ──┬── account ──> peak by kind, host memory
    card ── card_memory ──> usable ─────┼── climb ────> the ladder, and settings to paste
    example lengths ────────────────────┘── notes ───> what people should know

No torch, no weights, no download.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pipeline.card import gib, machine_memory
from pipeline.memory.account import Account, account
from pipeline.memory.rules import Rule, rule_of_thumb
from pipeline.memory.run import Method, Optimizer, Run
from pipeline.memory.shape import Shape
from pipeline.planner.lengths import Lengths
from pipeline.planner.machine import CardMemory
from pipeline.planner.rungs import Ground, Rung, Value, climb, inputs_bytes, longest_tokens, sliced_rows
from pipeline.settings import Settings
from pipeline.training.schedule import in_parts_beyond, schedule_of

_ROUND_TOKENS = 100  # longest lengths are told so: the formula is no more exact


@dataclass(frozen=True)
class Plan:
    """What was asked, and the answer.

    Attributes:
        run: what is trained, as asked.
        memory: the card's.
        ground: what the ladder was climbed from.
        rungs: the ladder; empty if the run fits as it is.
    """

    run: Run
    memory: CardMemory
    ground: Ground
    rungs: tuple[Rung, ...]

    @cached_property
    def account(self) -> Account:
        """What the run holds, as asked."""
        return account(self.run)

    @property
    def fits(self) -> bool:
        """Does the run fit, as asked, on the card?"""
        return self.account.peak_bytes <= self.memory.usable_bytes

    @property
    def left_bytes(self) -> int:
        """What of the usable memory is left; below 0: what is missing."""
        return self.memory.usable_bytes - self.account.peak_bytes

    @cached_property
    def longest_tokens(self) -> int:
        """The longest example that fits with all else as asked: whole, or in parts where the settings have it so."""
        run, training, host_free = self.run, self.ground.settings.training, self.ground.host_free_bytes
        beyond = in_parts_beyond(training)
        if beyond is None or run.batch > 1 or run.method == "full":
            return longest_tokens(run, self.ground) // _ROUND_TOKENS * _ROUND_TOKENS
        schedule = run.schedule or schedule_of(training, inputs_bytes(run.shape, run.tokens), host_free)
        longest = longest_tokens(replace(run, schedule=schedule), self.ground)
        if longest <= beyond:  # of such a length, examples are computed whole
            longest = min(beyond, longest_tokens(replace(run, schedule=None), self.ground))
        return longest // _ROUND_TOKENS * _ROUND_TOKENS

    @cached_property
    def token_bytes(self) -> float:
        """What the peak grows by for each further token of the longest example."""
        more = max(1, self.run.tokens // 10)
        return (account(replace(self.run, tokens=self.run.tokens + more)).peak_bytes - self.account.peak_bytes) / more

    @property
    def taken(self) -> list[Rung]:
        """The rungs of the first combination that fits, or all that can be taken."""
        return [rung for rung in self.rungs if not rung.step.not_taken]

    @property
    def final(self) -> Run | None:
        """The first combination that fits; None: none does."""
        if self.fits:
            return self.run
        return self.taken[-1].step.run if self.taken and self.taken[-1].fits else None

    @property
    def settings(self) -> dict[str, Value]:
        """What to set so that it fits, by the setting's full name; empty if it fits as it is, or nothing helps."""
        if self.fits or self.final is None:
            return {}
        return {name: value for rung in self.taken for name, value in rung.step.settings.items()}

    @property
    def rule(self) -> Rule:
        """What the rule of thumb says of this model and method."""
        return rule_of_thumb(self.run.method, self.run.shape.parameters, master_weights=self.run.master_weights)

    @property
    def host_warning(self) -> str:
        """That the machine's memory is too small for what waits there; empty if it is not."""
        needed = self.account.host_bytes
        if needed <= self.ground.host_free_bytes:
            return ""
        return (
            f"{gib(needed)} wait in the machine's memory meanwhile, and {gib(self.ground.host_free_bytes)} are free: "
            "leave training.keep_every at 0, and fewer layers' inputs are kept there."
        )


def run_of(
    settings: Settings,
    shape: Shape,
    *,
    tokens: int | None = None,
    method: Method = "qlora",
    batch: int = 1,
    rank: int | None = None,
    host_free_bytes: int | None = None,
) -> Run:
    """What training by these settings holds in memory at once: its longest example.

    Args:
        tokens: prompt and target together; by default the longest that the settings allow.
        batch: examples computed at once. Memoria computes one; other programs may not.
        host_free_bytes: of the machine's memory, for layers' inputs; by default what is free now.
    """
    training = settings.training
    tokens = tokens or training.longest_tokens
    beyond = in_parts_beyond(training)
    schedule = None
    if beyond is not None and tokens > beyond and batch == 1 and method != "full":
        free = machine_memory()[1] if host_free_bytes is None else host_free_bytes
        schedule = schedule_of(training, inputs_bytes(shape, tokens), free)
    optimizer: Optimizer = "paged_adamw_8bit" if training.optimizer == "auto" else training.optimizer
    if settings.vocabulary.slice:
        shape = replace(shape, vocabulary=sliced_rows(shape))
    return Run(
        shape=shape,
        method=method,
        tokens=tokens,
        batch=batch,
        rank=rank or training.rank,
        targets=None if settings.corpus.whole_reports else min(tokens, settings.corpus.longest_target_tokens),
        checkpointing=training.gradient_checkpointing,
        schedule=schedule,
        optimizer=optimizer,
    )


def plan_run(
    run: Run,
    memory: CardMemory,
    settings: Settings,
    *,
    lengths: Lengths | None = None,
    host_free_bytes: int | None = None,
) -> Plan:
    """Will this run fit on this card, and if not, what would?

    Args:
        lengths: of the user's own examples.
        host_free_bytes: of the machine's memory; by default what is free now.
    """
    free = machine_memory()[1] if host_free_bytes is None else host_free_bytes
    ground = Ground(memory.usable_bytes, free, lengths, settings)
    fits = account(run).peak_bytes <= memory.usable_bytes
    return Plan(run, memory, ground, () if fits else tuple(climb(run, ground)))


def document(plan: Plan) -> dict[str, Any]:
    """The plan as `memoria plan --json` prints it; bytes throughout."""
    run, found = plan.run, plan.account
    return {
        "fits": plan.fits,
        "model": run.shape.name,
        "card": plan.memory.name,
        "method": run.method,
        "context_tokens": run.tokens,
        "vocabulary_rows": run.shape.vocabulary,
        "usable_bytes": plan.memory.usable_bytes,
        "peak_bytes": found.peak_bytes,
        "left_bytes": plan.left_bytes,
        "host_bytes": found.host_bytes,
        "components": found.components,
        "ladder": [_rung(rung) for rung in plan.rungs],
        "longest_context_tokens": plan.longest_tokens,
        "settings": plan.settings,
        "rule_of_thumb_bytes": [plan.rule.low_bytes, plan.rule.high_bytes],
        "origin": list(plan.memory.origin),
    }


def _rung(rung: Rung) -> dict[str, Any]:
    return {
        "change": rung.step.change,
        "settings": rung.step.settings,
        "peak_bytes": rung.peak_bytes,
        "gain_bytes": rung.gain_bytes,
        "fits": rung.fits,
        "not_taken": rung.step.not_taken or None,
        "why": rung.step.why,
    }
