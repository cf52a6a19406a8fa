"""How many claims that nobody made a source supports all the same."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.faithfulness import Source, sources_of_draft, trace
from pipeline.records import Window
from pipeline.windows import brief_of
from tests.benchmarks.windows.documents import Document

_WINDOWS_EACH = 6  # of a document: the fullest
_TRIES = 60  # of each kind for each window
_SENTENCES = {
    "ca": "Durant el projecte hi van participar {} persones del municipi.",
    "es": "Durante el proyecto participaron {} personas del municipio.",
    "en": "During the project {} people from the district took part.",
}
_MONEY = {
    "ca": "El cost de les activitats va ser de {}.",
    "es": "El coste de las actividades fue de {}.",
    "en": "The cost of the activities was {}.",
}
_WHEN = {
    "ca": "L'activitat es va fer el {}.",
    "es": "La actividad se hizo el {}.",
    "en": "The activity was held on {}.",
}
_WHO = {
    "ca": "Ho va fer en Toni {0} {1} amb ajuda.",
    "es": "Lo hizo Toni {0} {1} con ayuda.",
    "en": "It was done by Toni {0} {1} with help.",
}
_PARTS = ["bar", "ce", "dol", "fa", "gra", "ler", "mi", "nor", "pe", "quin", "ra", "sol", "ti", "va", "zen"]


@dataclass(frozen=True)
class Chance:
    """Of a kind of claim made up by lot, how many were tried and how many found; `most` is what is allowed."""

    name: str
    most: float | None
    tried: int
    found: int

    @property
    def share(self) -> float:
        """Share of those tried that were found."""
        return self.found / self.tried if self.tried else 0.0


def _grouped(number: int, language: str) -> str:
    return f"{number:,}".replace(",", "," if language == "en" else ".")


def _telling(lot: random.Random, digits: int) -> int:
    """A number of so many digits that does not end with a zero."""
    return lot.randrange(10 ** (digits - 1), 10**digits - 1) // 10 * 10 + lot.randint(1, 9)


def _date(lot: random.Random) -> str:
    return f"{lot.randint(1, 28):02d}/{lot.randint(1, 12):02d}/{lot.randint(2018, 2026)}"


def _made_up(lot: random.Random) -> str:
    return "".join(lot.choices(_PARTS, k=3)).title()


Make = Callable[[random.Random, str], str]
KINDS: dict[str, tuple[float | None, Make]] = {
    "number of 1 digit": (None, lambda lot, la: _SENTENCES[la].format(lot.randint(2, 9))),
    "number of 2 digits": (None, lambda lot, la: _SENTENCES[la].format(lot.randint(10, 99))),
    "number of 3 digits": (0.10, lambda lot, la: _SENTENCES[la].format(_telling(lot, 3))),
    "number of 4 digits": (0.01, lambda lot, la: _SENTENCES[la].format(_grouped(_telling(lot, 4), la))),
    "about so many hundreds, of 4 digits": (
        None,
        lambda lot, la: _SENTENCES[la].format(
            f"{ {'ca': 'unes', 'es': 'unas', 'en': 'about'}[la] } {_grouped(lot.randint(10, 99) * 100, la)}"
        ),
    ),
    "percentage, whole": (0.10, lambda lot, la: _SENTENCES[la].format(f"{lot.randint(2, 99)} %")),
    "percentage, one decimal": (
        0.03,
        lambda lot, la: _SENTENCES[la].format(f"{lot.randint(2, 99)}{'.' if la == 'en' else ','}{lot.randint(1, 9)} %"),
    ),
    "amount of 3 digits": (0.05, lambda lot, la: _MONEY[la].format(f"{_telling(lot, 3)} €")),
    "amount of 5 digits": (0.01, lambda lot, la: _MONEY[la].format(f"{_grouped(_telling(lot, 5), la)} €")),
    "day of nine years": (0.05, lambda lot, la: _WHEN[la].format(_date(lot))),
    "code of a deliverable": (
        None,
        lambda lot, la: _WHEN[la].format(f"01/01/1901 (D{lot.randint(1, 9)}.{lot.randint(1, 9)})"),
    ),
    "acronym of 3 letters": (
        0.05,
        lambda lot, la: _WHEN[la].format("01/01/1901 (" + "".join(lot.choices("ABCDEFGILMNOPRSTUV", k=3)) + ")"),
    ),
    "person's name": (0.01, lambda lot, la: _WHO[la].format(_made_up(lot), _made_up(lot))),
}


def chance(documents: Sequence[tuple[Document, Sequence[Window]]], seed: int = 20) -> list[Chance]:
    """Claims by lot against the fullest windows of each document."""
    lot = random.Random(seed)
    windows = [one for document, its in documents for one in _fullest(document, its)]
    found = []
    for name, (most, make) in KINDS.items():
        hits = 0
        for language, sources in windows:
            for _ in range(_TRIES):
                text = make(lot, language)
                claims = [
                    claim
                    for claim in trace(text, language, sources).claims
                    if "1901" not in text[claim.start : claim.end]
                ]
                hits += any(claim.support is not None for claim in claims)
        found.append(Chance(name, most, _TRIES * len(windows), hits))
    return found


def _fullest(document: Document, windows: Sequence[Window]) -> list[tuple[str, list[Source]]]:
    places = sorted(range(len(windows)), key=lambda place: -windows[place].used_tokens)[:_WINDOWS_EACH]
    language = document.plan.language if document.plan.language in _SENTENCES else "en"
    return [(language or "en", sources_of_draft(windows[place], brief_of(document.plan, place))) for place in places]
