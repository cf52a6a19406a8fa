"""ROUGE-L: by hand, against plain dynamic programming, and against the package rouge-score."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import Tokenizer

from pipeline.evaluation.scores.rouge import f_score, lcs_length, rouge_l
from pipeline.evaluation.scores.words import words_of


@pytest.mark.parametrize(
    ("written", "true", "score"),
    [
        # LCS "la acció va", 3 words of 4 and of 5: 2 * 3/4 * 3/5 / (3/4 + 3/5)
        ("la gran acció va", "la acció va molt bé", 2 * 0.75 * 0.6 / 1.35),
        ("la senyora", "la senyora", 1),
        ("senor", "señor", 0),  # an accent is no space
        ("L'ACCIÓ", "l’acció", 1),
        ("accio\u0301", "acció", 1),  # the accent as a character of its own
        ("bé va", "va bé", 0.5),
        ("", "va bé", 0),
        ("va bé", "", 0),
        ("", "", 0),
    ],
)
def test_by_hand(written: str, true: str, score: float, judged) -> None:  # type: ignore[no-untyped-def]
    assert rouge_l().of(judged(written, true)) == (pytest.approx(score), 1)


def table_lcs(one: Sequence[int], other: Sequence[int]) -> int:
    row = [0] * (len(other) + 1)
    for a in one:
        before = row[:]
        for j, b in enumerate(other):
            row[j + 1] = before[j] + 1 if a == b else max(before[j + 1], row[j])
    return row[-1]


WORDS = st.lists(st.integers(0, 4), max_size=90)


@given(WORDS, WORDS)
def test_the_bits_say_what_the_table_says(one: list[int], other: list[int]) -> None:
    assert lcs_length(one, other) == table_lcs(one, other) == lcs_length(other, one)


class Unicode(Tokenizer):
    """Our words, for their scorer."""

    def tokenize(self, text: str) -> list[str]:
        return words_of(text)


ASCII = st.text(st.sampled_from("ab1.,' -|\n"), max_size=80)
LATIN = st.text(st.sampled_from("aàçñ·l1.,' €_\n"), max_size=80)


@given(ASCII, ASCII)
def test_of_plain_letters_it_is_what_rouge_score_gives_by_itself(written: str, true: str) -> None:
    theirs = RougeScorer(["rougeL"]).score(true, written)["rougeL"].fmeasure
    assert f_score(words_of(written), words_of(true)) == pytest.approx(theirs, abs=1e-6)


@given(LATIN, LATIN)
def test_of_all_letters_it_is_what_rouge_score_gives_of_our_words(written: str, true: str) -> None:
    theirs = RougeScorer(["rougeL"], tokenizer=Unicode()).score(true, written)["rougeL"].fmeasure
    assert f_score(words_of(written), words_of(true)) == pytest.approx(theirs, abs=1e-6)
