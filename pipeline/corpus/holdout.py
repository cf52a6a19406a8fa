"""Which reports examine and which teach. Whole reports, never sections: parts of one report know each other.

    reports ──> by language and funder ──> in each: the share of them whose content has the lowest hash is held out

Versions of one report know each other too: a family is held out together, or not at all.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pipeline.records import Report, digest


def hold_out(
    reports: Sequence[Report],
    share: float,
    families: Iterable[Sequence[str]] = (),
    least: int = 1,
    funders: Sequence[str] = (),
) -> frozenset[str]:
    """Ids of the reports that are held out, chosen by their content in each language.

    A report is held out if its hash falls in the lowest `share` of all hashes, so that the choice survives new
    arrivals; at least `least` per language are, and at least one is left to train on. A language with a single report
    gives it to training. A family goes with the one of its members whose hash is lowest, in that one's language.

    A funder of so many reports in a language that one of them would be held out by the share has one held out.

    Args:
        families: ids of reports that are versions of one another; other ids than those of `reports` are overlooked.
        funders: names, as reports write them.
    """
    speakers = _speakers(reports, families)
    by_language: dict[str | None, list[Report]] = defaultdict(list)
    for report in reports:
        by_language[speakers[report.id].language].append(report)
    funder = {report.id: funder_of(report, funders) for report in reports}
    return frozenset(
        report.id for group in by_language.values() for report in _held_out_of(group, speakers, share, least, funder)
    )


def funder_of(report: Report, funders: Sequence[str]) -> str | None:
    """The funder whose name stands most often in a report, of some names; None if none does."""
    text = "\n".join(f"{section.title}\n{section.text}" for section in report.sections).casefold() if funders else ""
    times = {name: len(re.findall(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", text)) for name in funders}
    most = max(funders, key=lambda name: times[name], default=None)
    return most if most is not None and times[most] else None


def _speakers(reports: Sequence[Report], families: Iterable[Sequence[str]]) -> dict[str, Report]:
    """Id of each report -> the report whose content decides for it: its own, or the lowest of its family."""
    by_id = {report.id: report for report in reports}
    speakers = dict(by_id)
    for family in families:
        members = [by_id[identity] for identity in family if identity in by_id]
        for member in members:
            speakers[member.id] = min(members, key=_rank)
    return speakers


def _held_out_of(
    group: Sequence[Report],
    speakers: Mapping[str, Report],
    share: float,
    least: int,
    funder: Mapping[str, str | None],
) -> list[Report]:
    rank = {report.id: _rank(speakers[report.id]) for report in group}
    ranks = sorted(set(rank.values()))  # two readings of one file have one rank, and stay together
    held_out = {one for one in ranks if one < share}
    of_funder: dict[str, set[float]] = defaultdict(set)
    for report in group:
        if name := funder[report.id]:
            of_funder[name].add(rank[report.id])
    held_out |= {min(theirs) for theirs in of_funder.values() if len(theirs) * share >= 1}
    held_out |= set([one for one in ranks if one not in held_out][: max(least - len(held_out), 0)])
    held_out = set(sorted(held_out)[: len(ranks) - 1])
    return [report for report in group if rank[report.id] in held_out]


def _rank(report: Report) -> float:
    """A number in [0, 1) that depends on the file's content alone."""
    return int(digest(["hold-out", report.source_sha256])[:13], 16) / math.pow(16, 13)
