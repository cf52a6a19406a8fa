"""The comparisons as a table for the terminal."""

from typing import TYPE_CHECKING

from pipeline.evaluation.found import Evaluation
from pipeline.evaluation.report import words

if TYPE_CHECKING:
    from rich.table import Table

_COLOURS = {"better": "green", "worse": "red", "no difference shown": None}


def table(evaluation: Evaluation) -> "Table":
    """Every score over all sections, and the primary one by language; the finding is the title, the verdict below."""
    from rich.table import Table

    shown = Table(title=words.finding(evaluation), caption=words.answer(evaluation), title_justify="left")
    shown.add_column("score")
    shown.add_column("text")
    for heading in (words.reference(evaluation), "candidate", "difference (95% interval)", "sections"):
        shown.add_column(heading, justify="right")
    for c in words.told(evaluation.comparisons):
        shown.add_row(
            f"{c.title} ({words.direction(c)})",
            words.group(c.group),
            words.number(c, c.reference),
            words.number(c, c.candidate),
            words.difference(c),
            str(c.n),
            style=_COLOURS[c.effect],
        )
    return shown
