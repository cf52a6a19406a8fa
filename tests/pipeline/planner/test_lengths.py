"""The distribution of example lengths by hand, and sentences only where they apply."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.planner.cautions import (
    download_caution,
    forgetting_caution,
    knowledge_caution,
    language_caution,
    margin_caution,
)
from pipeline.planner.lengths import Lengths, languages, limit_warning, measure, target_warning
from pipeline.records import Example, Message

GIB = 1 << 30
TEN = Lengths((100, 200, 300, 400, 500, 600, 700, 800, 900, 2000))


def example(prompt: str, target: str, language: str | None = "ca") -> Example:
    message = Message(role="user", content=prompt)
    return Example(
        report="r", source_sha256="s", section="x", window="w", language=language, messages=(message,), target=target
    )


def test_quantiles_by_hand():
    assert [TEN.quantile(share) for share in (0, 0.1, 0.11, 0.5, 0.9, 0.95, 1)] == [100, 100, 200, 500, 900, 2000, 2000]
    assert Lengths((7,)).quantile(0.5) == 7


def test_a_limit_holds_what_is_as_long():
    assert (TEN.above(900), TEN.above(899), TEN.above(2000)) == (1, 2, 0)
    assert TEN.share_above(500) == 0.5


def test_histogram_by_hand():
    assert TEN.histogram(4) == [(500, 5), (1000, 4), (1500, 0), (2000, 1)]
    assert Lengths((1, 1)).histogram(4) == [(1, 2)]


LENGTHS = st.lists(st.integers(1, 50_000), min_size=1, max_size=60).map(lambda found: Lengths(tuple(sorted(found))))


@given(LENGTHS, st.floats(0, 1), st.integers(1, 20))
def test_properties(lengths, share, bars):
    at = lengths.quantile(share)
    assert at in lengths.tokens and lengths.share_above(at) <= 1 - share + 1e-9
    drawn = lengths.histogram(bars)
    assert sum(count for _, count in drawn) == len(lengths.tokens) and len(drawn) <= bars
    assert (limit_warning(lengths, at) is None) == (at == lengths.longest)


@pytest.mark.parametrize("wrong", [(), (2, 1)])
def test_lengths_are_in_order(wrong):
    with pytest.raises(ValueError, match="ascending"):
        Lengths(wrong)


def words(text: str) -> int:
    return len(text.split())


def test_a_small_set_is_counted_token_by_token():
    found = measure([example("a b c", "d"), example("a", "b c")], words)
    assert found == Lengths((3, 4))


def test_a_large_set_is_estimated_at_the_rate_of_a_few():
    asked: list[str] = []

    def counting(text: str) -> int:
        asked.append(text)
        return words(text)

    examples = [example("word " * n, "end") for n in range(1, 201)]
    found = measure(examples, counting, counted=10)
    assert len(asked) == 10 and found.estimated
    exact = measure(examples, words, counted=200)
    assert not exact.estimated and exact.tokens == tuple(range(2, 202))
    for estimate, length in zip(found.tokens, exact.tokens, strict=True):
        assert estimate == pytest.approx(length, rel=0.05, abs=1)


def test_each_language_has_its_own_rate():
    def count(text: str) -> int:
        return len(text) // (2 if "ñ" in text else 4)

    examples = [example("ñ" * 400, "", "es"), example("n" * 400, "", "en")] * 10
    assert measure(examples, count, counted=2).tokens == (100,) * 10 + (200,) * 10


def test_the_shortest_and_the_longest_are_counted():
    examples = [example("word " * n, "") for n in range(1, 101)]
    uneven = measure(examples, lambda text: len(text) ** 2, counted=3)
    assert uneven.tokens[0] == len("word \n") ** 2 and uneven.longest == len("word " * 100 + "\n") ** 2


def test_a_limit_that_cuts_endings():
    assert limit_warning(TEN, 2000) is None
    told = limit_warning(TEN, 850)
    assert told is not None and told.startswith("2 of your 10 examples (20%) are longer than 850 tokens")
    assert "the typical one has 500, nine in ten have at most 900, the longest 2,000" in told
    below_typical = limit_warning(TEN, 450)
    assert below_typical is not None and "the typical one, too, is longer" in below_typical
    estimated = limit_warning(Lengths(TEN.tokens, estimated=True), 850)
    assert estimated is not None and estimated.startswith("About 2 of your 10")
    assert "Training refuses them" in estimated


def test_sections_too_long_to_teach():
    left_out = {"shorter than 16 tokens": 40, "longer than 4096 tokens": 5}
    told = target_warning(left_out, 95)
    assert told is not None and told.startswith("5 sections (5%) are longer than 4096 tokens, and teach nothing")
    assert target_warning({"shorter than 16 tokens": 40}, 95) is None


def test_languages_by_count():
    examples = [example("", "", code) for code in ("es", "ca", "ca", None)]
    assert languages(examples) == {"ca": 2, "": 1, "es": 1}


def test_a_narrow_margin():
    assert margin_caution(13 * GIB, 14 * GIB) is None
    assert margin_caution(15 * GIB, 14 * GIB) is None
    told = margin_caution(14 * GIB - GIB // 4, 14 * GIB, bytes_a_token=1 << 18)
    assert told is not None and told.startswith("Only 0.2 GiB stay free of 14.0 GiB: an example 1,024 tokens longer")
    assert "a longer example" in str(margin_caution(14 * GIB, 14 * GIB))


def test_the_download_is_not_the_memory():
    assert download_caution(10 * GIB, 11 * GIB) is None
    assert "training takes less, 6.0 GiB" in str(download_caution(15 * GIB, 6 * GIB))
    assert "training takes more, 40.0 GiB" in str(download_caution(15 * GIB, 40 * GIB))


def test_the_wrong_tool():
    assert "Gekhman" in knowledge_caution("full") and "Biderman" not in knowledge_caution("full")
    assert "Biderman" in knowledge_caution("qlora")
    assert language_caution("full", "Aranese") is None and "a base Aranese" in str(language_caution("lora", "Aranese"))
    assert forgetting_caution("qlora") is None and "forgets more" in str(forgetting_caution("full"))
