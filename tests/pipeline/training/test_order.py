"""Which examples, in which order, at which rate: by hand."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.records import Example, Language
from pipeline.training.order import choose, learning_rate, schedule


def example(language: Language | None, number: int) -> Example:
    return Example(
        report="r",
        source_sha256="0",
        section=f"{language}-{number}",
        window="w",
        language=language,
        messages=(),
        target="t",
    )


@given(count=st.integers(1, 30), epochs=st.floats(0.01, 4), seed=st.integers(0, 5))
def test_every_epoch_is_a_permutation(count: int, epochs: float, seed: int) -> None:
    order = schedule(count, epochs, seed)
    assert len(order) == max(1, round(count * epochs))
    for start in range(0, len(order), count):
        epoch = order[start : start + count]
        assert len(set(epoch)) == len(epoch) and set(epoch) <= set(range(count))


def test_epochs_and_seeds_differ_and_the_same_seed_does_not() -> None:
    order = schedule(20, 2, 0)
    assert order[:20] != order[20:] and order != schedule(20, 2, 1) and order == schedule(20, 2, 0)
    assert order[:20] != list(range(20))
    assert schedule(20, 1.5, 0) == order[:30]  # a longer run begins like a shorter one


def examples_of(ca: int = 0, es: int = 0, en: int = 0, unknown: int = 0) -> list[Example]:
    counts: tuple[tuple[Language | None, int], ...] = (("ca", ca), ("es", es), ("en", en), (None, unknown))
    return [example(language, number) for language, count in counts for number in range(count)]


def test_languages_have_equal_parts_until_one_is_used_up() -> None:
    examples = examples_of(ca=9, es=3, en=2)
    for most, parts in ((3, (1, 1, 1)), (6, (2, 2, 2)), (9, (4, 3, 2)), (0, (9, 3, 2)), (99, (9, 3, 2))):
        chosen = Counter(x.language for x in choose(examples, most))
        assert (chosen["ca"], chosen["es"], chosen["en"]) == parts
    assert len(choose(examples, 7)) == 7


def test_the_choice_is_by_content_and_grows_without_exchange() -> None:
    examples = examples_of(ca=8, unknown=8)
    assert choose(examples[::-1], 5) == choose(examples, 5) == choose(examples, 9)[:5]
    assert {x.section for x in choose(examples, 8)} != {x.section for x in (*examples[:4], *examples[8:12])}


@pytest.mark.parametrize(
    ("steps", "warmup_share", "rates"),
    [
        (4, 0.5, [1 / 3, 2 / 3, 1, 0.5]),  # 2 steps up, then cos 0 and cos 90 degrees
        (4, 0, [1, 0.5 + 2**0.5 / 4, 0.5, 0.5 - 2**0.5 / 4]),  # cos 0, 45, 90, 135 degrees
        (1, 0.05, [1]),
        (1, 0, [1]),
        (10, 0.1, [1 / 2, 1, 0.969846, 0.883022, 0.75, 0.586824, 0.413176, 0.25, 0.116978, 0.030154]),
    ],
)
def test_the_rate_rises_evenly_and_falls_as_a_cosine(steps: int, warmup_share: float, rates: list[float]) -> None:
    assert [learning_rate(s, steps, 3e-4, warmup_share) / 3e-4 for s in range(steps)] == pytest.approx(rates, abs=1e-6)
