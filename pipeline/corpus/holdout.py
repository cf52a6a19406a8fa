"""Which reports examine and which teach. Whole reports, never sections: parts of one report know each other.

Versions of one report know each other too: a family is held out together, or not at all.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from pipeline.records import Report, digest


def hold_out(reports: Sequence[Report], share: float, families: Iterable[Sequence[str]] = ()) -> frozenset[str]:
    """Ids of the reports that are held out, chosen by their content in each language.

    A report is held out if its hash falls in the lowest `share` of all hashes, so that the choice survives new
    arrivals; at least one per language is, and at least one is left to train on. A language with a single report
    gives it to training. A family goes with the one of its members whose hash is lowest, in that one's language.

    Args:
        families: ids of reports that are versions of one another; other ids than those of `reports` are overlooked.
    """
    speakers = _speakers(reports, families)
    by_language: dict[str | None, list[Report]] = defaultdict(list)
    for report in reports:
        by_language[speakers[report.id].language].append(report)
    return frozenset(report.id for group in by_language.values() for report in _held_out_of(group, speakers, share))


def _speakers(reports: Sequence[Report], families: Iterable[Sequence[str]]) -> dict[str, Report]:
    """Id of each report -> the report whose content decides for it: its own, or the lowest of its family."""
    by_id = {report.id: report for report in reports}
    speakers = dict(by_id)
    for family in families:
        members = [by_id[identity] for identity in family if identity in by_id]
        for member in members:
            speakers[member.id] = min(members, key=_rank)
    return speakers


def _held_out_of(group: Sequence[Report], speakers: dict[str, Report], share: float) -> list[Report]:
    rank = {report.id: _rank(speakers[report.id]) for report in group}
    ranks = sorted(set(rank.values()))  # two readings of one file have one rank, and stay together
    lowest = sum(one < share for one in ranks)
    held_out = set(ranks[: min(max(lowest, 1), len(ranks) - 1)])
    return [report for report in group if rank[report.id] in held_out]


def _rank(report: Report) -> float:
    """A number in [0, 1) that depends on the file's content alone."""
    return int(digest(["hold-out", report.source_sha256])[:13], 16) / math.pow(16, 13)
