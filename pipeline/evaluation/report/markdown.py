"""The report as Markdown: for a mail, an archive, a terminal."""

from collections.abc import Sequence

from pipeline.evaluation.comparison import ALL, LANGUAGES, Comparison
from pipeline.evaluation.found import Evaluation
from pipeline.evaluation.report import words
from pipeline.evaluation.report.pairs import SideBySide

_SHOWN_PAIRS, _SHOWN_CHARACTERS = 10, 600
_MARKS = {"holds": "yes", "fails": "**no**", "open": "not known", "left out": "not asked"}


def markdown(evaluation: Evaluation, pairs: Sequence[SideBySide]) -> str:
    """The whole page. The worst sections stand beside the true ones, cut where they are long."""
    blocks = [
        f"# {words.TITLE}",
        f"**{words.answer(evaluation)}** {words.consequence(evaluation)}",
        f"{words.finding(evaluation)} {words.about(evaluation)}",
        "## What had to hold",
        "\n".join(f"- {_MARKS[c.state]}: {c.words}" for c in evaluation.conditions),
        "## Score by score",
        _table(words.told(evaluation.comparisons), words.reference(evaluation)),
        "An interval that holds zero means: no difference is shown.",
    ]
    if evaluation.with_base:
        blocks += ["## Against the base without an adapter", _table(words.told(evaluation.with_base), "bare base")]
    if pairs:
        blocks += ["## The worst sections", *(_side_by_side(pair) for pair in pairs[:_SHOWN_PAIRS])]
    blocks += [
        "## How it was measured",
        "\n".join(f"- {c.name}: `{c.signature}`" for c in evaluation.comparisons if c.group == ALL),
        "\n".join(f"- {name}: `{value}`" for name, value in evaluation.settings.model_dump(mode="json").items()),
        "## What was compared",
        "\n".join(f"- {name}: `{identity}`" for name, identity in words.lineage(evaluation)),
    ]
    return "\n\n".join(blocks) + "\n"


def _table(comparisons: Sequence[Comparison], reference: str) -> str:
    headings = ("score", "text", reference, "candidate", "difference (95% interval)", "shown", "sections")
    rows = [headings, ("---", "---", "---:", "---:", "---:", "---", "---:"), *map(_cells, comparisons)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cells(comparison: Comparison) -> tuple[str, ...]:
    return (
        f"{comparison.title} ({words.direction(comparison)})",
        words.group(comparison.group),
        words.number(comparison, comparison.reference),
        words.number(comparison, comparison.candidate),
        words.difference(comparison),
        comparison.effect,
        str(comparison.n),
    )


def _side_by_side(pair: SideBySide) -> str:
    parts = [f"### {pair.heading} ({LANGUAGES.get(pair.language or '', 'a language not known')})"]
    for title, text in (("True", pair.true), ("In service", pair.reference), ("Candidate", pair.candidate)):
        cut = text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS].rstrip()} […]"
        parts.append(f"**{title}**\n\n" + "\n".join(f"> {line}" for line in cut.splitlines() or ["(nothing)"]))
    return "\n\n".join(parts)
