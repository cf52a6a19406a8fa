"""Relevance: BM25 as a library computes it, in proportion to the best piece."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.windows.relevance import K1, B, index, relevance, words_of

words = st.sampled_from(["acció", "beca", "cost", "dada", "equip", "fons", "grup"])
texts = st.lists(st.lists(words, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=12)


@given(sections=st.lists(texts, min_size=1, max_size=4), wanted=st.lists(words, min_size=1, max_size=4))
def test_it_is_what_a_library_finds(sections: list[list[str]], wanted: list[str]) -> None:
    from bm25s import BM25

    found = relevance([index(pieces) for pieces in sections], " ".join(wanted))
    library = BM25(k1=K1, b=B, method="lucene")
    places = [(i, j) for i, pieces in enumerate(sections) for j in range(len(pieces))]
    library.index([words_of(sections[i][j]) for i, j in places], show_progress=False)
    known = sorted({word for word in wanted if any(word in words_of(sections[i][j]) for i, j in places)})
    scores = library.get_scores(known) if known else [0.0] * len(places)
    best = max(scores) or 1.0
    for place, score in zip(places, scores, strict=True):
        assert found.get(place, 0.0) == pytest.approx(float(score) / float(best), abs=1e-5)


def test_words_are_folded_and_short_ones_left_out() -> None:
    assert words_of("L'Acció, a 24 pobles: ÀMBIT!") == ["acció", "24", "pobles", "àmbit"]


def test_nothing_is_relevant_to_nothing() -> None:
    assert relevance([index(["una cosa"])], "") == {} == relevance([], "cosa") == relevance([index([])], "cosa")
