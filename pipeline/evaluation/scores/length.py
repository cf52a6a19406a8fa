"""Is the written section as long as the true one? In characters.

    ratio   sum of written / sum of true              the office sees from it whether sections are too short or too long
    match   shorter / longer = exp(-|ln ratio|)       of one section: twice as long is as far off as half as long

The match is bounded, so that no section that came out empty decides the mean of all.
"""

from pipeline.evaluation.scores.score import Judged, Part, Score

VERSION = 1


def length_ratio() -> Score:
    """Length of all that was written by that of all true sections."""
    return Score(
        name="length_ratio",
        title="length by that of the true section (1: as long)",
        better="nearer one",
        signature=f"length_ratio|version:{VERSION}|characters|ratio of sums",
        of=lambda judged: (float(len(judged.text)), float(len(judged.example.target))),
    )


def length_match() -> Score:
    """The mean over sections of the shorter length by the longer."""
    return Score(
        name="length_match",
        title="likeness in length to the true section (1: as long)",
        better="higher",
        signature=f"length_match|version:{VERSION}|characters, shorter by longer|mean of sections",
        of=_match,
    )


def _match(judged: Judged) -> Part:
    shorter, longer = sorted((len(judged.text), len(judged.example.target)))
    return (shorter / longer if longer else 1.0), 1.0
