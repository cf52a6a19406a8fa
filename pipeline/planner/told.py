"""A plan told to a person at a terminal: one sentence, a stacked bar, what takes the memory, what to change.

Qwen/Qwen3-8B, QLoRA of rank 16, 24,576 tokens, on RTX 4080: it fits. 5.9 of 14.7 GiB, 8.8 GiB are left.
████████▓▓▒▒▒▒▒▒░░░░░░░░░░░░░░░░░░░░░░░│          usable up to the line
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.card import gib
from pipeline.planner.answer import Answer
from pipeline.planner.cost import RunCost
from pipeline.planner.plan import Plan
from pipeline.planner.rungs import Value
from pipeline.planner.serving import ServingPlan

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

METHODS = {"qlora": "QLoRA", "lora": "LoRA", "full": "full fine-tuning"}
_BAR_CELLS = 60


@dataclass(frozen=True)
class Kind:
    """Components that are shown as one, with their colour on white, on black, and in a terminal."""

    name: str
    components: frozenset[str]
    light: str
    dark: str
    terminal: str


KINDS = (
    Kind("weights", frozenset(), "#3568b8", "#7aa7f0", "blue"),  # all that no other kind names
    Kind("embedding and head", frozenset({"embedding", "head"}), "#0b6e6e", "#5cc4c0", "cyan"),
    Kind(
        "adapter, gradients, optimiser",
        frozenset({"adapter", "gradients", "optimiser", "master weights"}),
        "#8a4fb0",
        "#c79be8",
        "magenta",
    ),
    Kind("kept activations", frozenset({"kept activations"}), "#c2560c", "#ff9d5c", "red"),
    Kind("working set", frozenset({"working set", "workspace of matrix products"}), "#b58900", "#e0b84c", "yellow"),
)


def kind_of(component: str) -> Kind:
    """The kind that a component is shown as."""
    return next((kind for kind in KINDS if component in kind.components), KINDS[0])


def by_kind(plan: Plan) -> list[tuple[Kind, int]]:
    """The run's bytes by kind, in the order of a stacked bar; kinds that hold nothing are left out."""
    held = dict.fromkeys(KINDS, 0)
    for component, count in plan.account.components.items():
        held[kind_of(component)] += count
    return [(kind, count) for kind, count in held.items() if count]


def question(plan: Plan) -> str:
    """What was asked, in few words."""
    run = plan.run
    how = METHODS[run.method] + (f" of rank {run.rank}" if run.method != "full" else "")
    batch = f", {run.batch} at once" if run.batch > 1 else ""
    rows = f"{run.shape.vocabulary:,} rows of vocabulary"
    return f"{run.shape.name} with {rows}, {how}, {run.tokens:,} tokens{batch}, on {plan.memory.name}"


def verdict(plan: Plan) -> str:
    """Does it fit, and by how much."""
    peak, usable = gib(plan.account.peak_bytes), gib(plan.memory.usable_bytes)
    if plan.fits:
        return f"it fits. {peak} of {usable} are taken at the peak, {gib(plan.left_bytes)} are left."
    return (
        f"it does not fit. {peak} are needed at the peak, and {usable} can be used: {gib(-plan.left_bytes)} too much."
    )


def bar(plan: Plan) -> "Text":
    """The stacked bar: a colour for each kind, and a line where the usable memory ends."""
    from rich.text import Text

    whole = max(plan.account.peak_bytes, plan.memory.usable_bytes)
    text, done = Text(), 0
    limit = round(_BAR_CELLS * plan.memory.usable_bytes / whole)
    cells: list[tuple[str, str]] = []
    for kind, count in by_kind(plan):
        until = round(_BAR_CELLS * (done + count) / whole)
        cells += [("█", kind.terminal)] * (until - len(cells))
        done += count
    cells += [("░", "dim")] * (_BAR_CELLS - len(cells))
    cells.insert(limit, ("│", "bold"))
    for mark, style in cells:
        text.append(mark, style=style)
    return text


