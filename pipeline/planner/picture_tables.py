"""Tables of an answer for the browser: components, the ladder, cards with their cost, formats to serve in."""

from collections.abc import Iterable
from html import escape

from pipeline.card import gib
from pipeline.planner.answer import Answer
from pipeline.planner.picture_charts import kind_class
from pipeline.planner.plan import Plan
from pipeline.planner.rent import Rent
from pipeline.planner.rungs import Rung
from pipeline.planner.serving import ServingPlan
from pipeline.planner.told import duration, kind_of

_SHOWN_CARDS = 6


def size(count: int) -> str:
    """Bytes in GiB, or in MiB where they are few."""
    return gib(count) if count >= 2**30 // 10 else f"{count / 2**20:.0f} MiB"


def components(plan: Plan) -> str:
    """What takes the memory: the legend of the bar, and its figures."""
    peak = max(1, plan.account.peak_bytes)
    rows = "".join(
        f'<tr><td><i class="swatch {kind_class(kind_of(name).name)}"></i>{escape(name)}</td>'
        f'<td class="n">{size(count)}</td><td class="n faint">{_share(count / peak)}</td></tr>'
        for name, count in plan.account.components.items()
        if count >= 2**20
    )
    total = f'<tr class="sum"><td>at the peak</td><td class="n">{size(plan.account.peak_bytes)}</td><td></td></tr>'
    return f'<table class="legend">{rows}{total}</table>'


def _share(share: float) -> str:
    return f"{share:.0%}" if share >= 0.005 else "&lt;1%"


def ladder(plan: Plan) -> str:
    """What to change, the first things first: what each frees, and where the peak is then."""
    whole = max(plan.account.peak_bytes, plan.memory.usable_bytes, 1)
    first = _row(plan, whole, "as asked", "", plan.account.peak_bytes, "", "")
    return f'<div class="ladder">{first}{"".join(_rung(plan, whole, rung) for rung in plan.rungs)}</div>'


def _rung(plan: Plan, whole: int, rung: Rung) -> str:
    step, frees = rung.step, f"−{size(rung.gain_bytes)}"
    if step.not_taken:
        return _row(plan, whole, step.change, f"not taken: {step.not_taken}", rung.peak_bytes, frees, "not-taken")
    return _row(plan, whole, step.change, step.why, rung.peak_bytes, frees, "fits" if rung.fits else "")


def _row(plan: Plan, whole: int, change: str, why: str, peak_bytes: int, frees: str, state: str) -> str:
    limit = 100 * plan.memory.usable_bytes / whole
    track = f'<i style="width:{100 * peak_bytes / whole:.2f}%"></i><b style="left:{limit:.2f}%"></b>'
    said = {"fits": "fits", "not-taken": "not taken"}.get(state, "")
    return (
        f'<div class="rung {state}"><div><strong>{escape(change)}</strong>'
        f'<span class="faint">{escape(why)}</span></div>'
        f'<span class="track">{track}</span><span class="n">{frees}</span><span class="n">{size(peak_bytes)}</span>'
        f'<span class="state">{said}</span></div>'
    )


def cards(rents: tuple[Rent, ...]) -> str:
    """Cards that do, the cheapest first; those beyond the first few can be opened."""
    if not rents:
        return ""
    priced = any(rent.cost is not None for rent in rents)
    shown, more = rents[:_SHOWN_CARDS], rents[_SHOWN_CARDS:]
    rest = f"<details><summary>{len(more)} more</summary>{_cards(more, priced)}</details>" if more else ""
    return _cards(shown, priced) + rest


def _cards(rents: Iterable[Rent], priced: bool) -> str:
    heads = ["card", "memory", "a run", "in all"] + ["by the hour", "by the month", "month cheaper from"] * priced
    return _table("cards", heads, (_card(rent, priced) for rent in rents))


def _card(rent: Rent, priced: bool) -> list[str]:
    cells = [rent.card.name, gib(rent.card.total_bytes), duration(rent.hours_a_run), duration(rent.hours)]
    if not priced:
        return cells
    from_hours = rent.break_even_hours
    break_even = f"{from_hours:,.0f} hours a month" if from_hours else "–"
    return [*cells, _money(rent.by_the_hour), _money(rent.by_the_month), break_even]


def _money(cost: float | None) -> str:
    return "–" if cost is None else f"{cost:,.2f}"


def serving(found: Answer) -> str:
    """A row for each format of weights, and what it needs."""
    heads = ["weights", "they take", "cache", "a token", "texts at once", "tokens a second", ""]
    return _table("serving", heads, (_format(plan, found.served) for plan in found.serving))


def _format(plan: ServingPlan, chosen: ServingPlan | None) -> list[str]:
    speed = f"≤ {plan.tokens_per_second:.0f}" if plan.tokens_per_second else "–"
    state = "recommended" if plan is chosen else "fits" if plan.fits else "does not fit"
    cache, token = size(plan.kv_cache_bytes), f"{plan.kv_token_bytes / 1024:.0f} KiB"
    return [plan.format.name, gib(plan.weights_bytes), cache, token, str(plan.sequences), speed, state]


def _table(name: str, heads: list[str], rows: Iterable[list[str]]) -> str:
    """A table whose first column is words and the others figures; all is escaped."""
    head = "".join(f"<th{_side(place)}>{escape(said)}</th>" for place, said in enumerate(heads))
    body = "".join(
        "<tr>" + "".join(f"<td{_side(place)}>{escape(cell)}</td>" for place, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll"><table class="{name}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _side(place: int) -> str:
    return ' class="n"' if place else ""
