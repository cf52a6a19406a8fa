"""All that `memoria plan` and the page answer: does it fit, what does a run take, which card is cheapest, how to serve.

Question ── plan ──> Plan ── cost ──> hours, kWh ── rent ──> the cheapest card that trains it
    └────── serving ──> a plan for each format of weights, the best that fits, the cheapest card that serves it
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pipeline.memory.account import account
from pipeline.memory.run import Method, Run
from pipeline.memory.shape import read_shape
from pipeline.planner import plan as planning
from pipeline.planner.cards import ListedCard, read_cards
from pipeline.planner.cautions import (
    download_caution,
    forgetting_caution,
    knowledge_caution,
    language_caution,
    margin_caution,
)
from pipeline.planner.cost import UTILISATION, RunCost, forwards, run_cost, run_flops
from pipeline.planner.lengths import Lengths, limit_warning
from pipeline.planner.machine import card_memory, listed_memory
from pipeline.planner.plan import Plan, plan_run, run_of
from pipeline.planner.rent import HOURS_A_MONTH, Choice, Rent, choose
from pipeline.planner.serving import BFLOAT16, ServingPlan, plan_serving, serving_plans
from pipeline.settings import Settings

EXAMPLES_ASSUMED = 100
"""Of the run's length, where there are no examples yet."""


@dataclass(frozen=True)
class Question:
    """What is asked; None: as the settings or this machine have it.

    Attributes:
        model: as in `--model`.
        card: a name of cards.toml, or GB.
        context: tokens of the longest example.
        batch: examples computed at once.
        runs, months: how often the project trains, and in what time.
        utilisation: share of a card's rate that a run gets.
    """

    model: str
    card: str | None = None
    context: int | None = None
    method: Method = "qlora"
    batch: int = 1
    rank: int | None = None
    runs: int = 1
    months: float = 1
    utilisation: float = UTILISATION


@dataclass(frozen=True)
class Answer:
    """The plan, and what follows from it.

    Attributes:
        lengths: of the user's own examples; None: there are none.
        cards: those that may be rented.
    """

    question: Question
    settings: Settings
    plan: Plan
    lengths: Lengths | None
    cards: Sequence[ListedCard]

    @property
    def trained(self) -> Run:
        """What is costed: the run as asked, or the first combination that fits."""
        return self.plan.final or self.plan.run

    @cached_property
    def flops(self) -> float:
        """Operations of one run: of the user's own examples, or of so many of the run's length."""
        run, training = self.trained, self.settings.training
        lengths = self.lengths.tokens if self.lengths else [run.tokens] * EXAMPLES_ASSUMED
        again = forwards(checkpointing=run.checkpointing, keep_every=run.schedule.keep_every if run.schedule else 1)
        return run_flops(
            run.shape,
            lengths,
            epochs=training.epochs,
            forwards=again,
            train_weights=run.method == "full",
            targets=run.targets or run.tokens,
        )

    @property
    def examples(self) -> str:
        """Which examples are costed."""
        if self.lengths:
            return f"your {len(self.lengths.tokens):,} examples"
        return f"{EXAMPLES_ASSUMED} examples of {self.trained.tokens:,} tokens"

    @cached_property
    def cost(self) -> RunCost | None:
        """Time and energy of one run on the card asked for; None: the card is not listed, or has no bfloat16."""
        listed = self.plan.memory.listed
        return run_cost(self.flops, listed, utilisation=self.question.utilisation) if listed else None

    @cached_property
    def training(self) -> Choice:
        """The cards on which this run fits, the cheapest first."""
        peak = account(self.trained).peak_bytes

        def fits(card: ListedCard) -> bool:
            return card.has_bfloat16 and peak <= listed_memory(card).usable_bytes

        def hours(card: ListedCard) -> float | None:
            cost = run_cost(self.flops, card, utilisation=self.question.utilisation)
            return cost.hours if cost else None

        return choose(self.cards, fits, hours, runs=self.question.runs, months=self.question.months)

    @property
    def _served_as(self) -> dict[str, Any]:
        return {"max_model_len": self.settings.serve.max_model_len, "rank": self.trained.rank}

    @cached_property
    def serving(self) -> list[ServingPlan]:
        """How the model is served on the card asked for, a plan for each format of weights."""
        return serving_plans(self.trained.shape, self.plan.memory, **self._served_as)

    @property
    def served(self) -> ServingPlan | None:
        """The format that changes the weights least of those that fit; None: none fits."""
        return next((plan for plan in self.serving if plan.fits), None)

    @cached_property
    def servers(self) -> Choice:
        """The cards that serve the model in bfloat16 all the time, the cheapest first."""

        def fits(card: ListedCard) -> bool:
            return plan_serving(self.trained.shape, listed_memory(card), BFLOAT16, **self._served_as).fits

        hours = HOURS_A_MONTH * self.question.months
        return choose(self.cards, fits, lambda _: hours, months=self.question.months)

    @property
    def warnings(self) -> list[str]:
        """What may go wrong with this very run."""
        plan = self.plan
        near = margin_caution(plan.account.peak_bytes, plan.memory.usable_bytes, bytes_a_token=plan.token_bytes)
        longer = limit_warning(self.lengths, plan.run.tokens) if self.lengths else None
        return [warning for warning in (plan.host_warning, longer, near) if warning]

    @property
    def cautions(self) -> list[str]:
        """What people should know before they train at all."""
        method, download = self.plan.run.method, 2 * read_shape(self.question.model).parameters
        said = (
            download_caution(download, self.plan.account.peak_bytes),
            knowledge_caution(method),
            language_caution(method, "a language that it does not know"),
            forgetting_caution(method),
        )
        return [caution for caution in said if caution]


