"""What holds for all scores; likeness, length, repetition and the end by hand."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu import sentence_chrf

from pipeline.evaluation.scores import Context, section_scores
from pipeline.evaluation.scores.length import length_match, length_ratio
from pipeline.evaluation.scores.likeness import chrf_plus_plus
from pipeline.evaluation.scores.repeated import distinct_grams, in_loops
from pipeline.evaluation.scores.stopped import stop_rate
from tests.pipeline.evaluation.scores.conftest import Judge


def test_every_score_says_what_it_is() -> None:
    scores = section_scores(Context(languages=("ca", "es", "en")))
    names = [score.name for score in scores]
    assert len(set(names)) == len(names) == len({score.title for score in scores})
    for score in scores:
        what, version, *how = score.signature.split("|")
        assert what == score.name and version.startswith(("version:", "sacrebleu ")) and how


PIECES = st.sampled_from(
    [
        "| a | b |\n",
        "|---|\n",
        "- u\n",
        "12.500,00 €",
        "març de 2024",
        "la Núria Puig",
        "\x00",
        "\u0301",
        "]",
        " ",
        "\n\n",
        "és ",
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=60).map("".join))


@settings(max_examples=60, deadline=None)
@given(text=TEXTS, true=TEXTS, window=TEXTS)
def test_whatever_is_written_has_a_finite_score(text: str, true: str, window: str, judged: Judge) -> None:
    scores = section_scores(Context(languages=("ca", "es"), taught=[judged("", true, report="taught").example]))
    section = judged(text, true, window)
    for score in scores:
        part = score.of(section)
        assert part is None or (math.isfinite(part[0]) and part[0] >= 0 and 0 <= part[1] < math.inf), score.name


def test_chrf_is_what_sacrebleu_gives(judged: Judge) -> None:
    written, true = "Es van fer 12 tallers a Lleida.", "Vam fer dotze tallers a la ciutat de Lleida."
    theirs = sentence_chrf(written, [true], word_order=2).score
    assert 0 < theirs < 100
    assert chrf_plus_plus().of(judged(written, true)) == (pytest.approx(theirs, abs=1e-6), 1)


@pytest.mark.parametrize(
    ("written", "true", "score"),
    [
        ("", "abc", 0),
        ("La memòria", "La memòria", 100),
        # n-grams a b c against a b d: characters 2/3, 1/2, 0/1, words 0/1; longer ones do not exist.
        ("abc", "abd", 100 * (2 / 3 + 1 / 2) / 4),
        # "ab" against "ab cd": precision 1 in each of 3 orders (characters 1 and 2, words 1); recall 2/4,
        # 1/3, 1/2; the F-score of the means with beta 2.
        ("ab", "ab cd", 100 * 5 * (4 / 9) / (4 + 4 / 9)),
    ],
)
def test_chrf_by_hand(written: str, true: str, score: float, judged: Judge) -> None:
    assert chrf_plus_plus().of(judged(written, true)) == (pytest.approx(score), 1)
    assert chrf_plus_plus().signature.startswith("chrf++|sacrebleu nrefs:1|case:mixed|eff:yes|nc:6|nw:2|")


@pytest.mark.parametrize(("written", "true", "match"), [(50, 100, 0.5), (200, 100, 0.5), (100, 100, 1), (0, 100, 0)])
def test_length_by_hand(written: int, true: int, match: float, judged: Judge) -> None:
    section = judged("à" * written, "b" * true)
    assert length_ratio().of(section) == (written, true)
    assert length_match().of(section) == (match, 1)


def test_repetition_by_hand(judged: Judge) -> None:
    twice = judged("Un dos tres quatre. Un, dos, tres, quatre!")
    assert distinct_grams().of(twice) == (4 / 5, 1) and in_loops().of(twice) == (0, 1)
    round_and_round = judged("Es va fer. " + "i així " * 12)
    assert in_loops().of(round_and_round) == (24 / 27, 1)
    rule = judged("| a | b |\n|" + " --- |" * 40)  # a table's rule says nothing twice
    assert in_loops().of(rule) == (0, 1)


def test_the_end(judged: Judge) -> None:
    assert stop_rate().of(judged("x")) == (1, 1) and stop_rate().of(judged("x", finish="clipped")) == (0, 1)
