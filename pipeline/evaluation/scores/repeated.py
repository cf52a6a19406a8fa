"""Does the written section say the same over and over? Distinct 4-grams of words, and the share that stands in loops.

Tables and lists repeat themselves with reason: the true sections' own values are not 1 and 0 either, so that these
two tell more of the difference between contenders than by themselves. See `pipeline.repetition` for the formulas.
"""

from pipeline.evaluation.scores.score import Score
from pipeline.evaluation.scores.words import NAME as TOKENIZER
from pipeline.repetition import LOOP_TIMES, LOOP_TOKENS, distinct_share, loop_share

VERSION = 1
_N = 4


def distinct_grams() -> Score:
    """The mean over sections of distinct 4-grams by all of them."""
    return Score(
        name="distinct_4_grams",
        title="sequences of four words that are not said twice",
        better="higher",
        signature=f"distinct_4_grams|version:{VERSION}|tokenizer:{TOKENIZER}|mean of sections",
        of=lambda judged: (distinct_share(judged.words, _N), 1.0),
    )


def in_loops() -> Score:
    """The mean over sections of the share of words that stand in a loop."""
    return Score(
        name="in_loops",
        title="words in passages that go round in circles",
        better="lower",
        signature=f"in_loops|version:{VERSION}|tokenizer:{TOKENIZER}|"
        f"at least {LOOP_TIMES} times and {LOOP_TOKENS} words|mean of sections",
        of=lambda judged: (loop_share(judged.words), 1.0),
    )
