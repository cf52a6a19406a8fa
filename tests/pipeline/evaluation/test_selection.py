import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.selection import select
from pipeline.records import Example, Message


def _examples(sizes: list[int]) -> list[Example]:
    return [
        Example(
            report=f"report-{report}",
            section=f"{position * 7919 % 1009:04d}-{report}",
            window="window",
            language=("ca", "es", "en")[report % 3],
            messages=(Message(role="user", content="x"),),
            target="x",
            source_sha256="0" * 64,
        )
        for report, size in enumerate(sizes)
        for position in range(size)
    ]


@given(st.lists(st.integers(0, 6), max_size=7), st.integers(1, 50), st.randoms())
def test_reports_get_equal_parts_whatever_the_order(sizes: list[int], most: int, shuffler: random.Random) -> None:
    examples = _examples(sizes)
    chosen = select(examples, most)
    assert len(chosen) == min(most, len(examples))
    counts = Counter(example.report for example in chosen)
    fullest = max(counts.values(), default=0)
    for report, size in enumerate(sizes):
        assert counts[f"report-{report}"] >= min(size, fullest - 1)
    shuffled = list(examples)
    shuffler.shuffle(shuffled)
    assert select(shuffled, most) == chosen
    assert select(examples, most + 1)[:most] == chosen


def test_zero_means_all_and_languages_alternate() -> None:
    examples = _examples([2, 2, 2, 2, 2, 2])
    assert sorted(e.section for e in select(examples, 0)) == sorted(e.section for e in examples)
    assert {e.language for e in select(examples, 3)} == {"ca", "es", "en"}


def test_windows_do_not_change_the_choice() -> None:
    examples = _examples([5, 5])
    other = [example.model_copy(update={"window": f"other-{i}"}) for i, example in enumerate(examples)]
    assert [e.section for e in select(other, 4)] == [e.section for e in select(examples, 4)]
