"""chrF++: how much of a written section's characters and words stand in the true one (0 to 100).

Popović, "chrF++: words helping character n-grams" (2017): the F-score (recall counts twice) of n-grams of up
to 6 characters and 2 words, as sacrebleu computes it.
"""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sacrebleu.metrics.chrf import CHRF

NAME = "chrf++"


def chrf(written: str, true: str) -> float:
    """chrF++ of one section."""
    return float(_metric().sentence_score(written, [true]).score)


def tool_signature() -> str:
    """The version and the settings of the tool that computes it, as it states them."""
    metric = _metric()
    metric.sentence_score("a", ["a"])  # sacrebleu knows its number of references only after a first score
    return f"sacrebleu {metric.get_signature()}"


@cache
def _metric() -> "CHRF":
    from sacrebleu.metrics.chrf import CHRF

    return CHRF(word_order=2)
