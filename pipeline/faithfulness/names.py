"""Names as the tracer compares them: words in order, without articles, with the nouns of organisations and a few
places and bodies made one in the three languages, and the initials that an acronym may stand for.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from pipeline.facts.words import listed
from pipeline.faithfulness.words import WORD, bare, core

_PARTICLES = listed(
    "de del dels d l la el els les los las lo i y e and of the for per als al a en in na da do dos das di du para por"
)
_SAME = (  # one noun in three languages; the first stands for all
    "fundacio fundacion foundation", "associacio asociacion association", "ajuntament ayuntamiento",
    "universitat universidad university", "institut instituto institute", "diputacio diputacion",
    "consell consejo council", "departament departamento department", "ministeri ministerio ministry",
    "conselleria consejeria", "agencia agency", "centre centro center", "escola escuela school",
    "hospital", "museu museo museum", "biblioteca library", "cooperativa cooperative",
    "federacio federacion federation", "confederacio confederacion confederation", "collegi colegio college",
    "cambra camara chamber", "banc banco bank", "fons fondo fund", "comissio comision commission",
    "unio union", "xarxa red network", "grup grupo group", "programa programme program",
    "consorci consorcio consortium",
    "mancomunitat mancomunidad", "parlament parlamento parliament", "govern gobierno government",
    "servei servicio service", "facultat facultad faculty", "catedra chair", "patronat patronato board",
    "ateneu ateneo", "teatre teatro theatre", "arxiu archivo archive", "observatori observatorio observatory",
    "laboratori laboratorio laboratory", "parc parque park", "carrer calle street", "placa plaza square",
    "avinguda avenida avenue", "salut salud health", "publica publico public", "educacio educacion education",
    "cultura culture", "europea europeo european", "catalunya cataluna catalonia", "espanya espana spain",
    "franca francia france", "italia italy", "alemanya alemania germany", "belgica belgium", "suissa suiza switzerland",
    "anglaterra inglaterra england", "regne reino kingdom", "irlanda ireland", "escocia scotland", "polonia poland",
    "suecia sweden", "noruega norway", "dinamarca denmark", "finlandia finland", "grecia greece", "turquia turkey",
    "marroc marruecos morocco", "mexic mexico", "brasil brazil", "xile chile", "japo japon japan", "xina china",
    "europa europe", "girona gerona", "lleida lerida", "londres london", "paris", "brussel·les bruselas brussels",
    "lisboa lisbon", "roma rome", "viena vienna", "atenes atenas athens", "saragossa zaragoza", "sevilla seville",
    "alacant alicante", "estocolm estocolmo stockholm", "copenhaguen copenhague copenhagen",
)  # fmt: skip
_ONE = {bare(word): bare(words.split()[0]) for words in _SAME for word in words.split()}
HEADS = frozenset(_ONE.values())
_SAME_ACRONYMS = (
    "UE EU", "ONG NGO", "IVA VAT", "TIC ICT", "ODS SDG", "ONU UN", "OMS WHO", "FEDER ERDF", "FSE ESF", "PIME PYME SME",
    "IA AI", "PAC CAP", "RGPD GDPR", "PIB GDP", "GEH GEI GHG", "OCDE OECD", "EUA EEUU USA US", "RU UK", "PMF FAQ",
    "BOPB BOP", "IRPF", "SIDA AIDS", "VIH HIV", "ADN DNA", "EPI PPE", "ERC", "CEE EEC",
)  # fmt: skip
_ACRONYMS = {word: frozenset(words.split()) for words in _SAME_ACRONYMS for word in words.split()}
_BODIES = {  # well known by both: acronym -> name
    "EU": ("unio europea",), "UN": ("nacions unides", "naciones unidas", "united nations"),
    "WHO": ("organitzacio mundial salut", "organizacion mundial salut", "world salut organization",
            "world salut organisation"),
}  # fmt: skip
COMMON_ACRONYMS = listed(  # common nouns: they name nobody
    "IVA VAT PDF ONG NGO TIC ICT DNI NIF CIF NIE CV TV USB PIB GDP PIME PYME SME RRHH HR URL SMS GPS LED IT DVD CD QR "
    "WC FAQ CEO IA AI"
)
_MOST_LETTERS = 8
_WIDEST_GAP = 12  # between the words of one name: " per a la "
_JOINS = re.compile(r"[\w \u00a0'’\-–]*")


def canonical(word: str) -> str:
    """A word of a name, the same in all three languages where it is a noun that names are made of."""
    folded = core(word)
    return _ONE.get(folded, folded)


@lru_cache(maxsize=65_536)
def _kept(word: str) -> str:
    """What is left of a word in a name: nothing of an article."""
    folded = canonical(word)
    return "" if folded in _PARTICLES else folded


def name_words(name: str) -> tuple[str, ...]:
    """The words of a name that tell it from others, in order."""
    return tuple(filter(None, map(_kept, WORD.findall(name))))


class NameText:
    """A text in which names can be looked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[str] = []
        self.spans: list[tuple[int, int]] = []
        self.capital: list[bool] = []
        places: list[int] = []
        length = 1
        for match in WORD.finditer(text):
            if word := _kept(match[0]):
                self.words.append(word)
                self.spans.append(match.span())
                tail = match[0].replace("’", "'").rpartition("'")[2] or match[0]
                self.capital.append(tail[:1].isupper() or match[0][:1].isupper())
                places.append(length)
                length += len(word) + 1
        self.joined = f" {' '.join(self.words)} "
        self._word_at = dict(zip(places, range(len(places)), strict=True))

    def find(self, wanted: tuple[str, ...]) -> Iterator[tuple[int, int]]:
        """Where words stand side by side: first and last, by their places among the text's words."""
        phrase = f" {' '.join(wanted)} "
        at = self.joined.find(phrase)
        while at >= 0:
            first = self._word_at[at + 1]
            yield first, first + len(wanted) - 1
            at = self.joined.find(phrase, at + 1)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Characters from one word to another."""
        return self.spans[first][0], self.spans[last][1]


def same_acronyms(acronym: str) -> frozenset[str]:
    """An acronym and what the other languages say for it."""
    return _ACRONYMS.get(acronym, frozenset((acronym,)))


def bodies_of(acronym: str) -> Iterable[tuple[str, ...]]:
    """The names of a body known to all by its acronym."""
    return (tuple(name.split()) for key in same_acronyms(acronym) for name in _BODIES.get(key, ()))


def acronyms_of_body(words: tuple[str, ...]) -> frozenset[str]:
    """The acronyms of a body known to all by its name."""
    joined = " ".join(words)
    return frozenset(a for key, names in _BODIES.items() if joined in names for a in same_acronyms(key))


def initials(text: NameText) -> dict[str, tuple[int, int]]:
    """What runs of capitalised words may be shortened to, from three letters on, and where: ASP for Agència de Salut
    Pública."""
    found: dict[str, tuple[int, int]] = {}
    for first in range(len(text.words)):
        letters = ""
        for last in range(first, min(first + _MOST_LETTERS, len(text.words))):
            gap = text.text[text.spans[last - 1][1] : text.spans[last][0]] if last > first else ""
            if not text.capital[last] or len(gap) > _WIDEST_GAP or not _JOINS.fullmatch(gap):
                break
            letters += text.words[last][0]
            if len(letters) > 2:
                found.setdefault(letters.upper(), text.span(first, last))
    return found
