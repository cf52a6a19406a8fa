"""Does the written section say what its writer was told? By `pipeline.faithfulness`, which says what counts as support.

    unsupported    claims without a source / all claims that were written
    facts_used     owed facts that the section states / all that the prompt's facts and guidance owe it

Both are ratios of sums: a section that claims much weighs more than one that claims little. A true section has
unsupported claims too, for its writer knew more than the prompt: compare contenders.
"""

from pipeline.evaluation.scores.score import Judged, Part, Score
from pipeline.faithfulness import VERSION, sources_of_example, trace


def unsupported() -> Score:
    """Share of the claims that nothing supports."""
    return Score(
        name="unsupported",
        title="figures, dates and names that come from nowhere",
        better="lower",
        signature=f"unsupported|version:{VERSION}|claims without a source in the prompt|ratio of sums",
        of=_unsupported,
    )


def facts_used() -> Score:
    """Share of the owed facts that are told. Does not apply where the prompt owes none."""
    return Score(
        name="facts_used",
        title="facts that had to be told, and were",
        better="higher",
        signature=f"facts_used|version:{VERSION}|owed by the prompt's facts and guidance|ratio of sums",
        of=_facts_used,
    )


def _unsupported(judged: Judged) -> Part:
    return float(len(judged.traced.unsupported)), float(len(judged.traced.claims))


def _facts_used(judged: Judged) -> Part | None:
    sources = [source for source in sources_of_example(judged.example) if source.owed]
    owed = len(trace("", judged.example.language, sources).unused)  # who says nothing leaves all of it unused
    return (float(owed - len(judged.traced.unused)), float(owed)) if owed else None
