"""Which reports examine and which teach. Whole reports, never sections: parts of one report know each other."""

import math
from collections import defaultdict
from collections.abc import Sequence

from pipeline.records import Report, digest


def hold_out(reports: Sequence[Report], share: float) -> frozenset[str]:
    """Ids of the reports that are held out, chosen by their content in each language.

    A report is held out if its hash falls in the lowest `share` of all hashes, so that the choice survives new
    arrivals; at least one per language is, and at least one is left to train on. A language with a single report
    gives it to training.
    """
    by_language: dict[str | None, list[Report]] = defaultdict(list)
    for report in reports:
        by_language[report.language].append(report)
    return frozenset(report.id for group in by_language.values() for report in _held_out_of(group, share))


def _held_out_of(group: Sequence[Report], share: float) -> list[Report]:
    ranks = sorted({_rank(report) for report in group})  # two readings of one file have one rank, and stay together
    lowest = sum(rank < share for rank in ranks)
    held_out = set(ranks[: min(max(lowest, 1), len(ranks) - 1)])
    return [report for report in group if _rank(report) in held_out]


def _rank(report: Report) -> float:
    """A number in [0, 1) that depends on the file's content alone."""
    return int(digest(["hold-out", report.source_sha256])[:13], 16) / math.pow(16, 13)
