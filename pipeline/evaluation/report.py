"""An evaluation told to people: a Markdown page for a grants officer, and a table for the terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.evaluation import bits, chrf
from pipeline.evaluation.comparison import ALL, LANGUAGES, PRIMARY, Comparison
from pipeline.evaluation.found import Evaluation
from pipeline.evaluation.generation import Written
from pipeline.records import Example, Language, Record, short

if TYPE_CHECKING:
    from rich.table import Table

_SCORES = {
    bits.NAME: "bits per byte (lower is better)",
    chrf.NAME: "chrF++ of written sections (higher is better)",
}
_SHOWN_PAIRS, _SHOWN_CHARACTERS = 3, 600


class SideBySide(Record):
    """One held-out section: as it truly is, as the reference wrote it, and as the candidate wrote it."""

    example: str
    report: str
    language: Language | None
    true: str
    reference: str
    candidate: str

    @classmethod
    def of(cls, example: Example, reference: Written, candidate: Written) -> "SideBySide":
        """Put what both wrote beside the true section."""
        return cls(
            example=example.id,
            report=example.report,
            language=example.language,
            true=example.target,
            reference=reference.text,
            candidate=candidate.text,
        )


def table(evaluation: Evaluation) -> "Table":
    """The comparisons as a table of rich, with the finding in plain words as its title."""
    from rich.table import Table

    shown = Table(title=finding(evaluation), caption=_verdict(evaluation), title_justify="left")
    shown.add_column("score")
    shown.add_column("text")
    for heading in (_reference(evaluation), "candidate", "difference (95% interval)", "sections"):
        shown.add_column(heading, justify="right")
    colours = {"better": "green", "worse": "red", "no difference shown": "yellow"}
    for comparison in evaluation.comparisons:
        shown.add_row(*_cells(comparison), style=colours[comparison.effect] if comparison.name == PRIMARY else None)
    return shown


def finding(evaluation: Evaluation) -> str:
    """What was found, in one sentence."""
    primary = next(c for c in evaluation.comparisons if c.name == PRIMARY and c.group == ALL)
    other = "the one in service" if evaluation.champion else "the base without an adapter"
    return (
        f"The new adapter needs {primary.candidate:.2f} bits for each byte of a section it never saw; "
        f"{other} needs {primary.reference:.2f}."
    )


def markdown(evaluation: Evaluation, pairs: Sequence[SideBySide]) -> str:
    """The whole page. A few written sections are shown beside the true ones, cut where they are long."""
    sections, reports = evaluation.sections, evaluation.reports
    blocks = [
        "# Is the new adapter better?",
        f"**{_verdict(evaluation)}**",
        f"{finding(evaluation)} The fewer bits, the less the true text surprised it: it knows better what "
        f"such a section says. Judged on {_count(sections, 'section')} of {_count(reports, 'report')}, none "
        "of which it was trained on.",
        _markdown_table(evaluation),
        "An interval that holds zero means: no difference is shown. " + _caution(reports),
    ]
    if pairs:
        blocks += ["## Written by the models", *(_side_by_side(pair) for pair in pairs[:_SHOWN_PAIRS])]
    blocks += [
        "## How it was measured",
        "\n".join(f"- {c.name}, {_group(c.group)}: `{c.signature}`" for c in evaluation.comparisons),
        "## What was compared",
        f"- candidate: `{evaluation.candidate}`\n- reference: `{evaluation.champion or evaluation.base}` "
        f"({_reference(evaluation)})\n- base: `{evaluation.base}`\n- sections: `{evaluation.examples}`",
    ]
    return "\n\n".join(blocks) + "\n"


def _verdict(evaluation: Evaluation) -> str:
    start = "Yes, it is better" if evaluation.verdict == "better" else "No, it is not shown to be better"
    return f"{start}: {evaluation.reason}."


def _caution(reports: int) -> str:
    if reports > 9:
        return ""
    return f"With only {_count(reports, 'report')} to judge by, take the intervals for a rough guide."


def _reference(evaluation: Evaluation) -> str:
    return f"champion {short(evaluation.champion)}" if evaluation.champion else "bare base"


def _group(group: str) -> str:
    return "all" if group == ALL else LANGUAGES.get(group, "language not known")


def _cells(comparison: Comparison) -> tuple[str, ...]:
    digits = 3 if comparison.name == bits.NAME else 1
    difference = f"{comparison.difference:+.{digits}f}"
    interval = f"[{comparison.low:+.{digits}f}, {comparison.high:+.{digits}f}]"
    return (
        _SCORES[comparison.name],
        _group(comparison.group),
        f"{comparison.reference:.{digits}f}",
        f"{comparison.candidate:.{digits}f}",
        f"{difference} {interval}",
        str(comparison.n),
    )


def _markdown_table(evaluation: Evaluation) -> str:
    headings = ("score", "text", _reference(evaluation), "candidate", "difference (95% interval)", "sections")
    rows = [headings, ("---", "---", "---:", "---:", "---:", "---:"), *map(_cells, evaluation.comparisons)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _side_by_side(pair: SideBySide) -> str:
    parts = [f"### A section in {LANGUAGES.get(pair.language or '', 'a language not known')}"]
    for title, text in (("True", pair.true), ("Reference", pair.reference), ("Candidate", pair.candidate)):
        cut = text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS].rstrip()} […]"
        parts.append(f"**{title}**\n\n" + "\n".join(f"> {line}" for line in cut.splitlines() or ["(nothing)"]))
    return "\n\n".join(parts)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
