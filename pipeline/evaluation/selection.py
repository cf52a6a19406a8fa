"""Which held-out sections are judged: chosen by content, so the same again, and reports in equal parts."""

from collections import defaultdict
from collections.abc import Sequence

from pipeline.records import Example


def select(examples: Sequence[Example], most: int) -> list[Example]:
    """At most `most` examples (0: all), a section of each report in turn, the reports' languages alternating.

    A section's turn within its report follows from its id, a hash of its content, and neither from its place
    nor from its window: two bases with windows of their own are judged on the same sections.
    """
    by_report: dict[str, list[Example]] = defaultdict(list)
    for example in sorted(examples, key=lambda e: e.section or e.report):
        by_report[example.report].append(example)
    turns = [
        (turn, rank, language, example)
        for language, rank, report in _ranked(by_report)
        for turn, example in enumerate(by_report[report])
    ]
    turns.sort(key=lambda entry: entry[:3])
    return [example for *_, example in turns][: most or None]


def _ranked(by_report: dict[str, list[Example]]) -> list[tuple[str, int, str]]:
    """Language, rank among the reports of that language, and id of each report."""
    by_language: dict[str, list[str]] = defaultdict(list)
    for report in sorted(by_report):
        by_language[str(by_report[report][0].language)].append(report)
    return [(language, rank, report) for language, ids in by_language.items() for rank, report in enumerate(ids)]
