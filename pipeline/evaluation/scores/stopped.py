"""Did the section come to an end by itself, within the tokens that it was given?"""

from pipeline.evaluation.scores.score import Score

VERSION = 1


def stop_rate() -> Score:
    """Share of the sections that ended by themselves."""
    return Score(
        name="stop_rate",
        title="sections that came to an end by themselves",
        better="higher",
        signature=f"stop_rate|version:{VERSION}|end of turn written|mean of sections",
        of=lambda judged: (float(judged.finish == "whole"), 1.0),
    )