def parts(plan: Plan) -> "Table":
    """What takes the memory, by component, with its kind's colour."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column("", width=1)
    table.add_column("what")
    table.add_column("GiB", justify="right")
    for name, count in plan.account.components.items():
        if count >= 1 << 20:
            table.add_row(f"[{kind_of(name).terminal}]█[/]", name, gib(count))
    return table


def ladder(plan: Plan) -> "Table":
    """What to change, in order: what each frees, and whether it fits then."""
    from rich.table import Table

    table = Table(title="What to change, the first things first", title_justify="left")
    table.add_column("change")
    for heading in ("frees", "peak then"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for rung in plan.rungs:
        told = f"not taken: {rung.step.not_taken}" if rung.step.not_taken else "fits" if rung.fits else rung.step.why
        table.add_row(rung.step.change, gib(rung.gain_bytes), gib(rung.peak_bytes), told)
    return table


def remedy(plan: Plan) -> str:
    """What comes of the ladder."""
    if plan.final is None:
        return "No combination fits: choose a larger card or a smaller model."
    if not plan.settings:
        return "Memoria trains so by itself: there is nothing to set."
    return "The first combination that fits, for memoria.toml:"


def settings_lines(settings: dict[str, Value]) -> Iterator[str]:
    """Settings as lines of memoria.toml, the tables after what stands in none."""
    top = {name: value for name, value in settings.items() if "." not in name}
    for name, value in top.items():
        yield f"{name} = {_toml(value)}"
    for table in dict.fromkeys(name.split(".")[0] for name in settings if name not in top):
        yield f"[{table}]"
        for name, value in settings.items():
            if name.startswith(f"{table}."):
                yield f"{name.partition('.')[2]} = {_toml(value)}"


def longest(plan: Plan) -> str:
    """How long an example may be: for the card, and for the model."""
    made_for = plan.run.shape.positions
    beyond = f", and the model was made for {made_for:,}" if made_for and made_for < plan.longest_tokens else ""
    return f"The longest example that fits: {plan.longest_tokens:,} tokens{beyond}."


def lines(plan: Plan) -> Iterator[str]:
    """What follows the bar: how far it goes, what waits elsewhere, and where the figures come from."""
    if plan.longest_tokens:
        yield longest(plan)
    if plan.account.host_bytes:
        yield f"In the machine's own memory meanwhile: {gib(plan.account.host_bytes)}."
    low, high = plan.rule.low_bytes, plan.rule.high_bytes
    said = f"{low / 1e9:.0f} GB" if low == high else f"{low / 1e9:.0f} to {high / 1e9:.0f} GB"
    yield f"The rule of thumb, which knows no lengths: {said}."
    yield from plan.memory.origin


def further(found: Answer) -> Iterator[str]:
    """What follows from the plan: time and energy, cards, serving, and what people should know."""
    if found.cost:
        yield one_run(found.examples, found.cost)
    yield f"To train it: {found.training.sentence}"
    served = found.served
    if served:
        speed = f", at most {served.tokens_per_second:.0f} tokens a second" if served.tokens_per_second else ""
        yield (f"To serve it on {found.plan.memory.name}: {served.format.name}, {texts_at_once(served)}{speed}.")
        yield f"vllm serve BASE {' '.join(served.flags)}"
        yield from served.notes
    else:
        yield f"It cannot be served on {found.plan.memory.name} with {found.settings.serve.max_model_len:,} tokens."
    yield f"To serve it in bfloat16: {found.servers.sentence}"
    yield from found.warnings
    yield from found.cautions


def one_run(examples: str, cost: RunCost) -> str:
    """Time and energy of a run."""
    energy = f"{cost.kilowatt_hours:.1f} kWh" if cost.kilowatt_hours >= 0.1 else f"{1000 * cost.kilowatt_hours:.0f} Wh"
    return f"One run over {examples}: about {duration(cost.hours)} and {energy}. {cost.sentence}"


def duration(hours: float) -> str:
    """Hours as a person reads them."""
    return f"{hours:,.1f} hours" if hours >= 1 else f"{60 * hours:.0f} minutes"


def texts_at_once(served: ServingPlan) -> str:
    """How many texts of full length are served at a time."""
    texts = "one text" if served.sequences == 1 else f"{served.sequences} texts"
    return f"{texts} of {served.max_model_len:,} tokens at a time"


def _toml(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
