"""An evaluation in plain words, for a grants officer: the same on every page."""

from collections.abc import Sequence

from pipeline.evaluation import chrf
from pipeline.evaluation.comparison import ALL, LANGUAGES, PRIMARY, Comparison
from pipeline.evaluation.found import Evaluation
from pipeline.records import short

TITLE = "Is the new adapter better?"
_ANSWERS = {
    "better": "Yes, it is better",
    "not better": "No, it is not shown to be better",
    "too few to judge": "It cannot be judged yet",
}
_CONSEQUENCES = {
    "better": "It may take over.",
    "not better": "What is in service stays.",
    "too few to judge": "What is in service stays. To use it all the same: memoria adapters promote {candidate}",
}
_ABOUT_BITS = (
    "The fewer bits, the less the true text surprised it: it knows better what such a section says. All are judged on "
    "{sections} of {reports}, none of which it was trained on."
)


def answer(evaluation: Evaluation) -> str:
    """The verdict, and why."""
    return f"{_ANSWERS[evaluation.verdict]}: {evaluation.reason}."


def consequence(evaluation: Evaluation) -> str:
    """What follows from the verdict."""
    return _CONSEQUENCES[evaluation.verdict].format(candidate=short(evaluation.candidate))


def finding(evaluation: Evaluation) -> str:
    """What was found, in one sentence."""
    primary = evaluation.primary
    other = "the one in service" if evaluation.champion else "the base without an adapter"
    return (
        f"The new adapter needs {primary.candidate:.2f} bits for each byte of a section it never saw; "
        f"{other} needs {primary.reference:.2f}."
    )


def about(evaluation: Evaluation) -> str:
    """What the finding means, and what it rests on."""
    return _ABOUT_BITS.format(
        sections=count(evaluation.sections, "section"), reports=count(evaluation.reports, "report")
    )


def reference(evaluation: Evaluation) -> str:
    """Whom the candidate was compared with."""
    return f"champion {short(evaluation.champion)}" if evaluation.champion else "bare base"


def group(name: str) -> str:
    """A group of sections, as people call it."""
    return "all" if name == ALL else LANGUAGES.get(name, name)


def told(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Those that a reader is shown: every score over all sections, and the primary one by language."""
    return [c for c in comparisons if c.group == ALL or c.name == PRIMARY]


def direction(comparison: Comparison) -> str:
    """Which way is better."""
    return "nearer 1 is better" if comparison.better == "nearer one" else f"{comparison.better} is better"


def number(comparison: Comparison, value: float, sign: str = "") -> str:
    """A value of this score, with as many digits as it has to say."""
    return f"{value:{sign}.{1 if comparison.name == chrf.NAME else 3}f}"


def difference(comparison: Comparison) -> str:
    """The difference with its interval."""
    value, low, high = (number(comparison, v, "+") for v in (comparison.difference, comparison.low, comparison.high))
    return f"{value} [{low}, {high}]"


def count(number_of: int, noun: str) -> str:
    """So many of something."""
    return f"{number_of} {noun}" if number_of == 1 else f"{number_of} {noun}s"


def lineage(evaluation: Evaluation) -> list[tuple[str, str]]:
    """What was compared, by id."""
    return [
        ("candidate", evaluation.candidate),
        *([("champion", evaluation.champion)] if evaluation.champion else []),
        ("base", evaluation.base),
        ("held-out sections", evaluation.examples),
        ("evaluation", evaluation.id),
    ]
