"""chrF++ as a score of sections; `pipeline.evaluation.chrf` computes it."""

from pipeline.evaluation import chrf
from pipeline.evaluation.scores.score import Score


def chrf_plus_plus() -> Score:
    """The mean over sections."""
    return Score(
        name=chrf.NAME,
        title="likeness to the true section, letter by letter (chrF++, 0 to 100)",
        better="higher",
        signature=f"{chrf.NAME}|{chrf.tool_signature()}|mean of sections",
        of=lambda judged: (chrf.chrf(judged.text, judged.example.target), 1.0),
    )
