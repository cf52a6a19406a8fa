"""Figures of a text: numbers, percentages and amounts with their units, the digits they are written with, and what the
words around them are about.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import cache
from typing import Literal, NamedTuple

from pipeline.facts import Fact
from pipeline.facts.words import CURRENCY
from pipeline.faithfulness.layout import Layout
from pipeline.faithfulness.words import bare, stems

UNKNOWN_CURRENCY = "?"
_UNITS = (
    "h hora hores horas hour hours",
    "min minut minuts minuto minutos minute minutes",
    "dia dies dias day days",
    "setmana setmanes semana semanas week weeks",
    "mes mesos meses month months",
    "any anys ano anos year years",
    "km quilometre quilometres kilometro kilometros kilometre kilometres",
    "m metre metres metro metros meter meters",
    "cm", "mm",
    "kg quilo quilos kilo kilos kilogram kilograms",
    "g gram grams gramo gramos",
    "t tona tones tonne tonnes tonelada toneladas",
    "l litre litres litro litros liter liters",
    "ha hectarea hectarees hectareas hectare hectares",
    "m2", "m3", "km2", "kw kwp", "kwh", "mw", "mwh", "gb", "tb",
    "dona dones mujer mujeres woman women", "home homes hombre hombres man men",
)  # fmt: skip
UNIT = {word: words.split()[0] for words in _UNITS for word in words.split()}
_SIZES: tuple[dict[str, Decimal], ...] = (  # of units that measure the same thing
    {"cm": Decimal("0.01"), "m": Decimal(1), "km": Decimal(1000), "mm": Decimal("0.001")},
    {"g": Decimal("0.001"), "kg": Decimal(1), "t": Decimal(1000)},
    {"kwh": Decimal(1), "mwh": Decimal(1000)},
    {"kw": Decimal(1), "mw": Decimal(1000)},
    {"m2": Decimal(1), "ha": Decimal(10_000), "km2": Decimal(1_000_000)},
)
_MONEY_WORDS = re.compile(
    r"\b(?:import|importe|amount|pressupost|presupuesto|budget|cost|costos|coste|costes|costs|despes|gast|expens"
    r"|expenditure|subvenci|grant|ajut|ayuda|finan[cç]|funding|concedi|awarded|executat|ejecutado|spent|spending"
    r"|justifica|ingress?o|income|preu|precio|price|salari|salary)\w{0,6}",
    re.IGNORECASE,
)
_CURRENCY_SIGN = re.compile(
    r"[€$£¥]|\b(?:EUR|USD|GBP|CHF|euros?|d[oòó]lars?|d[oó]lares|dollars|pounds)\b", re.IGNORECASE
)
_NEXT_WORDS = re.compile(r"[ \u00a0\u2009\u202f]?([^\W\d_]+[23²³]?)(?!['’])(?:[ \u00a0]([^\W\d_]+)(?!['’]))?")
_AMBIGUOUS = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")
_STANDS_ALONE = re.compile(
    r"[ \t*_]*(?:$|[|.,;:)\]\n–/]|(?:a|al|amb|and|at|by|com|con|de|del|dels|des|el|els|en|entre|for|from|i|in|la|las"
    r"|les|los|o|of|on|or|para|per|por|que|to|were|was|with|y)(?!\w))",
    re.IGNORECASE,
)
_TO = re.compile(r"[ \u00a0]?(?:[-–/,]|a|al|i|y|e|o|u|and|to|or|fins a|hasta)?[ \u00a0]?")
_HEDGES: dict[str, tuple[str, ...]] = {
    "about": ("unes", "uns", "prop de", "al voltant de", "a l'entorn de", "aproximadament", "aprox", "unos", "unas",
              "cerca de", "alrededor de", "en torno a", "aproximadamente", "about", "around", "approximately", "approx",
              "roughly", "some", "circa", "close to"),
    "more": ("més de", "més d'", "por encima de", "más de", "over", "more than", "at least", "almenys", "al menos"),
    "less": ("gairebé", "quasi", "casi", "almost", "nearly", "menys de", "menos de", "less than", "just under",
             "fewer than"),
}  # fmt: skip
Hedge = Literal["about", "more", "less"]
_HEDGE = re.compile(
    "(?:"
    + "|".join(
        rf"(?P<{hedge}>\b(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))}))"
        for hedge, words in _HEDGES.items()
    )
    + r")\.?[ \u00a0]?(?:els|les|los|las|the|un|a)?[ \u00a0]?[€$£]?\Z",
    re.IGNORECASE,
)
FigureKind = Literal["number", "percentage", "amount"]


class Figure(NamedTuple):
    """A figure at [start, end) of a text.

    `value` has no sign; `step` is the value of its last written digit: 100000 in "1,2 million". `unit` is a currency or
    a measure, if known. `alone`: no word follows that would say what is counted. `near` says what it is about. `other`
    is the second reading of "5.630", with the point for thousands or for decimals.
    """

    kind: FigureKind
    value: Decimal
    unit: str | None
    step: Decimal
    start: int
    end: int
    written: str
    alone: bool
    hedge: Hedge | None
    near: frozenset[str]
    other: Decimal | None = None

    @property
    def digits(self) -> int:
        """Digits that say something: 2 in 1,2 million and in 3.400, 4 in 1.002."""
        return len(str(int(self.value / self.step)).rstrip("0")) or 1

    @property
    def is_common(self) -> bool:
        """Whether it is one of the few values that many texts tell: 7, 64 and 500, but not 340 or 2.500."""
        return self.digits == 1 or self.value < 100 * self.step


def figures_of(text: str, facts: Sequence[Fact], layout: Layout) -> list[Figure]:
    """The figures among the facts of a text."""
    figures: list[Figure] = []
    near = cache(lambda start, end: stems(text[start:end]))  # of a sentence, once for all its figures
    numeric = [fact for fact in facts if fact.kind in ("number", "percentage", "amount")]
    for fact in reversed(numeric):
        following = figures[-1] if figures else None
        figures.append(_figure(text, fact, layout, following, near))
    return figures[::-1]


def _figure(
    text: str, fact: Fact, layout: Layout, following: Figure | None, near: Callable[[int, int], frozenset[str]]
) -> Figure:
    written = text[fact.start : fact.end]
    said = fact.key.partition(":")[2]
    value, _, unit = said.partition(" ")
    kind: FigureKind = fact.kind  # type: ignore[assignment]
    alone = _STANDS_ALONE.match(text, fact.end) is not None
    header = layout.header_above(fact.start)
    if fact.kind == "number":
        kind, unit = _in_context(text, fact, layout, header, alone, following)
    number = abs(Decimal(value))
    digits = int(re.sub("[^0-9]", "", re.sub(r"100\Z", "", written) if kind == "percentage" else written) or "0")
    before = _HEDGE.search(text, max(0, fact.start - 24), fact.start)
    return Figure(
        kind=kind,
        value=number,
        unit=unit or None,
        step=number / digits if digits and number else Decimal(1),
        start=fact.start,
        end=fact.end,
        written=re.sub(r"[\s+−–-]", "", written),
        alone=alone,
        hedge=before.lastgroup if before else None,  # type: ignore[arg-type]
        near=near(*layout.around(fact.start)) | stems(header) if header else near(*layout.around(fact.start)),
        other=_other_reading(written, number) if kind != "amount" else None,
    )


def _other_reading(written: str, value: Decimal) -> Decimal | None:
    if not _AMBIGUOUS.fullmatch(written):
        return None
    return value * 1000 if value < 1000 else value / 1000


def in_other_units(figure: Figure) -> Iterator[tuple[Decimal, str]]:
    """The same length, weight, area or energy in other units: 9.87 km is 9870 m."""
    for sizes in _SIZES:
        if figure.unit in sizes:
            for unit, size in sizes.items():
                if unit != figure.unit:
                    yield figure.value * sizes[figure.unit] / size, unit


def _in_context(
    text: str, fact: Fact, layout: Layout, header: str, alone: bool, following: Figure | None
) -> tuple[FigureKind, str]:
    """What a number without a sign of its own is: the first of "60-70 %", a cell under "%" or "Cost", a length."""
    words = _NEXT_WORDS.match(text, fact.end)
    for word in words.groups() if words else ():
        measure = UNIT.get(bare(word).replace("²", "2").replace("³", "3")) if word else None
        if measure:
            return "number", measure
    if following and following.kind != "number" and _TO.fullmatch(text, fact.end, following.start):
        return following.kind, following.unit or ""
    if not alone:
        return "number", ""
    if "%" in header:
        return "percentage", ""
    if currency := _CURRENCY_SIGN.search(header):
        return "amount", CURRENCY.get(currency[0].casefold(), UNKNOWN_CURRENCY)
    row = layout.row_at(fact.start)
    in_front = header if row else text[layout.line(layout.line_at(fact.start))[0] : fact.start][-80:]
    if _MONEY_WORDS.search(in_front):
        return "amount", UNKNOWN_CURRENCY
    return "number", ""


def compatible(claim: Figure, said: Figure) -> bool:
    """Whether two figures of one value may be the same thing: no euros for dollars, no hours for days or pupils."""
    if claim.kind == said.kind == "number" and None in (claim.unit, said.unit) and claim.unit != said.unit:
        return (claim if claim.unit is None else said).alone
    if claim.kind == said.kind:
        anything = (None, UNKNOWN_CURRENCY)
        return claim.unit == said.unit or claim.unit in anything or said.unit in anything
    money = {claim.kind, said.kind} == {"amount", "number"}
    if not money:
        return False
    number, amount = (claim, said) if claim.kind == "number" else (said, claim)
    if number.unit or not number.alone:
        return False
    return amount is said or amount.unit == UNKNOWN_CURRENCY


def is_rounding(claim: Figure, value: Decimal, step: Decimal) -> bool:
    """Whether `value`, known to `step`, is what a writer may have rounded to the claim: its error stays under 10%.

    Rounded digits say so themselves: 1,2 million for 1.234.567, 64% for 64,2%. Zeros at the end do not: "1.200" is for
    1.187 only where a word as "about", "over" or "almost" stands before it.
    """
    error = value - claim.value
    if step < claim.step and abs(error) * 2 <= claim.step and claim.value >= 10 * claim.step:
        return True
    if claim.kind == "percentage" and claim.step == 1 and step < 1 and abs(error) * 2 <= 1:
        return True
    if claim.hedge is None:
        return False
    coarse = claim.step
    while claim.value and claim.value % (coarse * 10) == 0:
        coarse *= 10
    if claim.hedge == "about":
        return abs(error) <= min(coarse / 2, claim.value / 10)
    most = min(coarse, claim.value / 10)
    return 0 < error < most if claim.hedge == "more" else 0 < -error < most
