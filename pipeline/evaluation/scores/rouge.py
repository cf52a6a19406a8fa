"""ROUGE-L: how much of the true section stands in the written one, in the same order.

    precision = LCS / words written       recall = LCS / true words
    ROUGE-L   = 2 precision recall / (precision + recall) = 2 LCS / (words written + true words)

LCS is the length of the longest common subsequence of words (Lin, "ROUGE: A Package for Automatic Evaluation of
Summaries", 2004; with equal weights, as the package rouge-score has it). That package's own tokenizer drops every
letter with an accent, and takes the square of the length in Python: here a row of the table is the bits of one number
(Hyyrö, "Bit-Parallel LCS-length Computation Revisited", 2004).
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence

from pipeline.evaluation.scores.score import Score
from pipeline.evaluation.scores.words import NAME as TOKENIZER

VERSION = 1


def rouge_l() -> Score:
    """The mean over sections."""
    return Score(
        name="rouge_l",
        title="words of the true section that stand in the written one, in order (ROUGE-L)",
        better="higher",
        signature=f"rouge_l|version:{VERSION}|tokenizer:{TOKENIZER}|F with equal weights|mean of sections",
        of=lambda judged: (f_score(judged.words, judged.true_words), 1.0),
    )


def f_score(written: Sequence[Hashable], true: Sequence[Hashable]) -> float:
    """ROUGE-L of two sequences of words, 0 to 1; 0 if either is empty."""
    if not written or not true:
        return 0.0
    return 2 * lcs_length(written, true) / (len(written) + len(true))


def lcs_length(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Length of the longest common subsequence."""
    places: defaultdict[Hashable, int] = defaultdict(int)
    for place, word in enumerate(one):
        places[word] |= 1 << place
    full = (1 << len(one)) - 1
    row = full  # bit i is 0 where the length grows at one[i]
    for word in other:
        matched = row & places.get(word, 0)
        row = ((row + matched) | (row - matched)) & full
    return len(one) - row.bit_count()
