"""Codes and addresses as the tracer compares them, and what else in a text stands for a code."""

import re
from collections.abc import Iterator, Sequence

from pipeline.facts import Fact

_SIGNS = re.compile(r"[-_/ \u00a0]")
_SPELT = re.compile(
    r"\b(?:(?P<WP>work packages?|paquets? de treball|paquetes? de trabajo)|(?P<T>tasks?|tasca|tasques|tareas?)"
    r"|(?P<D>deliverables?|lliurables?|entregables?)|(?P<OE>objectius? específics?|objetivos? específicos?))"
    r"[ \u00a0](?P<number>[0-9]{1,2}(?:\.[0-9]{1,2})*)(?![\w,]*[0-9%€])",
    re.IGNORECASE,
)
_SAME_LETTERS = {"WP": "WP", "PT": "WP", "T": "T", "D": "D", "E": "D", "L": "D", "OE": "OE", "SO": "OE"}
_PARTS = re.compile(r"([A-Z]+)([0-9]{1,3})((?:\.[0-9]+)*)")
_TO = re.compile(r"[ \u00a0]?(?:[-–]|a|al|to|fins al?|hasta)[ \u00a0]?")
_LONGEST_RANGE = 30


def code_form(code: str) -> str:
    """A code without the signs between its parts, and with one prefix for what three languages call a work package."""
    plain = _SIGNS.sub("", code.upper())
    parts = _PARTS.fullmatch(plain)
    return _SAME_LETTERS.get(parts[1], parts[1]) + parts[2] + parts[3] if parts else plain


def code_forms(text: str, facts: Sequence[Fact]) -> Iterator[tuple[str, int, int]]:
    """All codes that a text tells, with their places: written, spelt out ("work package 2"), within "WP1-WP4"."""
    before: tuple[str, int, Fact] | None = None
    for fact in facts:
        if fact.kind != "code":
            continue
        form = code_form(fact.key.partition(":")[2])
        yield form, fact.start, fact.end
        parts = _PARTS.fullmatch(form)
        here = (parts[1], int(parts[2]), fact) if parts and not parts[3] else None
        if before and here and before[0] == here[0] and _TO.fullmatch(text, before[2].end, fact.start):
            for number in range(before[1] + 1, min(here[1], before[1] + _LONGEST_RANGE)):
                yield f"{here[0]}{number}", before[2].start, fact.end
        before = here
    yield from spelt_codes(text)


def spelt_codes(text: str) -> Iterator[tuple[str, int, int]]:
    """What stands for a code in words, with its place: "work package 2" for WP2."""
    for match in _SPELT.finditer(text):
        yield f"{_prefix(match)}{match['number']}", *match.span()


def _prefix(match: re.Match[str]) -> str:
    return next(name for name in ("WP", "T", "D", "OE") if match[name])


def address_form(address: str) -> str:
    """An address without scheme, "www." and a final slash."""
    return re.sub(r"^(?:[a-z]+://)?(?:www\.)?|/+$", "", address.lower()).removeprefix("doi.org/").removeprefix("doi:")


def address_forms(facts: Sequence[Fact]) -> Iterator[tuple[str, int, int]]:
    """All addresses that a text tells: as written, and the host of each."""
    for fact in facts:
        if fact.kind == "address":
            form = address_form(fact.key.partition(":")[2])
            yield form, fact.start, fact.end
            yield re.split(r"[/?#]", form.rpartition("@")[2])[0], fact.start, fact.end
