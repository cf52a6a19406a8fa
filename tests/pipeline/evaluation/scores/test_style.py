"""Burrows's Delta: by hand, and told apart from another way to write."""

import numpy as np
import pytest

from pipeline.evaluation.scores import Context
from pipeline.evaluation.scores.style import PIECE_WORDS, Style, style_delta
from tests.pipeline.evaluation.scores.conftest import Judge


def test_delta_by_hand() -> None:
    """Of ten words "de" is 2, 4, 3, and "la" 1, 1, 4: means 0.3 and 0.2, deviations sqrt(2/3)/10 and sqrt(2)/10."""
    pieces = [["de"] * de + ["la"] * la + ["x"] * (10 - de - la) for de, la in [(2, 1), (4, 1), (3, 4)]]
    style = Style(["de", "la"], pieces)
    assert style.delta(["de"] * 3 + ["la"] * 2 + ["y"] * 5) == pytest.approx(0)
    expected = (0.2 / ((2 / 3) ** 0.5 / 10) + 0.1 / (2**0.5 / 10)) / 2
    assert style.delta(["de", "la", *"abcdefgh"]) == pytest.approx(expected)
    assert style.delta([]) == pytest.approx((0.3 / ((2 / 3) ** 0.5 / 10) + 0.2 / (2**0.5 / 10)) / 2)


def test_a_word_that_never_varies_is_left_out() -> None:
    pieces = [["de"] + ["la"] * n + ["y"] * (9 - n) for n in range(10)]
    assert np.full((10, 2), 0.1).std(axis=0).all()  # rounding alone: a deviation of nothing
    assert Style(["de", "la", "x"], pieces).words == ["la"]


OFFICE = "Aquest any hem fet {a} a la vila i les veïnes hi han vingut amb ganes perquè els agrada el {b} de la tarda. "
OTHERS = "Realització: {a}. Assistència: alta. Valoració: positiva. Motiu: {b}. Observacions: cap. Resultat: assolit. "


def written(sentence: str, number: int, times: int) -> str:
    topics = ["tallers", "sortides", "xerrades", "jocs", "concerts"]
    return "".join(
        sentence.format(a=topics[(i + number) % 5], b=topics[(i * number) % 5]) + ("De fet, la cosa va bé. " * (i % 3))
        for i in range(times)
    )


def test_the_office_sounds_more_like_itself_than_another(judged: Judge) -> None:
    taught = [judged("", written(OFFICE, n, 60), report=f"r{n}").example for n in range(3)]
    score = style_delta(Context(languages=("ca",), taught=taught))
    true = written(OFFICE, 7, 10)
    ours, theirs = score.of(judged(written(OFFICE, 8, 10), true)), score.of(judged(written(OTHERS, 8, 10), true))
    assert ours and theirs and ours[0] < 0.7 * theirs[0]


def test_it_does_not_apply_where_nothing_can_be_told(judged: Judge) -> None:
    long = written(OFFICE, 1, 10)
    taught = [judged("", written(OFFICE, n, 60), report=f"r{n}").example for n in range(3)]
    score = style_delta(Context(languages=("ca",), taught=taught))
    assert score.of(judged(long, "Massa curt.")) is None and score.of(judged(long, long, language="es")) is None
    few = [judged("", "paraula " * (9 * PIECE_WORDS)).example]
    assert style_delta(Context(languages=("ca",), taught=few)).of(judged(long, long)) is None
    assert score.of(judged("", long)) is not None  # what was written does not decide whether it applies


def test_words_of_one_project_do_not_count(judged: Judge) -> None:
    """Of four reports one alone says "piragua", often; a section without it is as much in style as one with it."""
    topics = [{"piragua": 200}, {}, {}, {}]
    taught = [
        judged("", written(OFFICE, n, 60) + "".join(f"{w} " * c for w, c in topic.items()), report=f"r{n}").example
        for n, topic in enumerate(topics)
    ]
    score = style_delta(Context(languages=("ca",), taught=taught))
    text = written(OFFICE, 8, 10)
    assert score.of(judged(f"{text} piragua", text)) != score.of(judged(text, text))  # one word more in all
    assert score.of(judged(f"{text} piragua", text)) == score.of(judged(f"{text} canoa", text))
