"""Does training know what it is examined with? Runs of words that a held-out section shares with a report trained on.

    held-out section   a b c d e f g h i j k l m n o p     runs of 13 words: 1 2 3 4
                       1───────────────────────┘
                         2───────────────────────┘         run 2 and 3 stand in report X: X has half of the section

A run that stands in several reports trained on is a standard clause (a funder's formula, a heading's usual text) and
counts neither for nor against. Reports that are versions of one another count once: a text does not become a clause
by being copied. Sections of fewer than 40 words are passed over: they say too little to be told apart.

Runs of 13 words are those of Brown et al., "Language Models are Few-Shot Learners" (2020), appendix C.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.corpus.runs import Hashes, Runs
from pipeline.errors import UserError
from pipeline.records import Example, Report, short

FEWEST_WORDS = 40

_WORD = re.compile(r"\w+")

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Leak:
    """A held-out section of a report whose text stands, for this share, in a report that was trained on."""

    example: str
    section: str
    report: str
    taught: str
    share: float


def find_leaks(
    held_out: Sequence[Example],
    taught: Iterable[Report],
    families: Iterable[Sequence[str]] = (),
    *,
    words: int = 13,
    share: float = 0.5,
    boilerplate_reports: int = 3,
) -> list[Leak]:
    """The held-out sections of which at least `share` stands in one report trained on, the worst report of each.

    Args:
        taught: all reports that any contender was trained on; read once, one at a time.
        families: ids of reports that are versions of one another.
        words: of a run.
        boilerplate_reports: a run that stands in so many of `taught` is a standard clause.
    """
    hashing = Runs(words)
    own = [_runs(hashing, example.target, FEWEST_WORDS) for example in held_out]
    known = np.unique(np.concatenate([np.empty(0, np.uint64), *own]))
    has: dict[str, Flags] = {}  # report -> which of `known` it has
    for report in taught:
        runs = _runs(hashing, "\n".join(section.text for section in report.sections))
        if (held := np.isin(known, runs)).any():
            has[report.id] = held
    telling = _in_families(has, families, len(known)) < boilerplate_reports
    leaks = [
        _worst(example, np.searchsorted(known, runs), has, telling)
        for example, runs in zip(held_out, own, strict=True)
        if len(runs) and has
    ]
    return [leak for leak in leaks if leak.share >= share]


def refuse_leaks(leaks: Sequence[Leak]) -> None:
    """Fail if there is a leak.

    Raises:
        UserError: naming the section and both reports, by id.
    """
    if not leaks:
        return
    worst = max(leaks, key=lambda leak: leak.share)
    more = f" (and {len(leaks) - 1} more sections)" if len(leaks) > 1 else ""
    raise UserError(
        f"held-out section {short(worst.section)} of report {short(worst.report)} stands, for {worst.share:.0%} of its "
        f"words, in report {short(worst.taught)}, which was trained on{more}: it proves nothing",
        fix='set evaluation.leaks to "leave out", or hold out other reports',
    )


def _in_families(has: Mapping[str, Flags], families: Iterable[Sequence[str]], runs: int) -> NDArray[np.int64]:
    """In how many reports each run stands; a family counts once: [runs]."""
    family_of = {member: str(min(family)) for family in families for member in family}
    by_family: dict[str, Flags] = {}
    for report, held in has.items():
        family = family_of.get(report, report)
        by_family[family] = by_family[family] | held if family in by_family else held
    times = np.zeros(runs, np.int64)
    for held in by_family.values():
        times += held
    return times


def _worst(example: Example, runs: NDArray[np.int64], has: Mapping[str, Flags], telling: Flags) -> Leak:
    """The report that has most of a section's runs, clauses aside."""
    shares = {report: float((held[runs] & telling[runs]).mean()) for report, held in has.items()}
    taught = max(shares, key=lambda report: (shares[report], report))
    return Leak(example.id, example.section or "", example.report, taught, shares[taught])


def _runs(hashing: Runs, text: str, fewest_words: int = 0) -> Hashes:
    """A hash for each run of a text's words, in order; none of a text that has fewer words than asked for."""
    words = _WORD.findall(text.casefold())
    return hashing.of(words if len(words) >= fewest_words else [])
