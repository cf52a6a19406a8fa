"""Cards by name: what deploy/cards.toml lists, and what the user's own cards.toml lays over it: prices, other cards."""

import re
import tomllib
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StringConstraints, ValidationError

from pipeline.card import Card
from pipeline.errors import UserError
from pipeline.records import Record

PACKAGED = Path(__file__).parents[2] / "deploy" / "cards.toml"  # deploy is installed beside pipeline, as it lies here
OWN = Path("cards.toml")  # in the folder that the user works in, as memoria.toml
FP8_FROM = (8, 9)
BFLOAT16_FROM = (8, 0)

_ALIKE = 0.08  # of a card's memory: with error correction switched on, a workstation card has 1/16 less
_SAYS_NOTHING = {"nvidia", "geforce", "rtx", "quadro", "tesla", "gpu", "generation", "gb"}

Positive = Annotated[float, Field(gt=0)]


class ListedCard(Record):
    """A card as its maker describes it; prices are the user's, in any one currency."""

    name: str
    driver_name: str | None = None
    memory_mib: Annotated[int, Field(gt=0)]
    bandwidth_gb_per_s: Positive
    bf16_tflops: Positive | None = None
    power_watts: Positive
    compute_capability: Annotated[str, StringConstraints(pattern=r"^\d+\.\d$")]
    source: str
    price_per_hour: Positive | None = None
    price_per_month: Positive | None = None

    @property
    def total_bytes(self) -> int:
        """Memory that the driver counts as the card's."""
        return self.memory_mib << 20

    @property
    def bandwidth_bytes_per_second(self) -> float:
        """What can be read from the card's memory."""
        return self.bandwidth_gb_per_s * 1e9

    @property
    def flops_per_second(self) -> float | None:
        """Dense bfloat16 arithmetic at best; None: the card has none."""
        return self.bf16_tflops * 1e12 if self.bf16_tflops and self.has_bfloat16 else None

    @property
    def capability(self) -> tuple[int, int]:
        """Compute capability, to compare."""
        major, minor = self.compute_capability.split(".")
        return int(major), int(minor)

    @property
    def has_bfloat16(self) -> bool:
        """Does the card compute in bfloat16, as training does?"""
        return self.capability >= BFLOAT16_FROM

    @property
    def has_fp8(self) -> bool:
        """Does the card compute in FP8?"""
        return self.capability >= FP8_FROM


def read_cards(own: Path | None = None, packaged: Path = PACKAGED) -> tuple[ListedCard, ...]:
    """All cards known by name, in the order of the files.

    Args:
        own: the user's file; by default cards.toml in the working folder, if there is one.
        packaged: the list that `own` is laid over, a field at a time.

    Raises:
        UserError: a file is no TOML, or a card in it lacks a field or has a wrong one: with its line.
    """
    known = _read(packaged)
    asked = own if own is not None else (OWN if OWN.is_file() else None)
    if asked is None:
        return tuple(_card(name, fields, packaged) for name, fields in known.items())
    names = {_words(name): name for name in known}
    ours = {names.get(_words(name), name): (name, fields) for name, fields in _read(asked).items()}
    listed = [_card(name, fields, packaged) for name, fields in known.items() if name not in ours]
    laid = {name: _card(name, {**known.get(name, {}), **fields}, asked, said) for name, (said, fields) in ours.items()}
    order = list(dict.fromkeys([*known, *laid]))
    return tuple(sorted([*listed, *laid.values()], key=lambda card: order.index(card.name)))


def find_card(name: str, cards: Sequence[ListedCard]) -> ListedCard:
    """The card that a person means: "4090", "rtx 4060 ti", "NVIDIA A100 80GB".

    Raises:
        UserError: none is called so, or several are.
    """
    asked = _words(name)
    exact = [card for card in cards if _words(card.name) == asked or card.driver_name == name]
    if len(exact) == 1:
        return exact[0]
    found = [card for card in cards if asked and asked <= _words(card.name)]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(card.name for card in found)
        raise UserError(f"{name} may be {names}", where="--card", fix=f"name one of them, as {found[0].name}")
    by_fold = {card.name.casefold(): card.name for card in cards}
    near = [by_fold[fold] for fold in get_close_matches(name.casefold(), by_fold, n=3, cutoff=0.5)]
    listed = f"did you mean {', '.join(near)}? " if near else ""
    raise UserError(
        f"no card is called {name}",
        where="--card",
        fix=f"{listed}Give its memory in GB instead (16), or add it to {OWN}",
    )


def recognise(card: Card, cards: Sequence[ListedCard]) -> ListedCard | None:
    """The entry of a card of this machine, by its driver's name and its memory; None: it is not listed."""
    for listed in cards:
        alike = abs(card.total_bytes - listed.total_bytes) <= _ALIKE * listed.total_bytes
        if listed.driver_name == card.name and alike:
            return listed
    return None


def _words(name: str) -> frozenset[str]:
    """What tells cards apart in a name, whatever case, spaces and makers' words: {"4060", "ti", "16"}."""
    apart = re.sub(r"(rtx|gtx)(?=\d)|(?<=\d)(?=ti\b|super\b|gb\b)", " ", name.casefold())
    return frozenset(re.findall(r"[a-z0-9]+", apart)) - _SAYS_NOTHING


def _read(file: Path) -> dict[str, dict[str, Any]]:
    """Tables of a file by the card's name."""
    try:
        tables = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"is no TOML: {error}", where=file, fix="mend that line") from error
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", where=file, fix="name a file that there is") from error
    for name, fields in tables.items():
        if not isinstance(fields, dict):
            line = _line(file, None, name)
            raise UserError(
                f"line {line}: {name} stands in no card", where=file, fix='write ["RTX 4090"] on a line above it'
            )
    return tables


def _card(name: str, fields: dict[str, Any], file: Path, said: str | None = None) -> ListedCard:
    """A card of its fields; `said` is what the user's file calls it."""
    try:
        return ListedCard.model_validate({**fields, "name": name})
    except ValidationError as error:
        faults = [(str(e["loc"][0]) if e["loc"] else "", e["type"], e["msg"]) for e in error.errors()]
        told = "; ".join(_fault(file, said or name, *fault) for fault in faults)
        raise UserError(
            told, where=file, fix="see deploy/cards.toml for the fields: one that is not listed there needs them all"
        ) from error


def _fault(file: Path, card: str, field: str, kind: str, message: str) -> str:
    what = {"missing": "is missing", "extra_forbidden": "is no field of a card"}.get(kind, message)
    return f'line {_line(file, card, field)}: card "{card}", {field}: {what}'


def _line(file: Path, card: str | None, field: str) -> int:
    """Where a field of a card is said, or the card where it is not; `card` None: above all cards."""
    current, place = None, 1
    for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
        heading = re.match(r"""\s*\[\s*(["']?)(.*?)\1\s*\]""", line)
        if heading:
            current = heading[2]
            place = number if current == card else place
        elif current == card and re.match(rf"\s*[\"']?{re.escape(field)}[\"']?\s*=", line):
            return number
    return place