def answer(
    question: Question, settings: Settings, lengths: Lengths | None = None, *, host_free_bytes: int | None = None
) -> Answer:
    """Answer a question by the settings in force; nothing is downloaded, and torch is not imported.

    Args:
        lengths: of the user's own examples; None: there are none.
        host_free_bytes: of the machine's memory; by default what is free now.

    Raises:
        UserError: the model or the card is not known.
    """
    cards = read_cards()
    memory = card_memory(question.card, cards)
    run = run_of(
        settings,
        read_shape(question.model),
        tokens=question.context,
        method=question.method,
        batch=question.batch,
        rank=question.rank,
        host_free_bytes=host_free_bytes,
    )
    plan = plan_run(run, memory, settings, lengths=lengths, host_free_bytes=host_free_bytes)
    return Answer(question, settings, plan, lengths, cards)


def document(found: Answer) -> dict[str, Any]:
    """The answer as `memoria plan --json` prints it."""
    cost, served = found.cost, found.served
    return {
        **planning.document(found.plan),
        "run": {
            "examples": found.examples,
            "flops": found.flops,
            "utilisation": cost.utilisation if cost else None,
            "hours": cost.hours if cost else None,
            "kilowatt_hours": cost.kilowatt_hours if cost else None,
        },
        "training_cards": [_rent(rent) for rent in found.training.rents],
        "serving": _served(served) if served else None,
        "serving_cards": [_rent(rent) for rent in found.servers.rents],
        "warnings": found.warnings,
        "cautions": found.cautions,
    }


def _rent(rent: Rent) -> dict[str, Any]:
    return {
        "card": rent.card.name,
        "hours": rent.hours,
        "cost": rent.cost,
        "by_the_hour": rent.by_the_hour,
        "by_the_month": rent.by_the_month,
        "break_even_hours": rent.break_even_hours,
    }


def _served(plan: ServingPlan) -> dict[str, Any]:
    return {
        "format": plan.format.name,
        "weights_bytes": plan.weights_bytes,
        "adapters_bytes": plan.adapters_bytes,
        "kv_token_bytes": plan.kv_token_bytes,
        "kv_cache_bytes": plan.kv_cache_bytes,
        "max_model_len": plan.max_model_len,
        "sequences": plan.sequences,
        "tokens_per_second": plan.tokens_per_second,
        "gpu_memory_utilization": plan.gpu_memory_utilization,
        "flags": list(plan.flags),
    }
