"""Likeness, length, repetition and the end: by hand."""

import pytest
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


def test_chrf_is_what_sacrebleu_gives(judged: Judge) -> None:
    written, true = "Es van fer 12 tallers a Lleida.", "Vam fer dotze tallers a la ciutat de Lleida."
    theirs = sentence_chrf(written, [true], word_order=2).score
    assert 0 < theirs < 100
    assert chrf_plus_plus().of(judged(written, true)) == (pytest.approx(theirs, abs=1e-6), 1)


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
