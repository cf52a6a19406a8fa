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
from collections.abc import Iterator, Mapping, Sequence
from operator import eq
from typing import NamedTuple

from pipeline.records import Record, Report

SHINGLE_WORDS = 3
FEWEST_WORDS = 40  # a shorter section says too little to be told apart
LEAST_LIKENESS = 0.5
FAMILY_SHARE = 0.5
_NUMBERS = 126
_BAND = 3  # numbers to a band: two sections of likeness s share one with probability 1 - (1 - s^3)^42
_SEED = 1
_WORD = re.compile(r"\w+")


class SignedSection(NamedTuple):
    """A section's MinHash signature: 126 numbers of 32 bits, base64."""

    section: str
    characters: int
    signature: str


class SignedReport(Record):
    """The signatures of a report's sections; those with too few words have none. `characters` are of its text."""

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
    written = dict(zip(signed, (b64encode(array("I", digest).tobytes()).decode() for digest in digests), strict=True))
    lengths = {section.id: len(section.text) for section in report.sections}
    return SignedReport(
        report=report.id,
        characters=sum(lengths.values()),
        sections=tuple(SignedSection(identity, lengths[identity], text) for identity, text in written.items()),
    )


def find_duplicates(reports: Sequence[SignedReport]) -> Duplicates:
    """Kin among the sections of different reports, and families among the reports.

    Kinship is passed on: what is like a section that is like a third is kin to both. Cost grows with the number
    of sections, times that of the families that share one.
    """
    section_of = [(report.report, section) for report in reports for section in report.sections]
    groups = _Groups(len(section_of))
    for one, other in _alike([section.signature for _, section in section_of]):
        groups.join(one, other)
    members: dict[int, dict[str, int]] = defaultdict(Counter)  # group -> report -> characters
    for place, (report, section) in enumerate(section_of):
        members[groups.of(place)][report] += section.characters
    kin = {
        section.section: groups.of(place)
        for place, (_, section) in enumerate(section_of)
        if len(members[groups.of(place)]) > 1
    }
    return Duplicates(_families(reports, members), kin)


def _shingles(text: str) -> list[str]:
    words = _WORD.findall(text.casefold())
    return [" ".join(words[start : start + SHINGLE_WORDS]) for start in range(len(words) - SHINGLE_WORDS + 1)]


def _alike(signatures: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of places whose signatures are alike, enough of them to connect all that are."""
    first: dict[str, int] = {}
    buckets: dict[tuple[int, bytes], list[int]] = defaultdict(list)
    numbers: dict[int, array[int]] = {}
    for place, signature in enumerate(signatures):
        if signature in first:  # word for word the same
            yield first[signature], place
            continue
        first[signature] = place
        numbers[place] = _numbers_of(signature)
        met: set[int] = set()
        for band in range(0, _NUMBERS, _BAND):
            bucket = buckets[band, numbers[place][band : band + _BAND].tobytes()]
            for other in bucket:
                if other not in met and _likeness(numbers[other], numbers[place]) >= LEAST_LIKENESS:
                    yield other, place
                met.add(other)
            bucket.append(place)


def _numbers_of(signature: str) -> "array[int]":
    return array("I", b64decode(signature))


def _likeness(one: Sequence[int], other: Sequence[int]) -> float:
    return sum(map(eq, one, other)) / len(one)


def _families(reports: Sequence[SignedReport], shared: Mapping[int, Mapping[str, int]]) -> tuple[tuple[str, ...], ...]:
    """Longest first, each report joins the families that hold half of its text.

    Args:
        shared: group of sections -> report -> characters that it has in the group.
    """
    order = sorted(reports, key=lambda report: (-report.characters, report.report))
    held: dict[str, dict[int, int]] = defaultdict(dict)  # report -> group -> characters
    for group, members in shared.items():
        for identity, characters in members.items():
            held[identity][group] = characters
    families = _Groups(len(order))
    present: dict[int, set[int]] = defaultdict(set)  # group -> families that have text in it
    for number, report in enumerate(order):
        covered: Counter[int] = Counter()
        for group, characters in held[report.report].items():
            present[group] = {families.of(member) for member in present[group]}
            covered.update(dict.fromkeys(present[group], characters))
        for family, characters in covered.items():
            if characters >= FAMILY_SHARE * report.characters:
                families.join(family, number)
        for group in held[report.report]:
            present[group].add(number)
    found: dict[int, list[str]] = defaultdict(list)
    for number, report in enumerate(order):
        found[families.of(number)].append(report.report)
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
