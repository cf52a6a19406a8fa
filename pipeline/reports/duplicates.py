"""Which sections stand in more than one report, and which reports are versions of one another.

    section ── words by threes ── MinHash ──> 126 numbers ── equal bands ──> candidates ── likeness ──> kin
    reports ── half of the shorter one's text has kin in the other ──> one family

Likeness is the Jaccard similarity of the sets of three-word shingles, estimated by MinHash (Broder, 1997); bands
of numbers find the candidates without comparing all with all (Leskovec, Rajaraman, Ullman: Mining of Massive
Datasets, chapter 3).
"""

import re
from array import array
from base64 import b64decode, b64encode
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import eq
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from pipeline.records import Report

SHINGLE_WORDS = 3
FEWEST_WORDS = 40  # a shorter section says too little to be told apart
LEAST_LIKENESS = 0.5
FAMILY_SHARE = 0.5
_NUMBERS = 126
_BAND = 3  # numbers to a band: two sections of likeness s share one with probability 1 - (1 - s^3)^42
_TYPE, _BYTES = "H", 2  # of a number
_SEED = 1
_WORD = re.compile(r"\w+")


class SignedSection(NamedTuple):
    """A section's MinHash signature: 126 numbers of 16 bits, base64."""

    section: str
    characters: int
    signature: str


class SignedReport(BaseModel):
    """The signatures of a report's sections; those with too few words have none. `characters` are of its text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    report: str
    characters: int
    sections: tuple[SignedSection, ...]


class Duplicates(NamedTuple):
    """Ids of reports that are versions of one another, and which sections have kin in another report.

    Two sections are kin if `kin` gives them the same number.
    """

    families: tuple[tuple[str, ...], ...]
    kin: Mapping[str, int]


def sign(report: Report) -> SignedReport:
    """The signatures of a report."""
    from rensa import RMinHash

    shingles = {section.id: _shingles(section.text) for section in report.sections}
    signed = {identity: found for identity, found in shingles.items() if len(found) > FEWEST_WORDS - SHINGLE_WORDS}
    digests = RMinHash.digests_from_token_sets(list(signed.values()), _NUMBERS, _SEED) if signed else []
    written = dict(zip(signed, map(_packed, digests), strict=True))
    lengths = {section.id: len(section.text) for section in report.sections}
    return SignedReport(
        report=report.id,
        characters=sum(lengths.values()),
        sections=tuple(SignedSection(identity, lengths[identity], text) for identity, text in written.items()),
    )


def find_duplicates(reports: Iterable[SignedReport]) -> Duplicates:
    """Kin among the sections of different reports, and families among the reports.

    Kinship is passed on: what is like a section that is like a third is kin to both. Cost grows with the number
    of sections, times that of the families that share one; memory by some 500 bytes a section.
    """
    size: dict[str, int] = {}
    section_of: list[tuple[str, str, int]] = []  # report, section, characters
    signatures: list[bytes] = []
    for report in reports:
        size[report.report] = report.characters
        section_of += ((report.report, section.section, section.characters) for section in report.sections)
        signatures += (b64decode(section.signature) for section in report.sections)
    groups = _Groups(len(section_of))
    _join_alike(signatures, groups)
    members: dict[int, dict[str, int]] = defaultdict(Counter)  # group -> report -> characters
    for place, (identity, _, characters) in enumerate(section_of):
        members[groups.of(place)][identity] += characters
    shared = {group: held for group, held in members.items() if len(held) > 1}
    kin = {section: groups.of(place) for place, (_, section, _) in enumerate(section_of) if groups.of(place) in shared}
    return Duplicates(_families(size, shared), kin)


def _packed(digest: Sequence[int]) -> str:
    """A digest's low 16 bits of each number, in base64: they say as much of likeness (Li and König, 2010)."""
    return b64encode(array(_TYPE, (number & 0xFFFF for number in digest)).tobytes()).decode()


def _shingles(text: str) -> list[str]:
    words = _WORD.findall(text.casefold())
    return [" ".join(words[start : start + SHINGLE_WORDS]) for start in range(len(words) - SHINGLE_WORDS + 1)]


def _join_alike(signatures: Sequence[bytes], groups: "_Groups") -> None:
    """Join the places whose signatures are alike. One band at a time, so that the tables stay small."""
    first: dict[bytes, int] = {}
    for place, signature in enumerate(signatures):  # word for word the same, most often
        groups.join(first.setdefault(signature, place), place)
    for band in range(0, _NUMBERS * _BYTES, _BAND * _BYTES):
        buckets: dict[bytes, tuple[int, ...]] = {}  # equal band -> one place of each group that has it
        for signature, place in first.items():
            key = signature[band : band + _BAND * _BYTES]
            others = buckets.get(key, ())
            alike = [other for other in others if _are_alike(other, place, signatures, groups)]
            for other in alike:
                groups.join(other, place)
            if not alike:
                buckets[key] = (*others, place)


def _are_alike(one: int, other: int, signatures: Sequence[bytes], groups: "_Groups") -> bool:
    return groups.of(one) == groups.of(other) or _likeness(signatures[one], signatures[other]) >= LEAST_LIKENESS


def _likeness(one: bytes, other: bytes) -> float:
    return sum(map(eq, array(_TYPE, one), array(_TYPE, other))) / _NUMBERS


def _families(size: Mapping[str, int], shared: Mapping[int, Mapping[str, int]]) -> tuple[tuple[str, ...], ...]:
    """Longest first, each report joins the families that hold half of its text.

    Args:
        size: characters of each report.
        shared: group of sections -> report -> characters that it has in the group.
    """
    order = sorted(size, key=lambda report: (-size[report], report))
    held: dict[str, dict[int, int]] = defaultdict(dict)  # report -> group -> characters
    for group, members in shared.items():
        for identity, characters in members.items():
            held[identity][group] = characters
    families = _Groups(len(order))
    present: dict[int, set[int]] = defaultdict(set)  # group -> families that have text in it
    for number, report in enumerate(order):
        covered: Counter[int] = Counter()
        for group, characters in held[report].items():
            present[group] = {families.of(member) for member in present[group]}
            covered.update(dict.fromkeys(present[group], characters))
        for family, characters in covered.items():
            if characters >= FAMILY_SHARE * size[report]:
                families.join(family, number)
        for group in held[report]:
            present[group].add(number)
    found: dict[int, list[str]] = defaultdict(list)
    for number, report in enumerate(order):
        found[families.of(number)].append(report)
    return tuple(tuple(sorted(family)) for family in found.values() if len(family) > 1)


class _Groups:
    """Disjoint sets of the numbers below `size`, joined two by two (union-find with path halving)."""

    def __init__(self, size: int) -> None:
        self._above = list(range(size))

    def of(self, number: int) -> int:
        while self._above[number] != number:
            self._above[number] = self._above[self._above[number]]
            number = self._above[number]
        return number

    def join(self, one: int, other: int) -> None:
        one, other = sorted((self.of(one), self.of(other)))
        self._above[other] = one
