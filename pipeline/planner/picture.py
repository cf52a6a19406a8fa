"""An answer of the planner for the browser: a page that refers to nothing outside it, and runs nothing.

    verdict     does it fit, in large words; what may go wrong
    memory      the stacked bar and its figures
    ladder      what to change, if it does not fit, and the settings to paste
    length      the peak against the length of an example
    examples    the user's own lengths against the limit
    project     time, energy, cards and what they cost
    serving     a plan for each format of weights, and the flags

`fragment` is the body alone, for a page that has picture.css already: the app shows it.
"""

from collections.abc import Iterable
from html import escape
from importlib.resources import files

from pipeline.pages import one_file_page
from pipeline.planner import picture_charts as charts
from pipeline.planner import picture_tables as tables
from pipeline.planner import told
from pipeline.planner.answer import Answer
from pipeline.planner.plan import Plan
from pipeline.planner.told import KINDS


def page_of(found: Answer) -> str:
    """The page, as HTML."""
    title = escape(f"Will it fit? {told.question(found.plan)}")
    return one_file_page(title, style(), fragment(found))


def style() -> str:
    """The style of a fragment: all in it stands below the class `memory-plan`."""
    colours = "".join(
        f".memory-plan .{charts.kind_class(kind.name)}{{--c:light-dark({kind.light},{kind.dark})}}" for kind in KINDS
    )
    return (files("pipeline.planner") / "picture.css").read_text("utf-8") + colours


def fragment(found: Answer) -> str:
    """The answer as one element.

    Raises:
        UserError: vLLM serves no adapter of this rank.
    """
    plan = found.plan
    takes = (_memory(plan), _changes(plan), _curve(plan), _examples(found))
    follows = (_project(found), _serving(found), _advice(found))
    state = "fits" if plan.fits else "too-large"
    return f'<article class="memory-plan {state}">{_verdict(found)}{"".join(takes + follows)}</article>'


def _verdict(found: Answer) -> str:
    plan = found.plan
    said, _, figures = told.verdict(plan).partition(". ")
    hope = f"<p>{escape(_outlook(plan))}</p>" if plan.rungs else ""
    return (
        f'<header><p class="faint">{escape(told.question(plan))}</p><h1>{escape(said.capitalize())}.</h1>'
        f'<p class="figures">{escape(figures)}</p>{hope}{_list("warnings", found.warnings)}</header>'
    )


def _outlook(plan: Plan) -> str:
    """What the ladder comes to, in a sentence."""
    if plan.final is None:
        return told.remedy(plan)
    models = [rung for rung in plan.taken if "model" in rung.step.settings]
    changes = (rung.step.change for rung in plan.taken if rung not in models[:-1])  # each model replaces the one before
    return f"It fits with {', '.join(changes)}: {tables.size(plan.taken[-1].peak_bytes)} at the peak."


def _memory(plan: Plan) -> str:
    return (
        f'<section><h2>What takes the memory</h2>{charts.bar(plan)}<div class="beside">{tables.components(plan)}'
        f"{_list('notes', told.lines(plan))}</div></section>"
    )


def _curve(plan: Plan) -> str:
    return f"<section><h2>Memory by length of the longest example</h2>{charts.curve(plan)}</section>"


def _changes(plan: Plan) -> str:
    if not plan.rungs:
        return ""
    lines = "\n".join(told.settings_lines(plan.settings))
    paste = f'<pre class="paste">{escape(lines)}</pre>' if lines else ""
    return (
        f"<section><h2>What to change, the first things first</h2>{tables.ladder(plan)}"
        f"<p>{escape(told.remedy(plan))}</p>{paste}</section>"
    )


def _examples(found: Answer) -> str:
    if found.lengths is None:
        return ""
    limit, lengths = found.plan.run.tokens, found.lengths
    about = "about " if lengths.estimated else ""
    within = (
        f"{len(lengths.tokens):,} examples: half of them have at most {about}{lengths.quantile(0.5):,} tokens, nine in "
        f"ten at most {lengths.quantile(0.9):,}, the longest {lengths.longest:,}. The limit is {limit:,}."
    )
    drawn = charts.histogram(lengths, limit)
    return f"<section><h2>How long your own examples are</h2><p>{escape(within)}</p>{drawn}</section>"


def _project(found: Answer) -> str:
    runs, months = found.question.runs, found.question.months
    said = told.one_run(found.examples, found.cost) if found.cost else ""
    project = f"{runs:,} {'run' if runs == 1 else 'runs'} in {months:g} {'month' if months == 1 else 'months'}."
    return (
        f"<section><h2>Time, energy and cards</h2>{_paragraph(said)}"
        f"<p>{project} {escape(found.training.sentence)}</p>{tables.cards(found.training.rents)}</section>"
    )


def _serving(found: Answer) -> str:
    served, card = found.served, found.plan.memory.name
    if served is None:
        said = f"It cannot be served on {card} with {found.settings.serve.max_model_len:,} tokens."
        how = ""
    else:
        said = f"On {card}: {served.format.name}, {told.texts_at_once(served)}."
        flags = escape(" ".join(served.flags))
        how = f'<pre class="paste">vllm serve BASE {flags}</pre>{_list("notes", served.notes)}'
    return (
        f"<section><h2>To serve it</h2><p>{escape(said)}</p>{tables.serving(found)}{how}"
        f"<p>All the time, in bfloat16: {escape(found.servers.sentence)}</p></section>"
    )


def _advice(found: Answer) -> str:
    return f"<section><h2>Before you begin</h2>{_list('notes', found.cautions)}</section>" if found.cautions else ""


def _paragraph(said: str) -> str:
    return f"<p>{escape(said)}</p>" if said else ""


def _list(name: str, lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line[:1].upper() + line[1:])}</li>" for line in lines)
    return f'<ul class="{name}">{items}</ul>' if items else ""
